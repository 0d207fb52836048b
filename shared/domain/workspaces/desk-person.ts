/**
 * An owner may do everything on the desk; a member sees the pages *Today* and *Statistics* and the list of calls, and calls
 * visitors back; a developer connects the shop's software.
 */
export const deskRoles = ['owner', 'member', 'developer'] as const;
export type DeskRole = (typeof deskRoles)[number];

export type DeskPerson = {
	/** A mail address in lower case. */
	readonly address: string;
	readonly role: DeskRole;
	/** Sessions that began before this (ISO 8601) have ended. */
	readonly sessions_from: string;
	/**
	 * When a person of the desk invited this one, until a link to the desk is used. Absent: the person has accepted, was invited by an
	 * operator, or was stored before this was kept.
	 */
	readonly invited_at?: string;
};

/** Whether the person has opened the desk: until then, no other mail of the desk's people goes to the address. */
export const hasAccepted = ({ invited_at }: Pick<DeskPerson, 'invited_at'>): boolean => invited_at === undefined;

export const isOwner = ({ role }: Pick<DeskPerson, 'role'>): boolean => role === 'owner';

/** Whether an owner has the desk who has opened it: an invitation may have gone to a wrong address. */
export const hasOwner = (people: readonly DeskPerson[]): boolean =>
	people.some((person) => isOwner(person) && hasAccepted(person));

/** The person as one who has opened the desk. */
export const accepted = ({ invited_at: _, ...person }: DeskPerson): DeskPerson => person;

export const MOST_DESK_PEOPLE = 20;

/** The spelling under which a mail address is stored and looked up. */
export const deskAddress = (typed: string): string => typed.trim().toLowerCase();
