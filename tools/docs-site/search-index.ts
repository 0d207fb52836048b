import * as z from 'zod/mini';
import { API_REFERENCE } from './menu.ts';
import { type Content, type Source, titleOf } from './page.ts';

/** What a search finds: a section of a page, or an operation of the API. */
type Section = { readonly id: string; readonly page: string; readonly title: string; readonly text: string };

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const textOf = (html: string): string =>
	html
		.replaceAll(/<[^>]+>/g, ' ')
		.replaceAll(/&(#?\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity)
		.replaceAll(/\s+/g, ' ')
		.trim();

/** The sections of a page, each from its heading to the next. */
export function sectionsOf(source: Source, { html }: Content): readonly Section[] {
	const page = titleOf(source);
	return html.split(/(?=<h[1-3] id=)/).flatMap((part) => {
		const [, level, id, title = ''] = /^<h(\d) id="([^"]*)">(.*?)<\/h\d>/s.exec(part) ?? [];
		if (id === undefined) return [];
		const address = level === '1' ? source.path : `${source.path}#${id}`;
		return [{ id: address, page, title: textOf(title), text: textOf(part.replace(/^.*?<\/h\d>/s, '')) }];
	});
}

const Document = z.object({
	paths: z.record(
		z.string(),
		z.record(
			z.string(),
			z.object({ operationId: z.string(), summary: z.string(), description: z.optional(z.string()) }),
		),
	),
});

/** The operations of the API, with their places in the reference. */
export function operationsOf(document: unknown): readonly Section[] {
	return Object.entries(Document.parse(document).paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, { operationId, summary, description = '' }]) => ({
			id: `${API_REFERENCE.path}#operation/${operationId}`,
			page: API_REFERENCE.title,
			title: summary,
			text: `${method.toUpperCase()} /v1${path} ${description}`,
		})),
	);
}
