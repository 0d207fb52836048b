import * as z from 'zod/mini';

export const Page = z.string();

/** Refusals of pages only; API clients never get them. */
export const pageRefusals = {
	/** No message holds this link: it was cut short, changed or made up. */
	link_not_valid: { status: 404 },
	/** A link works once, and has been used. */
	link_used: { status: 410 },
	link_expired: { status: 410 },
	/** The callback lead is handled or dismissed. */
	lead_closed: { status: 409 },
	/** Another site sent the form. */
	form_not_ours: { status: 403 },
	/** This browser has no live session at the desk. */
	signed_out: { status: 401 },
	owners_only: { status: 403 },
	page_unknown: { status: 404 },
} as const satisfies Record<string, { status: number }>;
export type PageCode = keyof typeof pageRefusals;
