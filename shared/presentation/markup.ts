/** Markup in which every text that was put in is text. */
export type Markup = { readonly markup: string };

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#x27;',
};

/** A text as content or quoted attribute of HTML and XML. */
export function escaped(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

function written(value: string | Markup | readonly Markup[]): string {
	if (typeof value === 'string') return escaped(value);
	return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

/** HTML from a template: texts are escaped, for content and for quoted attributes alike; markup stays as it is. */
export function html(
	template: TemplateStringsArray,
	...values: readonly (string | Markup | readonly Markup[])[]
): Markup {
	return { markup: String.raw({ raw: template }, ...values.map(written)) };
}
