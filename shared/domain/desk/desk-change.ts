/** An entry of a workspace's audit list: who changed what, and when. Kept for a year. */
export type DeskChange = {
	readonly id: string;
	readonly workspace_id: string;
	readonly address: string;
	/** One word, by which forms ask for the change, and which the desk explains in the reader's language. */
	readonly change: string;
	/** The name of the member, person or lead that was changed; null: the change says it all. */
	readonly about: string | null;
	readonly created_at: string;
	readonly expires_at_epoch_s: number;
};
