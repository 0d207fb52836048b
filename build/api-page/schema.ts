import { follow, refName, type Schema } from './document.ts';
import { html, type Markup, nothing, prose } from './markup.ts';

const joined = (parts: readonly Markup[], between: string): readonly Markup[] =>
	parts.flatMap((part, i) => (i === 0 ? [part] : [html`${between}`, part]));

/** What a value may be, in a few words, with links to schemas that have a name. */
export function typeOf(schema: Schema): Markup {
	if (schema.$ref !== undefined) {
		const name = refName({ $ref: schema.$ref });
		return html`<a href="#schema-${name}">${name}</a>`;
	}
	if (schema.anyOf !== undefined) return html`${joined(schema.anyOf.map(typeOf), ' or ')}`;
	if (schema.const !== undefined) return html`<code>${schema.const}</code>`;
	if (schema.type === 'array' && schema.items !== undefined) return html`list of ${typeOf(schema.items)}`;
	const types = [schema.type ?? 'any'].flat();
	return html`${types.join(' or ')}`;
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
	if (least === undefined && most === undefined) return '';
	if (least === undefined) return `at most ${most}${unit}`;
	return most === undefined ? `at least ${least}${unit}` : `${least} to ${most}${unit}`;
}

/** Where it need not be given. */
export const optional: Markup = html`<span class="limits">, optional</span>`;

/** The members of an answer, in a line: what is in an envelope matters more than the envelope. */
export function envelope(media: Schema, schemas: Readonly<Record<string, Schema>>): Markup {
	const schema = follow<Schema>(media.$ref === undefined ? media : { $ref: media.$ref }, schemas);
	const members = Object.entries(schema.properties ?? {});
	if (!members.some(([name]) => name === 'data')) return typeOf(media);
	const parts = members.map(([name, member]) => html`<code>${name}</code>: ${typeOf(member)}`);
	return html`{ ${joined(parts, ', ')} }`;
}

/** Its limits and its default. */
export function limitsOf(schema: Schema): Markup {
	const inner = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
	const limits = [
		range(inner.minLength, inner.maxLength, ' characters'),
		range(inner.minimum, inner.maximum, ''),
		range(inner.minItems, inner.maxItems, ' items'),
		schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
	];
	const said = limits.filter((limit) => limit !== '').join(', ');
	return said === '' ? nothing : html` <span class="limits">${said}</span>`;
}

/** Its members, one a row. */
export function membersOf(schema: Schema): Markup {
	const rows = Object.entries(schema.properties ?? {}).map(([name, member]) => {
		const required = schema.required?.includes(name) ? nothing : optional;
		return html`<div class="member"><dt><code>${name}</code> <span class="type">${typeOf(member)}</span>${required}</dt>
<dd>${prose(member.description ?? '')}${limitsOf(member)}</dd></div>\n`;
	});
	return rows.length === 0 ? nothing : html`<dl class="members">\n${rows}</dl>\n`;
}

/** One of the named schemas. */
export function schemaSection(name: string, schema: Schema): Markup {
	const values = (schema.enum ?? []).map((value) => html`<li><code>${value}</code></li>`);
	const kind = schema.properties === undefined ? html`<p class="type">${typeOf(schema)}</p>` : nothing;
	return html`<section class="schema" id="schema-${name}">
<h3><a href="#schema-${name}">${name}</a></h3>
<p>${prose(schema.description ?? '')}</p>
${kind}${values.length === 0 ? nothing : html`<ul class="values">${values}</ul>`}${membersOf(schema)}</section>\n`;
}
