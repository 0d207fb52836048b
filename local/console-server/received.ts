/** A received webhook, and the result of its verification. */
export type ReceivedWebhook = {
	readonly inbox: string;
	readonly received_at: string;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: string;
	/** Null while the inbox does not know the secret. */
	readonly verified: boolean | null;
	readonly error: string | null;
};
