import * as z from 'zod/mini';
import { Page } from '../kernel/page.ts';
import { route } from '../route.ts';

/** The form on the link's page. The person chooses one of the phones that the page offers. */
export const ConfirmForm = z.object({ phone: z.string().check(z.minLength(1), z.maxLength(200)) });

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
