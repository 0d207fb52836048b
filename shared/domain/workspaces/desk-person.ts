/**
 * What a person at the desk may do. An owner may do everything. A member sees *Today*, *Statistics* and the list of calls,
 * and calls visitors back. A developer connects the shop's software.
 */
export const deskRoles = ['owner', 'member', 'developer'] as const;
export type DeskRole = (typeof deskRoles)[number];

export type DeskPerson = {
	/** A mail address in lower case. */
	readonly address: string;
	readonly role: DeskRole;
	/**
	 * One line of visible text. Absent if nobody has entered a name, or if the person was stored before this field existed. The
	 * release 28086779 does not show the name and keeps it when it changes the desk, except that inviting a person whom it has
	 * removed begins without a name.
	 */
	readonly name?: string;
	/** Sessions that began before this time (ISO 8601) have ended. */
	readonly sessions_from: string;
	/**
	 * When a person of the desk invited this person. The field is removed when the person uses a link to the desk. Absent
	 * if the person has accepted, was invited by an operator, or was stored before this field existed.
	 */
	readonly invited_at?: string;
};

/**
 * Whether the person has opened the desk. People without `invited_at` count as having opened it. A person who has not opened
 * the desk gets only the invitation, and no other mail of the desk.
 */
export const hasAccepted = ({ invited_at }: Pick<DeskPerson, 'invited_at'>): boolean => invited_at === undefined;

export const isOwner = ({ role }: Pick<DeskPerson, 'role'>): boolean => role === 'owner';

/**
 * Whether one of the owners has opened the desk. Only such an owner counts, because an invitation may have gone to a wrong
 * address.
 */
export const hasOwner = (people: readonly DeskPerson[]): boolean =>
	people.some((person) => isOwner(person) && hasAccepted(person));

/** The person, marked as one who has opened the desk. */
export const accepted = ({ invited_at: _, ...person }: DeskPerson): DeskPerson => person;

/** The most characters of a name. With longer names, a page of ten people would be larger than 60 kB. */
export const MOST_PERSON_NAME = 40;
export const MOST_DESK_PEOPLE = 20;

/** The form in which a mail address is stored and looked up. */
export const deskAddress = (typed: string): string => typed.trim().toLowerCase();
