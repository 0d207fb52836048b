import * as z from 'zod/mini';
import { route } from '../route.ts';

/** A page for people. */
export const Page = z.string();
/** The form on the page: one of the phones that it offers. */
export const ConfirmForm = z.object({ phone: z.string().check(z.minLength(1), z.maxLength(200)) });

/** Refusals of these pages only; API clients never get them. */
export const pageRefusals = {
	/** No message holds this link: it was cut short, changed or made up. */
	link_not_valid: { status: 404 },
	/** A link places one call, and has done so. */
	link_used: { status: 410 },
	/** The link is older than 72 hours. */
	link_expired: { status: 410 },
	/** The callback lead is handled or dismissed. */
	lead_closed: { status: 409 },
	/** The form was sent from another site than the page it stands on. */
	form_not_ours: { status: 403 },
} as const satisfies Record<string, { status: number }>;
export type PageCode = keyof typeof pageRefusals;

export const showCallbackLink = route('show-callback-link', 'GET', '/callback-links/{token}', {
	summary: 'The page behind the one-time link in a message to the team; places no call',
	surface: 'team',
	response: Page,
});

export const confirmCallbackLink = route('confirm-callback-link', 'POST', '/callback-links/{token}', {
	summary: 'Confirms the call on that page: rings the team member, then the visitor; works once',
	surface: 'team',
	success: 202,
	body: ConfirmForm,
	response: Page,
});

export const callbackLinkRoutes = [showCallbackLink, confirmCallbackLink] as const;
