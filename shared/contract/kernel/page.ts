import * as z from 'zod/mini';

export const Page = z.string();

/** Refusals that only pages show. API clients never get them. */
export const pageRefusals = {
	/** We never sent this link: it was cut off, changed or made up. */
	link_not_valid: { status: 404 },
	/** The link works only once, and has been used before. */
	link_used: { status: 410 },
	link_expired: { status: 410 },
	/** The team has handled or dismissed the callback lead. */
	lead_closed: { status: 409 },
	/** The form was sent from another site. */
	form_not_ours: { status: 403 },
	/** This browser has no live session at the desk. */
	signed_out: { status: 401 },
	owners_only: { status: 403 },
	page_unknown: { status: 404 },
} as const satisfies Record<string, { status: number }>;
export type PageCode = keyof typeof pageRefusals;
