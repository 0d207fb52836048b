import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { routes } from '../../shared/contract/routes.ts';
import { installTools } from '../install.ts';

const generator = join(import.meta.dirname, 'node_modules/@hey-api/openapi-ts/bin/run.js');

const pascal = (operation: string): string => operation.replaceAll(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());

/** Writes the output of openapi-ts for an OpenAPI document into `folder`. Without options, the output is a whole client. */
export async function generateFrom(document: string, folder: string, ...options: readonly string[]): Promise<void> {
	if (!installTools('packages')) throw new Error('openapi-ts cannot be installed: the registry of npm does not answer');
	const args = [generator, '--silent', '--no-log-file', '--input', document, '--output', folder, ...options];
	await promisify(execFile)(process.execPath, args);
}

/**
 * Writes two files into `folder`: `types.gen.ts` with the types of requests and responses, as the OpenAPI document describes
 * them, and a `wire.ts` that imports only this file and has the same exports as client/wire.ts.
 */
export async function writeWireTypes(document: string, folder: string): Promise<void> {
	mkdirSync(folder, { recursive: true });
	await generateFrom(document, join(folder, 'generated'), '--plugins', '@hey-api/typescript');
	const operations = routes
		.filter(({ surface }) => surface === 'server')
		.map(({ operation }) => {
			const name = pascal(operation);
			return `\t'${operation}': { data: api.${name}Data; responses: api.${name}Responses };`;
		});
	writeFileSync(
		join(folder, 'wire.ts'),
		`import type * as api from './generated/types.gen.ts';
type Operations = {
${operations.join('\n')}
};
export type FieldError = api.FieldError;
export type ProblemCode = api.ProblemCode;
export type EventKind = api.EventKind;
export type Operation = keyof Operations;
type Part<O extends Operation, K extends string> = Operations[O]['data'] extends { readonly [P in K]?: infer T } ? NonNullable<T> : never;
export type Body<O extends Operation> = Part<O, 'body'>;
export type Query<O extends Operation> = Part<O, 'query'>;
export type ResponseBody<O extends Operation> = Operations[O]['responses'][keyof Operations[O]['responses']];
export type Row<O extends Operation> = { readonly method: string; readonly path: string; readonly idempotent: boolean };
`,
	);
}
