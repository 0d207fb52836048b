/**
 * An owner may do everything on the desk; a member sees today and the numbers, and works through leads; a developer connects
 * the shop's software.
 */
export const deskRoles = ['owner', 'member', 'developer'] as const;
export type DeskRole = (typeof deskRoles)[number];

/** A person who may use the desk of a workspace. */
export type DeskPerson = {
	/** A mail address in lower case. */
	readonly address: string;
	readonly role: DeskRole;
	/** Sessions that began before this (ISO 8601) have ended. */
	readonly sessions_from: string;
};

/** The most people of one desk. */
export const MOST_DESK_PEOPLE = 20;

/** The spelling under which a mail address is stored and looked up. */
export const deskAddress = (typed: string): string => typed.trim().toLowerCase();
