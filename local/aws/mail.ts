/** A message as the mailbox of this machine got it. */
export type Mail = {
	readonly id: string;
	readonly received_at: string;
	readonly from: string;
	readonly to: string;
	readonly subject: string;
	readonly text: string;
	readonly html: string | null;
};
