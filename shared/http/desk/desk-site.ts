import { type DeskPage, folderOf, isMenuPage } from '../../contract/desk/desk-pages.ts';
import { isFailing } from '../../domain/webhooks/webhook-endpoint.ts';
import { type AtDesk, enterDesk } from '../../use-cases/desk/enter-desk.ts';
import type { Fields } from '../edge/form-fields.ts';
import type { HttpRequest } from '../edge/request.ts';
import { type HttpResponse, type PageResult, seeOther } from '../edge/response.ts';
import { firstPage, mayOpen, maySee } from './actions.ts';
import { type Failures, framed } from './kit/frame.ts';
import type { whatWasDone } from './kit/said.ts';
import { type PageContent, type PageDeps, readView, type View } from './kit/view.ts';
import { pageRefusal, signedOutPage } from './sign-in/sign-in-pages.ts';
import type { undeliveredCard } from './webhooks/undelivered-card.ts';

/** Builds, from the current records, the content of a page or the file with a list. */
type Builder<Deps> = (view: View, deps: Deps) => PageContent | HttpResponse | Promise<PageContent | HttpResponse>;

/**
 * The pages of one folder (see `folderOf`). One Lambda function shows the pages, and another Lambda function runs their
 * forms.
 */
export type DeskSite<P extends DeskPage, Deps> = {
	/**
	 * Admits a person with a live session to a page that the person may see. `form`: the fields of the form that was sent.
	 * Null if the page is only read.
	 */
	readonly admit: (
		request: HttpRequest,
		form: Fields | null,
		deps: PageDeps,
	) => Promise<{ readonly page: P; readonly at: AtDesk } | PageResult>;
	readonly show: (page: P, view: View, deps: Deps) => Promise<HttpResponse>;
};

/**
 * `saysDone` says in words what the last form has done. It is absent for a site that only answers refused forms, because
 * these answers say nothing about an earlier form. `cardOf`: the card of *Today* about what has not reached the endpoints.
 * It is absent for the sites that do not have *Today* or only answer refused forms.
 */
export function deskSite<P extends DeskPage, Deps extends PageDeps>(
	pages: Readonly<Record<P, Builder<Deps>>>,
	saysDone?: typeof whatWasDone,
	cardOf?: typeof undeliveredCard,
): DeskSite<P, Deps> {
	const isPage = (name: string): name is P => Object.hasOwn(pages, name);
	return {
		async admit(request, form, deps) {
			const at = await enterDesk(request.cookies, deps);
			if (at === null) return { response: signedOutPage(request, form, deps.clock.now()) };
			const { page = '' } = request.params;
			if (isPage(page) && mayOpen(at.person, page, request.query)) return { page, at };
			const view = readView(at, deps.clock.now(), request);
			if (!isPage(page)) return pageRefusal('page_unknown', view, request);
			// The desk's address leads to *Today*. A person who may not see *Today* is sent to the first page that the person
			// may see.
			const first = firstPage(at.person);
			if (page === 'today' && form === null) return { response: seeOther(`../${folderOf(first)}/${first}`) };
			return pageRefusal('owners_only', view, request);
		},
		async show(page, view, deps) {
			const shown = saysDone ? { ...view, said: await saysDone(view, deps) } : view;
			const [content, failing] = await Promise.all([pages[page](shown, deps), failuresOf(page, shown, deps, cardOf)]);
			return 'markup' in content ? framed(shown, page, content, failing) : content;
		},
	};
}

/**
 * How many endpoints fail, and the card about that. Neither for a person who may not see webhooks, nor for a list as a file,
 * because only pages have a menu.
 */
async function failuresOf(
	page: DeskPage,
	view: View,
	deps: PageDeps,
	cardOf?: typeof undeliveredCard,
): Promise<Failures> {
	const { person, workspace } = view.at;
	if (!isMenuPage(page) || !maySee(person, 'webhooks')) return { failing: 0, card: false };
	const endpoints = await deps.store.endpointsOf(workspace.id);
	const card = page === 'today' && cardOf !== undefined && (await cardOf(endpoints, view, deps));
	return { failing: endpoints.filter(isFailing).length, card };
}
