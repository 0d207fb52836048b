import { type DeskPerson, isOwner } from './desk-person.ts';

// A desk can change hands: its owners, or the address that gets the team's messages. Those who had it are told, and can put it
// back within an hour, because a thief with an owner's session would otherwise take the shop over in silence.

/** The parts of a desk that a handover changes. */
type Hands = { readonly desk: readonly DeskPerson[]; readonly team_email: string | null };

/** The desk before the first of a series of handovers, each less than an hour after the one before it. */
export type BeforeHandover = Hands & {
	/** An hour after the latest of them (ISO 8601). */
	readonly until: string;
};

export const UNDO_MS = 3_600_000;
/** After a desk was put back, a removed owner must not be able to undo every further removal. */
const NOT_AGAIN_MS = 24 * 3_600_000;

type Desk = Hands & { readonly before_handover?: BeforeHandover | null; readonly put_back_at?: string };

const ownersOf = (desk: readonly DeskPerson[]): readonly string[] =>
	desk
		.filter(isOwner)
		.map(({ address }) => address)
		.sort();

/** Whether the desk changes hands. */
export const isHandover = (before: Hands, after: Hands): boolean =>
	before.team_email !== after.team_email || ownersOf(before.desk).join() !== ownersOf(after.desk).join();

/** The desk that can be put back now; null: none. */
export function undoable({ before_handover: before = null }: Desk, nowMs: number): BeforeHandover | null {
	return before !== null && nowMs < Date.parse(before.until) ? before : null;
}

/** The desk that can be put back after a handover now: the one before the first change of the series. */
export function afterHandover({ desk, team_email, ...before }: Desk, nowMs: number): BeforeHandover {
	const until = new Date(nowMs + UNDO_MS).toISOString();
	return { desk, team_email, ...undoable({ desk, team_email, ...before }, nowMs), until };
}

/** Whether a handover now may be undone: not for a day after another one was. */
export const mayBeUndone = ({ put_back_at }: Desk, nowMs: number): boolean =>
	put_back_at === undefined || nowMs >= Date.parse(put_back_at) + NOT_AGAIN_MS;

/** Who gets a mail about a handover: the owners of before who have opened the desk, and the address of before. */
export function toldOfHandover({ desk, team_email }: Hands): readonly string[] {
	const owners = desk.filter((person) => isOwner(person) && person.invited_at === undefined);
	return [...new Set([...owners.map(({ address }) => address), ...(team_email === null ? [] : [team_email])])];
}

/** The desk as it was before the handovers. All of its sessions end, because one of them may be a thief's. */
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
