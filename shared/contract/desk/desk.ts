import * as z from 'zod/mini';
import { Page } from '../kernel/page.ts';
import { route } from '../route.ts';

/** The form that asks for a link. */
const AddressForm = z.object({ address: z.string().check(z.minLength(1), z.maxLength(254)) });
/** The form behind a link: which desk to open. */
const OpenForm = z.object({ workspace: z.string() });
/** A form of a page; shared/http/desk/read-action.ts reads its fields. */
const DeskForm = z.record(z.string(), z.string());

export const showSignIn = route('show-sign-in', 'GET', '/desk/sign-in', {
	summary: 'The page of the desk that asks for a mail address',
	surface: 'desk',
	response: Page,
});

export const askForDeskLink = route('ask-for-desk-link', 'POST', '/desk/sign-in', {
	summary: 'Mails a link to the address, if a desk knows it; the answer is always the same',
	surface: 'desk',
	body: AddressForm,
	response: Page,
});

export const showDeskLink = route('show-desk-link', 'GET', '/desk/links/{token}', {
	summary: 'The page behind a link to the desk; opens nothing',
	surface: 'desk',
	response: Page,
});

export const openDeskLink = route('open-desk-link', 'POST', '/desk/links/{token}', {
	summary: 'Begins a session at the desk with a link, once',
	surface: 'desk',
	success: 303,
	body: OpenForm,
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
	body: DeskForm,
	response: Page,
});

export const deskRoutes = [showSignIn, askForDeskLink, showDeskLink, openDeskLink, showDesk, changeDesk] as const;
