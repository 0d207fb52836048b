import type { Attempt } from '../../../domain/webhooks/delivery.ts';
import type { Language } from '../../../domain/workspaces/language.ts';
import type { Ports } from '../../../ports/ports.ts';
import { type DeskTexts, deskTextsIn } from '../../../presentation/desk-texts.ts';
import type { Markup } from '../../../presentation/markup.ts';
import type { AtDesk } from '../../../use-cases/desk/enter-desk.ts';
import type { Fields } from '../../edge/form-fields.ts';
import type { HttpRequest } from '../../edge/request.ts';

/** The data from which a page of the desk is built. */
export type View = {
	readonly at: AtDesk;
	readonly now_ms: number;
	readonly texts: DeskTexts;
	readonly language: Language;
	readonly time_zone: string;
	/** Whose clock and order of dates the page has; absent: the language's. */
	readonly region?: string;
	readonly query: HttpRequest['query'];
	/** Why the last form was not saved. `problem`: the code for programs. `more`: who has changed its section meanwhile. */
	readonly refusal: { readonly text: string; readonly problem: string; readonly more: Markup | null } | null;
	/** The fields of that form. */
	readonly entered: Fields | null;
	readonly wrong: WrongField | null;
	/** The result of the last form, if the page shows it. */
	readonly result: FormResult | null;
	/** What the last form has done, in words; null: no more than that it was saved. */
	readonly said: string | null;
};
/** The field that a form was refused for, and the words beside it. */
export type WrongField = { readonly name: string; readonly text: string };
/** A test of an endpoint, or a part of a recovery with the form that asked for it. `next`: where the next part starts. */
export type FormResult =
	| { readonly attempt: Attempt }
	| {
			readonly recovery: { readonly dry_run: boolean; readonly count: number; readonly next: string | null };
			readonly form: Fields;
	  };
/** The content of a page. `title`: that of a page about one thing; absent: the page's name. */
export type PageContent = Markup & { readonly title?: string };
export type PageDeps = Pick<Ports, 'store' | 'clock'>;
/** `docs_url`: where the documentation is served; null or absent: nowhere. */
export type DeveloperDeps = PageDeps & { readonly public_base_url: string; readonly docs_url?: string | null };
export type ShopDeps = PageDeps & {
	/** In the dependencies of the developers' pages. */
	readonly docs_url?: string | null;
	/** Where the widget is served and where it reaches the API. */
	readonly addresses: { readonly widget_script: string; readonly base_url: string };
};

export function viewOf(at: AtDesk, now_ms: number, query: HttpRequest['query'] = {}): View {
	const { language, time_zone, region } = at.workspace;
	const form = { refusal: null, entered: null, wrong: null, result: null, said: null };
	return { at, now_ms, texts: deskTextsIn(language), language, time_zone, region, query, ...form };
}
