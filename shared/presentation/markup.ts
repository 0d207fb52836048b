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

/** Builds HTML from a template: escapes texts, both in content and in quoted attributes, and inserts markup unchanged. */
export function html(template: TemplateStringsArray, ...values: readonly Value[]): Markup {
	return { markup: String.raw({ raw: template }, ...values.map(markupOf)) };
}
