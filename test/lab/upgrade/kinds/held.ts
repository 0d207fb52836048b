import type { Shop, Site } from '../around/site.ts';

/** Something that one stack made, and with which the next stack has to work. */
export type Held = {
	/** The name of the thing, for the report. */
	readonly what: string;
	/** Uses the thing on the stack that runs at that time. Throws if the thing does not work. */
	readonly check: () => Promise<void>;
	/**
	 * The check takes minutes, because a lease or a message in flight has to expire first. While it runs, other stacks may
	 * replace the stack on which it began, because it only reads state and repeats requests until the result is there.
	 */
	readonly slow?: true;
};

/** A kind of things that outlive a release, and how a stack makes them. */
export type Kind = {
	readonly name: string;
	/** Makes things that last for minutes. */
	readonly early?: () => Promise<readonly Held[]>;
	/** Makes things that last only for seconds, after everything of `early` exists. */
	readonly late?: () => Promise<readonly Held[]>;
	/**
	 * Starts work that the stack will not have finished when it stops, with requests just before the stop. Nothing waits for their
	 * responses.
	 */
	readonly last?: () => readonly Held[];
};

/**
 * `nth`: how many fillings of the state came before this one. `isLast`: whether this is the last filling, so that only one more
 * stack follows, which checks what this filling leaves behind.
 */
export type Turn = { readonly nth: number; readonly isLast: boolean };
/** `quiet`: another shop, whose team answers no call. */
export type NewKind = (site: Site, shop: Shop, quiet: Shop, turn: Turn) => Kind;

export const holds = (what: string, check: () => Promise<void>): Held => ({ what, check });
export const holdsInTime = (what: string, check: () => Promise<void>): Held => ({ what, check, slow: true });
