import type * as z from 'zod/mini';
import { Empty, Nothing } from './kernel/common.ts';
import type { ProblemCode } from './kernel/problem.ts';
import { problems } from './kernel/problem.ts';
import type { OperationDocs } from './openapi/docs.ts';
import { documented, type Operation, operationDocs } from './openapi/documented.ts';
import { INTRODUCTION } from './openapi/introduction.ts';
import { parametersOf, sharedParameters } from './openapi/parameters.ts';
import { problemExamples, problemResponses, problemSchemas } from './openapi/problems.ts';
import { componentSchemas, type Json, nameOf, refTo } from './openapi/schemas.ts';
import { subscription, WEBHOOKS_TAG, webhooks } from './openapi/webhooks.ts';
import { type Deprecated, type Route, VERSION_PREFIX } from './route.ts';
import { routes } from './routes.ts';

/** The error codes of a route: those of its surface and its own. */
function codesOf(route: Route): readonly ProblemCode[] {
	const codes: ProblemCode[] = ['rate_limited', 'internal_error'];
	if (route.surface !== 'public') codes.push('service_busy');
	if (route.surface === 'server') codes.push('unauthenticated', 'insufficient_permission');
	if (route.surface === 'widget') codes.push('origin_not_allowed');
	// For a polling page, the call identifies the workspace.
	if (route.surface === 'widget' && route.params === Nothing) codes.push('invalid_workspace_key');
	if (route.params !== Nothing) codes.push('not_found');
	// Also on routes without a body: if one is sent, it must be an object.
	if (route.method === 'POST' || route.method === 'PATCH')
		codes.push('invalid_json', 'unsupported_media_type', 'payload_too_large', 'validation_failed');
	if (route.query !== Nothing) codes.push('invalid_parameter');
	if (route.conditional && route.method === 'PATCH') codes.push('precondition_failed');
	if (route.idempotent) codes.push('idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_conflict');
	return [...codes, ...route.refusals];
}

/** A body: a reference to its schema, and an example. */
function jsonBody(schema: z.ZodMiniType, operation: string, example: unknown): Json {
	return {
		'application/json': { schema: refTo(nameOf(schema, operation)), examples: { example: { value: example } } },
	};
}

function success(route: Route, { answer }: OperationDocs): Json {
	const names = ['X-Request-Id'];
	if (route.conditional) names.push('ETag');
	if (route.idempotent) names.push('Idempotency-Replayed');
	if (route.surface === 'server') names.push(...RATE_LIMIT_HEADERS);
	const headers = {
		...Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
		...(route.deprecated === undefined ? {} : DEPRECATION_HEADERS),
	};
	if (route.response === Empty) return { description: 'Done.', headers };
	return { description: route.summary, headers, content: jsonBody(route.response, route.operation, answer) };
}

function isPublic(route: Route): route is Route & { readonly operation: Operation } {
	return Object.hasOwn(operationDocs, route.operation);
}

/** Whether the body may be left out, like an empty object. */
const isOptional = (body: z.ZodMiniType): boolean => body.safeParse({}).success;

function operation(route: Route, docs: OperationDocs, responses: Map<string, Json>): Json {
	const group = documented.find(({ operations }) => Object.hasOwn(operations, route.operation));
	const parameters = parametersOf(route, docs);
	const body = route.body === Nothing ? null : jsonBody(route.body, route.operation, docs.body);
	return {
		operationId: route.operation,
		tags: [group?.tag.name],
		summary: route.summary,
		description: docs.text,
		...(route.deprecated === undefined ? {} : deprecation(route.deprecated)),
		...(route.permission === null ? {} : { 'x-required-permission': route.permission }),
		security: route.surface === 'server' ? [{ apiKey: [] }] : [],
		...(parameters.length === 0 ? {} : { parameters }),
		...(body === null ? {} : { requestBody: { required: !isOptional(route.body), content: body } }),
		...(route.operation === 'create-webhook-endpoint' ? { callbacks: subscription() } : {}),
		responses: { [String(route.success)]: success(route, docs), ...problemResponses(codesOf(route), responses) },
	};
}

/** `x-sunset` is the extension that tools for breaking changes read. */
function deprecation({ since, sunset, successor }: Deprecated): Json {
	return { deprecated: true, 'x-sunset': sunset, 'x-deprecated-since': since, 'x-successor': successor };
}

/** On every response of the server API. */
const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const HEADERS: Json = {
	'RateLimit-Limit': { description: 'Requests a minute, for the limit closest to exhaustion.', schema: count },
	'RateLimit-Remaining': { description: 'Requests left in this minute.', schema: count },
	'RateLimit-Reset': { description: 'Seconds until the limit resets.', schema: count },
	'X-Request-Id': { description: 'The id of this request. Include it when you ask for help.', schema: text },
	ETag: { description: 'The version of the resource. Send it as `If-Match` with a change.', schema: text },
	'Retry-After': { description: 'Seconds to wait before you retry.', schema: { type: 'integer' } },
	'Idempotency-Replayed': {
		description: '`true`: this is the first response to this Idempotency-Key, repeated.',
		schema: { ...text, enum: ['true'] },
	},
	'WWW-Authenticate': { description: '`Bearer`', schema: text },
};
const DEPRECATION_HEADERS: Json = {
	Deprecation: { description: 'When the operation was deprecated (RFC 9745): `@` and epoch seconds.', schema: text },
	Sunset: { description: 'When the operation may stop answering (RFC 8594): an HTTP date.', schema: text },
	Link: { description: 'What replaces the operation, with `rel="successor-version"`.', schema: text },
};

/** The public API as an OpenAPI 3.1 document, generated from the route table and the schemas alone. */
export function openApiDocument(table: readonly Route[] = routes): Json {
	const paths: Record<string, Record<string, Json>> = {};
	const responses = new Map<string, Json>();
	for (const route of table.filter(isPublic)) {
		const described = operation(route, operationDocs[route.operation], responses);
		paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: described };
	}
	const shown = table.filter(isPublic).flatMap(codesOf);
	const codes = Object.keys(problems).filter((code): code is ProblemCode => shown.some((known) => known === code));
	return {
		openapi: '3.1.0',
		info: { title: 'Call-Back Widget Service', version: '1.0.0', description: INTRODUCTION },
		servers: [{ url: VERSION_PREFIX }],
		tags: [...documented.map(({ tag }) => tag), WEBHOOKS_TAG],
		paths,
		webhooks: webhooks(),
		components: {
			schemas: { ...componentSchemas(), ...problemSchemas },
			parameters: sharedParameters,
			headers: HEADERS,
			responses: Object.fromEntries(responses),
			examples: problemExamples(codes),
			securitySchemes: {
				apiKey: {
					type: 'http',
					scheme: 'bearer',
					bearerFormat: 'cbk_live_<id>_<random>',
					description: 'A secret API key of a workspace.',
				},
			},
		},
	};
}
