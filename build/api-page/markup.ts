import { escaped } from '../../shared/presentation/markup.ts';

/** Text that is HTML already. Anything else is escaped on its way in. */
export type Markup = { readonly html: string };
type Part = Markup | string | number | readonly Markup[];

function htmlOf(part: Part): string {
	if (typeof part === 'string') return escaped(part);
	if (typeof part === 'number') return String(part);
	return 'html' in part ? part.html : part.map(({ html }) => html).join('');
}

/** HTML with its holes filled: texts escaped, markup as it is. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
	return { html: texts.map((text, i) => text + htmlOf(parts[i] ?? '')).join('') };
}

export const nothing: Markup = { html: '' };

/** A sentence in which `code` is marked by backticks. */
export function prose(text: string): Markup {
	return { html: escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>') };
}

/** Paragraphs, parted by an empty line. */
export function paragraphs(text: string): readonly Markup[] {
	return text.split('\n\n').map((paragraph) => html`<p>${prose(paragraph)}</p>\n`);
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?/g;

/** JSON as text, its names, texts and values told apart. */
export function json(value: unknown): Markup {
	const text = JSON.stringify(value, null, 2);
	let at = 0;
	let marked = '';
	for (const match of text.matchAll(TOKEN)) {
		const [token, quoted, colon] = match;
		const kind = quoted === undefined ? 'v' : 's';
		marked += escaped(text.slice(at, match.index));
		marked +=
			colon === undefined ? `<i class="${kind}">${escaped(token)}</i>` : `<i class="k">${escaped(quoted ?? '')}</i>:`;
		at = match.index + token.length;
	}
	return { html: marked + escaped(text.slice(at)) };
}

/** A piece of code that scrolls by itself, also with the keyboard. */
export function code(label: string, content: Markup): Markup {
	return html`<figure><figcaption>${label}</figcaption><pre tabindex="0" aria-label="${label}"><code>${content}</code></pre></figure>\n`;
}

/** What an anchor may be made of. */
export function slug(text: string): string {
	return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
