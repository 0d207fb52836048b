import { type DeskPerson, isOwner } from './desk-person.ts';

// A desk is handed over if its owners change, or if the address that gets the team's messages changes. The people who had
// the desk get a mail about it and can restore the desk within an hour. Otherwise a thief with an owner's stolen session
// could take the shop over unnoticed.

/** The parts of a desk whose change is a handover. */
type Hands = { readonly desk: readonly DeskPerson[]; readonly team_email: string | null };

/**
 * The desk as it was before a series of handovers. In a series, each handover comes less than an hour after the previous
 * handover.
 */
export type BeforeHandover = Hands & {
	/** An hour after the latest handover of the series (ISO 8601). */
	readonly until: string;
};

export const UNDO_MS = 3_600_000;
/**
 * For this long after a desk was restored, no other handover can be undone. Otherwise a removed owner could undo every
 * further removal.
 */
const NOT_AGAIN_MS = 24 * 3_600_000;

type Desk = Hands & { readonly before_handover?: BeforeHandover | null; readonly put_back_at?: string };

const ownersOf = (desk: readonly DeskPerson[]): readonly string[] =>
	desk
		.filter(isOwner)
		.map(({ address }) => address)
		.sort();

/** Whether this change of the desk is a handover. */
export const isHandover = (before: Hands, after: Hands): boolean =>
	before.team_email !== after.team_email || ownersOf(before.desk).join() !== ownersOf(after.desk).join();

/** The state to which the desk can be restored now. Null if there is no such state. */
export function undoable({ before_handover: before = null }: Desk, nowMs: number): BeforeHandover | null {
	return before !== null && nowMs < Date.parse(before.until) ? before : null;
}

/**
 * The state to which the desk can be restored if it is handed over now: its state before the first handover of the series.
 */
export function afterHandover({ desk, team_email, ...before }: Desk, nowMs: number): BeforeHandover {
	const until = new Date(nowMs + UNDO_MS).toISOString();
	return { desk, team_email, ...undoable({ desk, team_email, ...before }, nowMs), until };
}

/**
 * Whether a handover that is made now may be undone. This is not allowed within a day after another handover was undone.
 */
export const mayBeUndone = ({ put_back_at }: Desk, nowMs: number): boolean =>
	put_back_at === undefined || nowMs >= Date.parse(put_back_at) + NOT_AGAIN_MS;

/**
 * Who gets a mail about a handover: the previous owners who have opened the desk, and the previous address for messages. The
 * parameter is the desk before the handover.
 */
export function toldOfHandover({ desk, team_email }: Hands): readonly string[] {
	const owners = desk.filter((person) => isOwner(person) && person.invited_at === undefined);
	return [...new Set([...owners.map(({ address }) => address), ...(team_email === null ? [] : [team_email])])];
}

/** The desk restored to its state before the handovers. All of its sessions end, because one of them may be a thief's. */
export function putBackTo({ desk, team_email }: BeforeHandover, nowMs: number) {
	const sessions_from = new Date(nowMs).toISOString();
	return {
		desk: desk.map((person) => ({ ...person, sessions_from })),
		team_email,
		team_email_asked: null,
		before_handover: null,
		put_back_at: sessions_from,
	};
}
