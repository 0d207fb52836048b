import * as z from 'zod/mini';
import { Page } from '../kernel/page.ts';
import { route } from '../route.ts';

export const signIn = route('sign-in', 'GET', '/desk/sign-in', {
	summary: 'The page of the desk that asks for a mail address; mails a link to it, if a desk has it',
	surface: 'desk',
	form: true,
	body: z.object({ address: z.string().check(z.maxLength(254)) }),
	response: Page,
});

export const openDesk = route('open-desk', 'GET', '/desk/links/{token}', {
	summary: 'The page behind a link to the desk; its form begins a session, once',
	surface: 'desk',
	form: true,
	body: z.object({ workspace: z.string() }),
	response: Page,
});

export const showDesk = route('show-desk', 'GET', '/desk/pages/{page}', {
	summary: 'A page of the desk, or a list as CSV',
	surface: 'desk',
	response: Page,
});

export const changeDesk = route('change-desk', 'POST', '/desk/pages/{page}', {
	summary: 'A form of a page of the desk',
	surface: 'desk',
	success: 303,
	/** shared/http/desk/shop-actions.ts reads the form's fields. */
	body: z.record(z.string(), z.string()),
	response: Page,
});

export const showDevelopers = route('show-developers', 'GET', '/desk/developers/{page}', {
	summary: "A page of the desk for the shop's developers",
	surface: 'desk',
	response: Page,
});

export const changeDevelopers = route('change-developers', 'POST', '/desk/developers/{page}', {
	summary: "A form of a page for the shop's developers",
	surface: 'desk',
	success: 303,
	/** shared/http/desk/developer-actions.ts reads the form's fields. */
	body: z.record(z.string(), z.string()),
	response: Page,
});

export const deskRoutes = [signIn, openDesk, showDesk, changeDesk, showDevelopers, changeDevelopers] as const;
