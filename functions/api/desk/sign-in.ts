import { signIn } from '../../../shared/contract/desk/desk.ts';
import { ids, macs, pageDeps, queues } from '../../../shared/deps.ts';
import { ASKING_COOKIE, askingCookie, cookieIn } from '../../../shared/domain/desk/session-cookie.ts';
import { hashOf, parseSecret, SECRET_BYTES } from '../../../shared/domain/kernel/link-token.ts';
import { refusedAddress, sentPage, signInPage, tooOften } from '../../../shared/http/desk/sign-in/sign-in-pages.ts';
import { handleForPeople } from '../../../shared/http/edge/handle.ts';
import { readersLanguage } from '../../../shared/http/edge/page.ts';
import { askForLink } from '../../../shared/use-cases/desk/desk-links.ts';

/**
 * Whatever mail address a person enters, known or unknown, the response is the same. The response sets a cookie, so that this
 * browser can still use the link after a program (such as a mail scanner) has opened it.
 */
export const handler = handleForPeople(signIn, {
	deps: () => ({ ...pageDeps(signIn.operation), queues: queues(), ids: ids(), macs: macs() }),
	run: async ({ request, form }, deps) => {
		if (form === null) return { response: signInPage(request) };
		const refused = refusedAddress(request, form.address);
		if (refused !== null) return { response: refused };
		const browser = parseSecret(cookieIn(request.cookies, ASKING_COOKIE)) ?? deps.ids.random(SECRET_BYTES);
		const limited = await askForLink(form.address, request.source_ip, deps, hashOf(browser), readersLanguage(request));
		if (limited !== null) return tooOften(limited, request, '');
		return { response: { ...sentPage(request), cookies: [askingCookie(browser)] } };
	},
});
