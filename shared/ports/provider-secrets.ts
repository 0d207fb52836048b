export type ProviderSecrets = {
	/** Reads the secret of that name (an ARN). Throws if it cannot be read; the caller may retry. */
	read(name: string): Promise<string>;
};
