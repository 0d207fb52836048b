/** The content of `.local/stack.json`. */
export type StackFacts = {
	readonly base_url: string;
	readonly console_url: string;
	/** Unlocks the console: the fragment `#key=` of the addresses that `npm start` prints. */
	readonly console_key: string;
	readonly demo_url: string;
	/** The desk of the demo workspace. */
	readonly desk_url: string;
	/** The mail address that may sign in there. */
	readonly desk_owner: string;
	readonly workspace_id: string;
	readonly workspace_key: string;
	readonly api_key: string;
	readonly allowed_origin: string;
	readonly inbox_url: string;
	/** Where `npm run listen` receives webhooks while it runs. */
	readonly listen_url: string;
};
