import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

// docs/openapi.json as its readers have it: plain JSON, held against with tools that are not ours.

type Content = Readonly<
	Record<string, { readonly schema?: object; readonly examples?: Readonly<Record<string, object>> }>
>;
export type Operation = {
	readonly operationId: string;
	readonly security: readonly object[];
	readonly parameters: readonly object[];
	readonly requestBody?: { readonly content: Content };
	readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
};
type Document = {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
};

const file = join(import.meta.dirname, '../../docs/openapi.json');
export const documentText = readFileSync(file, 'utf8');
export const document: Document = JSON.parse(documentText);

const ajv = new Ajv2020({ strict: false, allErrors: false });
formats.default(ajv);
ajv.addSchema(document, 'openapi');
const compiled = new Map<string, ValidateFunction>();

/** Parts of a JSON Pointer, escaped. */
const pointer = (parts: readonly string[]): string =>
	parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** What is wrong with a value, by the schema at this place of the document; null when it fits. */
export function violation(value: unknown, ...place: readonly string[]): string | null {
	const $ref = `openapi#${encodeURI(pointer(place))}`;
	const validate = compiled.get($ref) ?? ajv.compile({ $ref });
	compiled.set($ref, validate);
	return validate(value) ? null : ajv.errorsText(validate.errors);
}
