/** An entry of a workspace's audit list: who changed what, and when. Kept for a year. */
export type DeskChange = {
	readonly id: string;
	readonly workspace_id: string;
	readonly address: string;
	/** One word that names the change. The desk shows a sentence for this word, in the reader's language. */
	readonly change: string;
	/** The name of the member, person or lead that was changed. Null if the change needs no name. */
	readonly about: string | null;
	readonly created_at: string;
	readonly expires_at_epoch_s: number;
};
