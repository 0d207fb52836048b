import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { routes } from '../../shared/contract/routes.ts';

const pascal = (operation: string): string => operation.replaceAll(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());

/**
 * Writes into `folder` the types of the wire as the OpenAPI document describes them: `types.gen.ts`, and a `wire.ts` with
 * the same exports as client/wire.ts, which imports only that file.
 */
export async function writeWireTypes(document: string, folder: string): Promise<void> {
	mkdirSync(folder, { recursive: true });
	await createClient({
		input: document,
		output: { path: join(folder, 'generated') },
		plugins: ['@hey-api/typescript'],
		logs: { level: 'silent', file: false },
	});
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
export type Answer<O extends Operation> = Operations[O]['responses'][keyof Operations[O]['responses']];
export type Row<O extends Operation> = { readonly method: string; readonly path: string; readonly idempotent: boolean };
`,
	);
}
