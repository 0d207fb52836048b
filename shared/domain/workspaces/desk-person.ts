/**
 * An owner may do everything on the desk; a member sees today and the numbers, and works through leads; a developer connects
 * the shop's software.
 */
export const deskRoles = ['owner', 'member', 'developer'] as const;
export type DeskRole = (typeof deskRoles)[number];

export type DeskPerson = {
	/** A mail address in lower case. */
	readonly address: string;
	readonly role: DeskRole;
	/** Sessions that began before this (ISO 8601) have ended. */
	readonly sessions_from: string;
};

export const MOST_DESK_PEOPLE = 20;

/** The spelling under which a mail address is stored and looked up. */
export const deskAddress = (typed: string): string => typed.trim().toLowerCase();
