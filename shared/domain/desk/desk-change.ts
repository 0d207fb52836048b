/** What a person changed at the desk. Forms name it in `act`, and the audit list explains it in the reader's language. */
export type DeskChangeName =
	| 'signed_in'
	| 'paused'
	| 'resumed'
	| 'hours'
	| 'member_added'
	| 'member_removed'
	| 'member_moved'
	| 'member_off'
	| 'member_on'
	| 'ringing'
	| 'site'
	| 'consent'
	| 'notices'
	| 'person_invited'
	| 'person_removed'
	| 'sessions_ended'
	| 'lead_handled'
	| 'lead_dismissed'
	| 'lead_called'
	| 'number_suppressed';

const RETENTION_SECONDS = 365 * 24 * 3600;

/** A line of a workspace's audit list: who changed what, and when. Kept for a year. */
export type DeskChange = {
	readonly id: string;
	readonly workspace_id: string;
	readonly address: string;
	readonly change: DeskChangeName;
	/** The name of the member, person or lead that was changed; null: the change says it all. */
	readonly about: string | null;
	readonly created_at: string;
	readonly expires_at_epoch_s: number;
};

export function newDeskChange(
	input: Pick<DeskChange, 'id' | 'workspace_id' | 'address' | 'change' | 'about'>,
	now_ms: number,
): DeskChange {
	const created_at = new Date(now_ms).toISOString();
	return { ...input, created_at, expires_at_epoch_s: Math.floor(now_ms / 1000) + RETENTION_SECONDS };
}
