import { writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Calls } from '../../packages/client/calling.ts';
import { Empty, Nothing } from '../../shared/contract/kernel/common.ts';
import { operationDocs } from '../../shared/contract/openapi/documented.ts';
import { routes } from '../../shared/contract/routes.ts';

// Writes packages/client/operation-table.ts and methods.ts, with a row and a method for each route of the server API. A test
// compares the files with the route table.

type ServerRoute = Extract<(typeof routes)[number], { readonly surface: 'server' }>;

const serverRoutes = routes.filter((route): route is ServerRoute => route.surface === 'server');

/** `webhook-endpoints` becomes `webhookEndpoints`. */
const camelCase = (words: string): string => words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * The place of a route in the client. The first part of its path is the group. If a part follows the id in the path, that
 * part is the method. Otherwise the method is the verb of the operation: `/calls/{id}/cancel` -> `calls.cancel`, `get-call`
 * -> `calls.get`.
 */
function placeOf({ operation, path }: ServerRoute): { readonly group: string; readonly method: string } {
	const [, group = '', id, last, ...more] = path.split('/');
	if ((id !== undefined && id !== '{id}') || more.length > 0) throw new Error(`${operation}: no method fits ${path}`);
	const [verb = ''] = operation.split('-');
	return { group: camelCase(group), method: last === undefined ? verb : camelCase(last) };
}

function hasPages({ query }: ServerRoute): boolean {
	const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
	return 'cursor' in properties;
}

/** The kind of method that a route needs, which depends on what the route takes and returns. */
function kindOf(route: ServerRoute): keyof Calls {
	const { body, method, path, response } = route;
	if (!path.includes('{id}') && method === 'POST') return 'create';
	if (!path.includes('{id}')) return hasPages(route) ? 'pages' : 'list';
	if (response === Empty) return 'remove';
	if (body === Nothing) return 'one';
	if ('conditional' in route) return 'update';
	return body.safeParse({}).success ? 'oneWithOptions' : 'oneWith';
}

/** A docstring with at most 120 columns per line. */
function docstring(text: string): string {
	const lines: string[] = [];
	for (const word of text.split(' ')) {
		const line = `${lines.at(-1) ?? ''} ${word}`;
		if (lines.length > 0 && line.length < 105) lines.splice(-1, 1, line);
		else lines.push(` ${word}`);
	}
	if (lines.length === 1) return `\t\t\t/**${lines[0]} */`;
	return ['\t\t\t/**', ...lines.map((line) => `\t\t\t *${line}`), '\t\t\t */'].join('\n');
}

/** Descriptions of client methods that do more than their operation. */
const OWN_WORDS: Readonly<Partial<Record<ServerRoute['operation'], string>>> = {
	'recover-webhook-endpoint':
		'Redelivers what failed since a time; with `dry_run` it only counts. It requests one part after the other ' +
		'and returns their sum. If it throws, call it again: what was sent meanwhile is not sent twice.',
};

function methodOf(route: ServerRoute): string {
	const kind = kindOf(route);
	if (kind === 'pages') return `\t\t\t...calls.pages('${route.operation}'),`;
	const text = OWN_WORDS[route.operation] ?? `${route.summary}. ${operationDocs[route.operation].text}`;
	return `${docstring(text)}\n\t\t\t${placeOf(route).method}: calls.${kind}('${route.operation}'),`;
}

function rowOf({ operation, method, path, idempotent }: ServerRoute): string {
	return `\t'${operation}': { method: '${method}', path: '${path}', idempotent: ${idempotent} },`;
}

const HEADER = '// Generated from the route table by `node tools/generate/client-methods.ts`.';

/** The source of packages/client/operation-table.ts. */
export function operationTable(): string {
	return `${HEADER}

import type { Operation, Row } from './wire.ts';

/** Each operation, as in the server's route table. If this list and the route table differ, the code does not compile. */
export const operations = {
${serverRoutes.map(rowOf).join('\n')}
} as const satisfies { readonly [O in Operation]: Row<O> };
`;
}

/** The source of packages/client/methods.ts. */
export function clientMethods(): string {
	const groups = Map.groupBy(serverRoutes, (route) => placeOf(route).group);
	const blocks = [...groups].map(([group, rows]) => `\t\t${group}: {\n${rows.map(methodOf).join('\n')}\n\t\t},`);
	return `${HEADER}

import type { Calls } from './calling.ts';

/** One method for each operation, by the kind of thing that its path names. */
export function methodsOver(calls: Calls) {
	return {
${blocks.join('\n')}
	};
}
`;
}

const write = (file: string, source: string) =>
	writeFileSync(new URL(`../../packages/client/${file}`, import.meta.url), source);
if (import.meta.main) {
	write('operation-table.ts', operationTable());
	write('methods.ts', clientMethods());
}
