import { readFileSync, writeFileSync } from 'node:fs';
import { type OpenApi, readDocument } from './api-page/document.ts';
import { code, html, json, type Markup, paragraphs, prose, slug } from './api-page/markup.ts';
import { operationSection, type Placed, parametersOf, webhookSection } from './api-page/operation.ts';
import { schemaSection } from './api-page/schema.ts';

// Writes docs/api.html: docs/openapi.json for people, in one file that needs no network. A test holds it to the document.

function placed({ paths }: OpenApi): readonly Placed[] {
	return Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
	);
}

type Group = {
	readonly id: string;
	readonly title: string;
	readonly links: readonly Markup[];
	readonly content: Markup;
};

function operationGroups(document: OpenApi): readonly Group[] {
	return document.tags.flatMap(({ name, description }) => {
		const mine = placed(document).filter(({ operation }) => operation.tags.includes(name));
		if (mine.length === 0) return [];
		const links = mine.map(({ method, operation }) => {
			return html`<li><a href="#${operation.operationId}"><b class="method ${method}">${method.toUpperCase()}</b> ${operation.summary}</a></li>`;
		});
		const sections = mine.map((one) => operationSection(one, document.components));
		return [{ id: slug(name), title: name, links, content: html`<p>${description}</p>\n${sections}` }];
	});
}

function webhookGroup({ webhooks, tags, components }: OpenApi): Group {
	const all = Object.entries(webhooks);
	const [first] = all;
	if (first === undefined) throw new Error('the document has no webhooks');
	const links = all.map(([kind, { post }]) => html`<li><a href="#${post.operationId}"><code>${kind}</code></a></li>`);
	const sections = all.map(([kind, { post }]) => webhookSection(kind, post, components));
	const about = tags.find(({ name }) => name === 'Webhooks')?.description ?? '';
	const intro = html`<p>${prose(about)}</p>\n<div class="card"><h3>Every delivery</h3>\n${parametersOf(first[1].post, components)}</div>\n`;
	return { id: 'webhooks', title: 'Webhooks', links, content: html`${intro}${sections}` };
}

/** Every code of the API: when it is answered, and how that looks. */
function errorGroup({ components }: OpenApi): Group {
	const whens = new Map<string, string>();
	for (const { description } of Object.values(components.responses)) {
		for (const [, name = '', when = ''] of description.matchAll(/^`(\w+)`: (.*)$/gm)) whens.set(name, when);
	}
	const sections = Object.entries(components.examples).map(([name, { summary = '', value }]) => {
		const status = typeof value === 'object' && value !== null && 'status' in value ? String(value.status) : '';
		const when = whens.get(name) ?? '';
		return html`<section class="error" id="error-${name}">
<h3><a href="#error-${name}"><code>${name}</code></a> <b class="status">${status}</b></h3>
<p><b>${summary}.</b> ${prose(when)}</p>
<details><summary>Example</summary>${code('application/problem+json', json(value))}</details></section>\n`;
	});
	const about = 'Every error is `application/problem+json` (RFC 9457): switch on its `code`.';
	return { id: 'errors', title: 'Errors', links: [], content: html`<p>${prose(about)}</p>\n${sections}` };
}

function schemaGroup({ components }: OpenApi): Group {
	const sections = Object.entries(components.schemas).map(([name, schema]) => schemaSection(name, schema));
	return { id: 'schemas', title: 'Schemas', links: [], content: html`${sections}` };
}

const sheet = (name: string): string => readFileSync(new URL(`api-page/${name}`, import.meta.url), 'utf8');
const css: Markup = { html: `${sheet('content.css')}${sheet('layout.css')}` };

/** The whole page, the same for the same document. */
export function apiPage(): string {
	const document = readDocument();
	const { title, version, description } = document.info;
	const groups = [...operationGroups(document), webhookGroup(document), errorGroup(document), schemaGroup(document)];
	const menu = groups.map(({ id, title: name, links }) => {
		return html`<li><a class="group" href="#${id}">${name}</a>${links.length === 0 ? [] : html`<ul>${links}</ul>`}</li>\n`;
	});
	const sections = groups.map(({ id, title: name, content }) => {
		return html`<section class="group" id="${id}">\n<h2><a href="#${id}">${name}</a></h2>\n${content}</section>\n`;
	});
	const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}: API ${version}</title>
<link rel="icon" href="data:,">
<style>
${css}</style>
</head>
<body>
<nav aria-label="Operations">
<p class="title">${title} <span class="limits">API ${version}</span></p>
<label class="toggle"><input type="checkbox"> Menu</label>
<ul class="menu">
${menu}</ul>
</nav>
<main>
<header><h1>${title}</h1>
${paragraphs(description)}<p><code>BASE</code> stands for the address of your API, which ends in <code>/v1</code>. The same for programs: <a href="openapi.json">openapi.json</a>.</p></header>
${sections}</main>
</body>
</html>
`;
	return page.html;
}

if (import.meta.main) writeFileSync(new URL('../docs/api.html', import.meta.url), apiPage());
