import * as z from 'zod/mini';
import { Nothing } from './common.ts';
import { type ProblemCode, problems, problemType } from './problem.ts';
import type { Route, Surface } from './route.ts';
import { routes } from './routes.ts';

type Json = Readonly<Record<string, unknown>>;

/** A schema as JSON Schema 2020-12, which OpenAPI 3.1 takes as it is. */
function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
	const { $schema: _dialect, ...body } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
	return body;
}

function pathParameters(path: string): readonly Json[] {
	return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => {
		return { name, in: 'path', required: true, schema: { type: 'string' } };
	});
}

function queryParameters(route: Route): readonly Json[] {
	const { properties = {}, required = [] } = z.toJSONSchema(route.query, { io: 'input', unrepresentable: 'any' });
	return Object.entries(properties).map(([name, schema]) => {
		return { name, in: 'query', required: required.includes(name), schema };
	});
}

const IDEMPOTENCY_KEY: Json = { $ref: '#/components/parameters/IdempotencyKey' };
const PROBLEM_CONTENT: Json = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

/** Which errors a route may answer, by what it is. */
function codesOf(route: Route): readonly ProblemCode[] {
	const codes: ProblemCode[] = ['rate_limited', 'internal_error', 'service_busy'];
	if (route.surface === 'server') codes.push('unauthenticated', 'insufficient_permission');
	if (route.surface === 'widget') codes.push('origin_not_allowed');
	// A page that polls says whose it is by its call.
	if (route.surface === 'widget' && route.params === Nothing) codes.push('invalid_workspace_key');
	if (route.params !== Nothing) codes.push('not_found');
	// Also where no body is asked for: one that is sent must be an object.
	if (route.method === 'POST' || route.method === 'PATCH')
		codes.push('invalid_json', 'unsupported_media_type', 'payload_too_large', 'validation_failed');
	if (route.query !== Nothing) codes.push('invalid_parameter');
	if (route.idempotent) codes.push('idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_conflict');
	return [...codes, ...route.refusals];
}

function problemResponses(route: Route): Json {
	const byStatus = Map.groupBy(codesOf(route), (code) => problems[code].status);
	const entries = [...byStatus].sort(([a], [b]) => a - b);
	return Object.fromEntries(
		entries.map(([status, codes]) => {
			const description = codes.map((code) => `\`${code}\`: ${problems[code].when}`).join('\n\n');
			return [String(status), { description, content: PROBLEM_CONTENT }];
		}),
	);
}

const SECURITY: { readonly [S in Surface]: readonly Json[] } = {
	server: [{ apiKey: [] }],
	widget: [],
	provider: [],
	public: [],
};

function operation(route: Route): Json {
	const parameters = [...pathParameters(route.path), ...queryParameters(route)];
	const content = { 'application/json': { schema: jsonSchema(route.response, 'output') } };
	const success = route.success === 204 ? { description: 'Done' } : { description: route.summary, content };
	const permission = route.permission === null ? {} : { 'x-required-permission': route.permission };
	const body = { required: true, content: { 'application/json': { schema: jsonSchema(route.body, 'input') } } };
	return {
		operationId: route.operation,
		summary: route.summary,
		...permission,
		security: SECURITY[route.surface],
		parameters: route.idempotent ? [...parameters, IDEMPOTENCY_KEY] : parameters,
		...(route.body === Nothing ? {} : { requestBody: body }),
		responses: { [String(route.success)]: success, ...problemResponses(route) },
	};
}

const PROBLEM: Json = {
	type: 'object',
	description: 'RFC 9457 problem details.',
	required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
	properties: {
		type: { type: 'string', format: 'uri', examples: [problemType('not_found')] },
		title: { type: 'string' },
		status: { type: 'integer' },
		detail: { type: 'string' },
		instance: { type: 'string' },
		code: { type: 'string', enum: Object.keys(problems) },
		request_id: { type: 'string' },
		errors: {
			type: 'array',
			items: {
				type: 'object',
				required: ['pointer', 'code', 'detail'],
				properties: { pointer: { type: 'string' }, code: { type: 'string' }, detail: { type: 'string' } },
			},
		},
	},
};

/** The public API as an OpenAPI 3.1 document, made from the route table and the schemas alone. */
export function openApiDocument(): Json {
	const paths: Record<string, Record<string, Json>> = {};
	for (const route of routes) {
		if (route.surface === 'provider') continue;
		paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
	}
	return {
		openapi: '3.1.0',
		info: { title: 'Call-Back Widget Service', version: '1.0.0' },
		servers: [{ url: '/v1' }],
		paths,
		components: {
			schemas: { Problem: PROBLEM },
			parameters: {
				IdempotencyKey: {
					name: 'Idempotency-Key',
					in: 'header',
					required: false,
					description: 'The same key with the same body answers the first response again for 24 hours.',
					schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
				},
			},
			securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', bearerFormat: 'cbk_live_<id>_<random>' } },
		},
	};
}
