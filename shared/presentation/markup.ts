/** Markup whose inserted texts are escaped. */
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

function markupOf(value: string | Markup | readonly Markup[]): string {
	if (typeof value === 'string') return escapeMarkup(value);
	return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

/** Builds HTML from a template: escapes texts, both in content and in quoted attributes, and inserts markup unchanged. */
export function html(
	template: TemplateStringsArray,
	...values: readonly (string | Markup | readonly Markup[])[]
): Markup {
	return { markup: String.raw({ raw: template }, ...values.map(markupOf)) };
}
