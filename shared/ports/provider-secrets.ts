/** Where the credentials of a telephony provider are kept. */
export type ProviderSecrets = {
	/** The secret of that name (an ARN). Throws when it cannot be read; the caller may ask again. */
	read(name: string): Promise<string>;
};
