import { follow, type Media, type OpenApi, type Operation, type Parameter, type Response } from './document.ts';
import { code, html, json, type Markup, nothing, paragraphs, prose } from './markup.ts';
import { envelope, limitsOf, membersOf, optional, typeOf } from './schema.ts';

type Components = OpenApi['components'];
export type Placed = { readonly method: string; readonly path: string; readonly operation: Operation };

/** The first example of a body. */
function exampleOf(media: Media, { examples }: Components): unknown {
	if (media.example !== undefined) return media.example;
	const [example] = Object.values(media.examples ?? {});
	return example === undefined ? undefined : follow(example, examples).value;
}

function parameterRow({ name, required, description, schema }: Parameter): Markup {
	return html`<div class="member"><dt><code>${name}</code> <span class="type">${typeOf(schema)}</span>${required ? nothing : optional}</dt>
<dd>${prose(description)}${limitsOf(schema)}</dd></div>\n`;
}

const PLACES = { path: 'In the path', query: 'Query', header: 'Headers' } as const;

export function parametersOf({ parameters = [] }: Operation, components: Components): readonly Markup[] {
	const all = parameters.map((given) => follow(given, components.parameters));
	const places = [...new Set(all.map((parameter) => parameter.in))];
	return places.map((place) => {
		const rows = all.filter((parameter) => parameter.in === place).map(parameterRow);
		return html`<h4>${PLACES[place]}</h4>\n<dl class="members">\n${rows}</dl>\n`;
	});
}

/** How one would try it. */
function curl({ method, path, operation }: Placed, components: Components): Markup {
	const all = (operation.parameters ?? []).map((given) => follow(given, components.parameters));
	const headers = operation['x-required-permission'] === undefined ? [] : ['Authorization: Bearer $API_KEY'];
	for (const { name, example } of all.filter((parameter) => parameter.in === 'header'))
		headers.push(`${name}: ${example}`);
	const [media] = Object.values(operation.requestBody?.content ?? {});
	if (media !== undefined) headers.push('Content-Type: application/json');
	const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => String(components.parameters[name]?.example));
	const required = all.filter((parameter) => parameter.in === 'query' && parameter.required);
	const query = required.map(({ name }) => `?${name}=wk_…`).join('');
	const lines = [
		`curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} "$BASE${filled}${query}"`,
		...headers.map((header) => `-H "${header}"`),
		...(media === undefined ? [] : [`-d '${JSON.stringify(exampleOf(media, components))}'`]),
	];
	return html`${lines.join(' \\\n  ')}`;
}

function bodyOf({ requestBody }: Operation, { schemas }: Components): Markup {
	const [media] = Object.values(requestBody?.content ?? {});
	if (media === undefined) return nothing;
	const { $ref } = media.schema;
	const members = $ref === undefined ? nothing : membersOf(follow({ $ref }, schemas));
	return html`<h4>Body${requestBody?.required ? nothing : optional}</h4>\n<p>${typeOf(media.schema)}</p>\n${members}`;
}

/** The codes of a refusal, each with when it is answered. */
function refusalRows(status: string, { content = {} }: Response, components: Components): readonly Markup[] {
	return Object.values(content).flatMap(({ examples = {} }) =>
		Object.keys(examples).map((name) => {
			const title = components.examples[name]?.summary ?? '';
			return html`<li><b>${status}</b> <a href="#error-${name}"><code>${name}</code></a> <span>${title}</span></li>\n`;
		}),
	);
}

function answersOf(
	operation: Operation,
	components: Components,
): { readonly success: Markup; readonly errors: Markup } {
	const all = Object.entries(operation.responses).map(
		([status, given]) => [status, follow(given, components.responses)] as const,
	);
	const [good] = all.filter(([status]) => status.startsWith('2'));
	const refusals = all
		.filter(([status]) => !status.startsWith('2'))
		.flatMap(([status, given]) => refusalRows(status, given, components));
	const [media] = Object.values(good?.[1].content ?? {});
	const kind = media === undefined ? html`${good?.[1].description ?? ''}` : envelope(media.schema, components.schemas);
	return {
		success: html`<h4>Answer</h4>\n<p><b class="good">${good?.[0] ?? ''}</b> ${kind}</p>\n`,
		errors: html`<details><summary>${refusals.length} errors</summary>\n<ul class="errors">\n${refusals}</ul></details>\n`,
	};
}

function examplesOf(placed: Placed, components: Components): readonly Markup[] {
	const shown = [code('Request', curl(placed, components))];
	for (const [status, given] of Object.entries(placed.operation.responses)) {
		const [media] = Object.values(follow(given, components.responses).content ?? {});
		if (status.startsWith('2') && media !== undefined)
			shown.push(code(`Answer: ${status}`, json(exampleOf(media, components))));
	}
	return shown;
}

/** One operation: what it takes and answers on one side, how that looks on the other. */
export function operationSection(placed: Placed, components: Components): Markup {
	const { method, path, operation } = placed;
	const { operationId, summary, description = '' } = operation;
	const permission = operation['x-required-permission'];
	const needs = permission === undefined ? nothing : html`<p class="permission">needs <code>${permission}</code></p>\n`;
	const { success, errors } = answersOf(operation, components);
	return html`<section class="operation" id="${operationId}">
<h3><a href="#${operationId}">${summary}</a></h3>
<p class="route"><b class="method ${method}">${method.toUpperCase()}</b> <code>${path}</code></p>
${needs}<div class="columns"><div>
${paragraphs(description)}${parametersOf(operation, components)}${bodyOf(operation, components)}${success}${errors}</div>
<div class="examples">
${examplesOf(placed, components)}</div></div></section>\n`;
}

/** A webhook: what is posted to the client's endpoint. */
export function webhookSection(kind: string, operation: Operation, components: Components): Markup {
	const [media] = Object.values(operation.requestBody?.content ?? {});
	if (media === undefined) throw new Error(`${kind}: a webhook has a body`);
	return html`<section class="operation" id="${operation.operationId}">
<h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
<p class="route"><b class="method post">POST</b> <code>${kind}</code></p>
<div class="columns"><div><h4>Body</h4><p>${typeOf(media.schema)}</p></div>
<div class="examples">${code('Body', json(exampleOf(media, components)))}</div></div></section>\n`;
}
