import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

// docs/openapi.json as far as the page reads it: parsed, so that a document of another form is a mistake and no gap.

export const Schema = z.object({
	$ref: z.optional(z.string()),
	type: z.optional(z.union([z.string(), z.array(z.string())])),
	description: z.optional(z.string()),
	format: z.optional(z.string()),
	enum: z.optional(z.array(z.string())),
	const: z.optional(z.string()),
	default: z.optional(z.unknown()),
	minLength: z.optional(z.number()),
	maxLength: z.optional(z.number()),
	minimum: z.optional(z.number()),
	maximum: z.optional(z.number()),
	minItems: z.optional(z.number()),
	maxItems: z.optional(z.number()),
	required: z.optional(z.array(z.string())),
	get properties() {
		return z.optional(z.record(z.string(), Schema));
	},
	get items() {
		return z.optional(Schema);
	},
	get anyOf() {
		return z.optional(z.array(Schema));
	},
});
export type Schema = z.infer<typeof Schema>;

const Ref = z.object({ $ref: z.string() });
const Example = z.object({ summary: z.optional(z.string()), value: z.unknown() });
const Media = z.object({
	schema: Schema,
	example: z.optional(z.unknown()),
	examples: z.optional(z.record(z.string(), z.union([Ref, Example]))),
});
export type Media = z.infer<typeof Media>;
const Content = z.record(z.string(), Media);
const Parameter = z.object({
	name: z.string(),
	in: z.enum(['path', 'query', 'header']),
	required: z.boolean(),
	description: z.string(),
	schema: Schema,
	example: z.optional(z.unknown()),
});
export type Parameter = z.infer<typeof Parameter>;
const Response = z.object({
	description: z.string(),
	headers: z.optional(z.record(z.string(), Ref)),
	content: z.optional(Content),
});
export type Response = z.infer<typeof Response>;

const Operation = z.object({
	operationId: z.string(),
	tags: z.array(z.string()),
	summary: z.string(),
	description: z.optional(z.string()),
	'x-required-permission': z.optional(z.string()),
	parameters: z.optional(z.array(z.union([Ref, Parameter]))),
	requestBody: z.optional(z.object({ required: z.boolean(), content: Content })),
	responses: z.record(z.string(), z.union([Ref, Response])),
});
export type Operation = z.infer<typeof Operation>;

const OpenApi = z.object({
	info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
	tags: z.array(z.object({ name: z.string(), description: z.string() })),
	paths: z.record(z.string(), z.record(z.string(), Operation)),
	webhooks: z.record(z.string(), z.object({ post: Operation })),
	components: z.object({
		schemas: z.record(z.string(), Schema),
		parameters: z.record(z.string(), Parameter),
		responses: z.record(z.string(), Response),
		examples: z.record(z.string(), Example),
	}),
});
export type OpenApi = z.infer<typeof OpenApi>;

export function readDocument(): OpenApi {
	return OpenApi.parse(JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')));
}

/** What is given, or what it refers to: the last part of a reference is the component's name. */
export function follow<T extends object>(
	given: NoInfer<T> | { readonly $ref: string },
	components: Readonly<Record<string, T>>,
): T {
	if (!isRef(given)) return given;
	const found = components[refName(given)];
	if (found === undefined) throw new Error(`the document has no ${given.$ref}`);
	return found;
}

function isRef(given: object): given is { readonly $ref: string } {
	return '$ref' in given && typeof given.$ref === 'string';
}

export function refName({ $ref }: { readonly $ref: string }): string {
	return $ref.split('/').at(-1) ?? '';
}
