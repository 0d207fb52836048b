import { visibleLine } from '../kernel/visible-line.ts';

/** A team member's place in the ring plan. The number itself is sealed elsewhere. */
export type TeamMember = {
	/** The member's name for colleagues; absent if none was given. */
	readonly name?: string;
	readonly phone_masked: string;
	/** When the member is rung again (ISO 8601); absent, or in the past: the member is on. */
	readonly off_until?: string;
};

/** Whether the member is rung at this time. */
export function isOn({ off_until }: Pick<TeamMember, 'off_until'>, now_ms: number): boolean {
	return off_until === undefined || Date.parse(off_until) <= now_ms;
}

/** The most members of a team. */
export const MOST_MEMBERS = 20;
/** The longest name of a member, in characters. */
export const MOST_NAME_CHARACTERS = 60;

/** Reads `Ida Wells:+1 312 555 0101` or `+1 312 555 0101`: the name, or null, and the number as the person typed it. */
export function readMember(typed: string): { readonly name: string | null; readonly number: string } {
	const colon = typed.lastIndexOf(':');
	const name = visibleLine(typed.slice(0, Math.max(0, colon)));
	return { name: name || null, number: typed.slice(colon + 1).trim() };
}
