/** Markup: every text inserted into it was escaped. */
export type Markup = { readonly markup: string };

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#x27;',
};

/** Escapes a text for content and quoted attributes of HTML and XML. */
export function escapeMarkup(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * The values in a template: texts and numbers, which it escapes; markup; and nothing, so that a condition may precede markup.
 */
type Value = string | number | Markup | readonly Markup[] | false | null | undefined;

function markupOf(value: Value): string {
	if (value === false || value === null || value === undefined) return '';
	if (typeof value !== 'object') return escapeMarkup(`${value}`);
	return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

/** Replaces `{0}`, `{1}` ... in a text by markup, such as a name in an element that isolates its direction. */
export function fillMarkup(text: string, ...values: readonly Markup[]): Markup {
	const parts = text.split(/\{(\d)\}/);
	return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : (values[Number(part)] ?? html``)))}`;
}

/** Builds HTML from a template: escapes texts, both in content and in quoted attributes, and inserts markup unchanged. */
export function html(template: TemplateStringsArray, ...values: readonly Value[]): Markup {
	return { markup: String.raw({ raw: template }, ...values.map(markupOf)) };
}
