import type { Attempt } from '../../../domain/webhooks/delivery.ts';
import type { Language } from '../../../domain/workspaces/language.ts';
import type { Ports } from '../../../ports/ports.ts';
import { type DeskTexts, deskTextsIn } from '../../../presentation/desk-texts.ts';
import type { Markup } from '../../../presentation/markup.ts';
import type { AtDesk } from '../../../use-cases/desk/enter-desk.ts';
import type { Fields } from '../../edge/form-fields.ts';
import type { HttpRequest } from '../../edge/request.ts';
import type { Parts } from './tabs.ts';

/** The data from which a page of the desk is built. */
export type View = {
	readonly at: AtDesk;
	readonly now_ms: number;
	readonly texts: DeskTexts;
	readonly language: Language;
	readonly time_zone: string;
	/**
	 * The region whose clock and order of dates the page uses. Absent: the clock and the order of dates that are usual in
	 * the language.
	 */
	readonly region?: string;
	readonly query: HttpRequest['query'];
	/**
	 * Why the last form was not saved. `problem`: the code for programs. `more`: who has changed the form's section since the
	 * form was shown.
	 */
	readonly refusal: { readonly text: string; readonly problem: string; readonly more: Markup | null } | null;
	/** The fields of the last form, if it was not saved. */
	readonly entered: Fields | null;
	/** The fields because of which the last form was refused. */
	readonly wrong: readonly WrongField[];
	/** The result of the last form, if the page shows it. */
	readonly result: FormResult | null;
	/** What the last form has done, in words. Null: the page says only that the form was saved. */
	readonly said: Markup | null;
};
/**
 * A field because of which a form was refused, and the words beside the field. `label`: what the note at the head calls the
 * field, if the texts have no label for it. `why`: which of several reasons it is.
 */
export type WrongField = {
	readonly name: string;
	readonly text: string;
	readonly label?: string;
	readonly why?: keyof DeskTexts['wrong'];
};
/**
 * The result of a form: the attempt that tested an endpoint, or one part of a recovery. `form`: the form that asked for the
 * recovery. `next`: where the next part of the recovery starts.
 */
export type FormResult =
	| { readonly attempt: Attempt }
	| {
			readonly recovery: { readonly dry_run: boolean; readonly count: number; readonly next: string | null };
			readonly form: Fields;
	  };
/**
 * The content of a page. `title`: the title of a page about one thing. Absent: the title is the name of the page. `parts`: the
 * parts of the page, for the menu.
 */
export type PageContent = Markup & { readonly title?: string; readonly parts?: Parts };
export type PageDeps = Pick<Ports, 'store' | 'clock'>;
/** `docs_url`: the address of the documentation. Null or absent if it is not served. */
export type DeveloperDeps = PageDeps & { readonly public_base_url: string; readonly docs_url?: string | null };
export type ShopDeps = PageDeps & {
	/** The address of the documentation, as in `DeveloperDeps`. */
	readonly docs_url?: string | null;
	/** The number that the calls of shops without a number of their own show. Null if there is no phone provider. */
	readonly caller_number: string | null;
	/** The address of the widget's script, and the address of the API that the widget uses. */
	readonly addresses: { readonly widget_script: string; readonly base_url: string };
};

/**
 * The view of a page that a request reads. A page may show a secret, but only once. A HEAD request shows nothing to the
 * person. So its query is ignored, and the secret can still be shown later.
 */
export const readView = (at: AtDesk, now_ms: number, { method, query }: HttpRequest): View =>
	viewOf(at, now_ms, method === 'HEAD' ? {} : query);

export function viewOf(at: AtDesk, now_ms: number, query: HttpRequest['query'] = {}): View {
	const { language, time_zone, region } = at.workspace;
	const form = { refusal: null, entered: null, wrong: [], result: null, said: null };
	return { at, now_ms, texts: deskTextsIn(language), language, time_zone, region, query, ...form };
}
