import * as z from 'zod/mini';
import { definedFields } from '../../domain/kernel/defined-fields.ts';
import { Id, Instant, Timestamp } from '../kernel/common.ts';
import type { Component } from '../kernel/operation-docs.ts';
import { routes } from '../routes.ts';
import * as vocabulary from '../vocabulary.ts';
import { WebhookEvent } from '../webhooks/events.ts';
import { components } from './documented.ts';

export type Json = Readonly<Record<string, unknown>>;

/** The two formats that are documented. `parseInstant` accepts more (RFC 3339 also allows lower case and leap seconds). */
const INSTANT_FORMATS = {
	anyOf: [
		{ type: 'string', format: 'date-time' },
		{ type: 'string', format: 'date' },
	],
};

export type SchemaName = keyof typeof components | 'Problem';

const namedComponents: readonly (readonly [name: string, component: Component])[] = Object.entries(components);
const isName = (name: string): name is keyof typeof components => Object.hasOwn(components, name);

export function refTo(name: SchemaName): Json {
	return { $ref: `#/components/schemas/${name}` };
}

/**
 * The name of a route's schema in the document. Throws if the schema has no name, because every body must be a component.
 */
export function schemaName(schema: z.ZodMiniType, where: string): SchemaName {
	const name = Object.keys(components)
		.filter(isName)
		.find((candidate) => components[candidate].schema === schema);
	if (name === undefined) throw new Error(`${where}: name this schema among the components beside it (*-docs.ts)`);
	return name;
}

type JsonSchemaContext = { readonly zodSchema: z.core.$ZodTypes; readonly jsonSchema: z.core.JSONSchema.BaseSchema };

/**
 * Removes keywords that only zod needs, and describes the schemas that zod cannot describe. `additionalProperties: false`
 * is kept only in requests, where we refuse unknown fields. Responses may get new fields without notice, so a client must
 * not refuse unknown fields.
 */
function plain({ zodSchema, jsonSchema }: JsonSchemaContext, io: 'input' | 'output'): void {
	if (zodSchema === Instant) {
		delete jsonSchema.type;
		delete jsonSchema.maxLength;
		Object.assign(jsonSchema, INSTANT_FORMATS);
	}
	// Zod writes no JSON Schema for `WebhookEvent`, because it is a custom schema.
	if (zodSchema === WebhookEvent) jsonSchema.anyOf = [refTo('CallEvent'), refTo('CallbackEvent')];
	delete jsonSchema.readOnly;
	if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
	if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
	if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function withWords({ description, members = {} }: Component, schema: Json): Json {
	const { $schema: _dialect, $id: _id, ...body } = schema;
	const fields = Object.entries(body['properties'] ?? {}).map(([field, property]: [string, object]) => {
		const description = members[field];
		return [field, description === undefined ? property : { ...property, description }];
	});
	const properties = fields.length === 0 ? body['properties'] : Object.fromEntries(fields);
	return definedFields({ description, ...body, properties });
}

function jsonSchemas(isWanted: (schema: z.ZodMiniType) => boolean, io: 'input' | 'output'): Record<string, Json> {
	const registry = z.registry<{ readonly id: string }>();
	const matching = namedComponents.filter(([, { schema }]) => isWanted(schema));
	for (const [id, { schema }] of matching) registry.add(schema, { id });
	const uri = (id: string): string => `#/components/schemas/${id}`;
	const override = (context: JsonSchemaContext): void => plain(context, io);
	const { schemas } = z.toJSONSchema(registry, { io, uri, unrepresentable: 'any', override });
	return Object.fromEntries(matching.map(([name, component]) => [name, withWords(component, { ...schemas[name] })]));
}

/** Every named schema as JSON Schema 2020-12. OpenAPI 3.1 uses this version unchanged. */
export function componentSchemas(): Readonly<Record<string, Json>> {
	const bodies = new Set<z.ZodMiniType>(routes.map(({ body }) => body));
	const sharedSchemas = new Set<z.ZodMiniType>([Id, Timestamp, ...Object.values(vocabulary)]);
	const inRequests = (schema: z.ZodMiniType): boolean => schema === Instant || bodies.has(schema);
	return {
		...jsonSchemas((schema) => sharedSchemas.has(schema) || inRequests(schema), 'input'),
		...jsonSchemas((schema) => !inRequests(schema), 'output'),
	};
}
