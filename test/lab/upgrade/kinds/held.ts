import type { Shop, Site } from '../around/site.ts';

/** A thing that one stack made, and that the next one has to work with. */
export type Held = {
	/** The name of the thing, for the report. */
	readonly what: string;
	/** Works with it on the stack that runs by then. Throws if it does not hold. */
	readonly check: () => Promise<void>;
	/**
	 * Takes minutes, because a lease or a message in flight has to expire first. Its check only reads and repeats, so that it
	 * may go on while other stacks take the place of the one that it began on.
	 */
	readonly slow?: true;
};

/** A kind of things that outlive a release, and how a stack makes them. */
export type Kind = {
	readonly name: string;
	/** What stays for minutes. */
	readonly early?: () => Promise<readonly Held[]>;
	/** Things that stay for seconds: made after everything of `early` exists. */
	readonly late?: () => Promise<readonly Held[]>;
	/** Unfinished work of the stack when it stops, and requests sent just before. Nothing here waits for it. */
	readonly last?: () => readonly Held[];
};

/** Which filling of the state this is, from 0 on; `isLast`: what is left behind is checked by the last stack. */
export type Turn = { readonly nth: number; readonly isLast: boolean };
/** `quiet`: another shop, whose team answers no call. */
export type NewKind = (site: Site, shop: Shop, quiet: Shop, turn: Turn) => Kind;

export const holds = (what: string, check: () => Promise<void>): Held => ({ what, check });
export const holdsInTime = (what: string, check: () => Promise<void>): Held => ({ what, check, slow: true });
