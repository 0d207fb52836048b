export type ProviderSecrets = {
	/** Reads the secret with this name (an ARN). Throws if the secret cannot be read. The caller may retry. */
	read(name: string): Promise<string>;
};
