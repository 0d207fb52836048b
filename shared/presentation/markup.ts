/** HTML in which every text is escaped already. */
export type Markup = { readonly markup: string };

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#x27;',
};

/** Escapes a text, so that it can be used as content or as a quoted attribute in HTML and XML. */
export function escapeMarkup(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * What a template may contain. Texts and numbers are escaped, and HTML is not. False, null and undefined add nothing, so
 * that a template can contain `condition && html`.
 */
type Value = string | number | Markup | readonly Markup[] | false | null | undefined;

function markupOf(value: Value): string {
	if (value === false || value === null || value === undefined) return '';
	if (typeof value !== 'object') return escapeMarkup(`${value}`);
	return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

/** Replaces `{0}`, `{1}` ... in a text by HTML, such as a name in an element that isolates its direction. */
export function fillMarkup(text: string, ...values: readonly Markup[]): Markup {
	const parts = text.split(/\{(\d)\}/);
	return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : (values[Number(part)] ?? html``)))}`;
}

/** Makes HTML from a template. Texts are escaped for content and for quoted attributes. HTML is inserted unchanged. */
export function html(template: TemplateStringsArray, ...values: readonly Value[]): Markup {
	return { markup: String.raw({ raw: template }, ...values.map(markupOf)) };
}
