/** A webhook as it came in, and what its signature says. */
export type Received = {
	readonly inbox: string;
	readonly received_at: string;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: string;
	/** Null while the secret is not known here. */
	readonly verified: boolean | null;
	readonly error: string | null;
};
