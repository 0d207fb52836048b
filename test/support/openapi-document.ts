import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

// docs/openapi.json as its readers get it: plain JSON, checked with independent tools.

export type Example = { readonly value?: unknown; readonly $ref?: string };
type Media = { readonly schema: { readonly $ref?: string }; readonly examples?: Readonly<Record<string, Example>> };
type Content = Readonly<Record<string, Media>>;
type Response = { readonly description: string; readonly headers?: object; readonly content?: Content };
type Parameter = {
	readonly name: string;
	readonly in: string;
	readonly description?: string;
	readonly example?: unknown;
};
export type Schema = {
	readonly type?: unknown;
	readonly description?: string;
	readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
};
export type Operation = {
	readonly operationId: string;
	readonly tags: readonly string[];
	readonly summary: string;
	readonly description: string;
	readonly 'x-required-permission'?: string;
	readonly security: readonly object[];
	readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
	readonly requestBody?: { readonly required: boolean; readonly content: Content };
	readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
};
type Document = {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly webhooks: Readonly<
		Record<string, { readonly post: { readonly requestBody: { readonly content: object } } }>
	>;
	readonly components: {
		readonly schemas: Readonly<Record<string, Schema>>;
		readonly parameters: Readonly<Record<string, Parameter>>;
		readonly responses: Readonly<Record<string, Response>>;
		readonly examples: Readonly<Record<string, Example>>;
	};
};

export const documentFile = join(import.meta.dirname, '../../docs/openapi.json');
export const documentText = readFileSync(documentFile, 'utf8');
export const document: Document = JSON.parse(documentText);

/** Every operation with its path and method. */
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** Resolves a reference within the document. */
export function resolved<T extends object>(given: T | { readonly $ref: string }): T {
	if (!('$ref' in given) || typeof given.$ref !== 'string') return given as T;
	const parts = given.$ref.split('/').slice(1);
	return parts.reduce((place: unknown, part) => (place as Record<string, unknown>)[part], document) as T;
}

/** The example of an operation's request body. Undefined if the operation takes none. */
export function exampleBody(operationId: string): object | undefined {
	const found = operations.find(({ operation }) => operation.operationId === operationId);
	const [media] = Object.values(found?.operation.requestBody?.content ?? {});
	const [example] = Object.values(media?.examples ?? {});
	return example === undefined ? undefined : (resolved(example).value as object);
}

/** The response that an operation documents for a status. Null if it documents none. */
export function responseOf(path: string, method: string, status: number): Response | null {
	const response = document.paths[path]?.[method]?.responses[String(status)];
	return response === undefined ? null : resolved(response);
}

/** Clients must accept unknown fields in responses, but these tests treat an undocumented field as an error. */
function closed(schemas: Document['components']['schemas']): object {
	const open = ['Problem', 'OpenApiDocument'];
	const entries = Object.entries(schemas).map(([name, schema]) => {
		return [
			name,
			schema.properties === undefined || open.includes(name) ? schema : { ...schema, additionalProperties: false },
		];
	});
	return Object.fromEntries(entries);
}

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
ajv.addSchema(
	{ ...document, components: { ...document.components, schemas: closed(document.components.schemas) } },
	'openapi',
);
const compiled = new Map<string, ValidateFunction>();

/** Validates a value against a schema of the document. Returns an error text, or null if the value is valid. */
export function violation(value: unknown, schema: object): string | null {
	const key = JSON.stringify(schema);
	const absolute = JSON.parse(key.replaceAll('"$ref":"#', '"$ref":"openapi#'));
	const validate = compiled.get(key) ?? ajv.compile(absolute);
	compiled.set(key, validate);
	return validate(value) ? null : ajv.errorsText(validate.errors);
}

/**
 * Validates a response body against the document's schema for this operation and status. Returns an error text, or null if the
 * body is valid.
 */
export function wrongAnswer(
	at: { readonly path: string; readonly method: string },
	status: number,
	body: unknown,
): string | null {
	const response = responseOf(at.path, at.method, status);
	if (response === null) return `undocumented ${status}`;
	const [media] = Object.values(response.content ?? {});
	if (media === undefined) return body === null ? null : 'a body where none is documented';
	return violation(body, media.schema);
}
