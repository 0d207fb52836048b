import type * as z from 'zod/mini';
import { definedFields } from '../domain/kernel/defined-fields.ts';
import { Anything, Empty, Nothing } from './kernel/common.ts';
import type { OperationDocs } from './kernel/operation-docs.ts';
import type { ProblemCode } from './kernel/problem.ts';
import { problems } from './kernel/problem.ts';
import { type DocumentedOperation, documented, operationDocs } from './openapi/documented.ts';
import { DEPRECATION_HEADERS, HEADERS, RATE_LIMIT_HEADERS } from './openapi/headers.ts';
import { INTRODUCTION } from './openapi/introduction.ts';
import { parametersOf, sharedParameters } from './openapi/parameters.ts';
import { problemExamples, problemResponses, problemSchemas } from './openapi/problems.ts';
import { componentSchemas, type Json, refTo, schemaName } from './openapi/schemas.ts';
import { RELEASE_VERSION } from './openapi/version.ts';
import { subscription, WEBHOOKS_TAG, webhooks } from './openapi/webhooks.ts';
import { type Deprecation, type Route, VERSION_PREFIX } from './route.ts';
import { routes } from './routes.ts';

/** The error codes of a route: the codes of its surface, method and settings, and the codes that only this route has. */
function codesOf(route: Route): readonly ProblemCode[] {
	const codes: ProblemCode[] = ['rate_limited', 'internal_error'];
	if (route.surface !== 'public') codes.push('service_busy');
	if (route.surface === 'server') codes.push('unauthenticated', 'insufficient_permission');
	if (route.surface === 'widget') codes.push('origin_not_allowed');
	// Widget routes with an id in their path do not get the workspace key, because the id leads to the call and its
	// workspace.
	if (route.surface === 'widget' && route.params === Nothing) codes.push('invalid_workspace_key');
	if (route.params !== Nothing) codes.push('not_found');
	// Routes without a body have these codes, too: if a client sends a body, the body must be an object.
	if (route.method === 'POST' || route.method === 'PATCH')
		codes.push('invalid_json', 'unsupported_media_type', 'payload_too_large', 'validation_failed');
	if (route.query !== Anything) codes.push('invalid_parameter');
	if (route.conditional && route.method !== 'GET') codes.push('precondition_failed');
	if (route.idempotent) codes.push('idempotency_key_invalid', 'idempotency_key_reused', 'idempotency_conflict');
	return [...codes, ...route.refusals];
}

function jsonBody(schema: z.ZodMiniType, operation: string, example: unknown): Json {
	return {
		'application/json': { schema: refTo(schemaName(schema, operation)), examples: { example: { value: example } } },
	};
}

function success(route: Route, { answer, answer_headers = [] }: OperationDocs): Json {
	const names = ['X-Request-Id', ...answer_headers];
	if (route.conditional && route.method !== 'DELETE') names.push('ETag');
	if (route.idempotent) names.push('Idempotency-Replayed');
	if (route.surface === 'server') names.push(...RATE_LIMIT_HEADERS);
	const headers = {
		...Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
		...(route.deprecated === undefined ? {} : DEPRECATION_HEADERS),
	};
	if (route.response === Empty) return { description: 'Done.', headers };
	return { description: route.summary, headers, content: jsonBody(route.response, route.operation, answer) };
}

function isPublic(route: Route): route is Route & { readonly operation: DocumentedOperation } {
	return Object.hasOwn(operationDocs, route.operation);
}

/** Whether a client may leave out the body. A body that is left out counts as an empty object. */
const isOptional = (body: z.ZodMiniType): boolean => body.safeParse({}).success;

function operation(route: Route, docs: OperationDocs, responses: Map<string, Json>): Json {
	const group = documented.find(({ operations }) => Object.hasOwn(operations, route.operation));
	const parameters = parametersOf(route, docs);
	const body = route.body === Nothing ? null : jsonBody(route.body, route.operation, docs.body);
	const withSubscription = route.operation === 'create-webhook-endpoint';
	return {
		operationId: route.operation,
		tags: [group?.tag.name],
		summary: route.summary,
		description: docs.text,
		...(route.deprecated === undefined ? {} : deprecation(route.deprecated)),
		...definedFields({
			'x-required-permission': route.permission ?? undefined,
			security: route.surface === 'server' ? [{ apiKey: [] }] : [],
			parameters: parameters.length === 0 ? undefined : parameters,
			requestBody: body === null ? undefined : { required: !isOptional(route.body), content: body },
			callbacks: withSubscription ? subscription() : undefined,
		}),
		responses: {
			[String(route.success)]: success(route, docs),
			...problemResponses(codesOf(route), route.surface, responses),
		},
	};
}

/** Tools that detect breaking changes read `x-sunset`. */
function deprecation({ since, sunset, successor }: Deprecation): Json {
	return { deprecated: true, 'x-sunset': sunset, 'x-deprecated-since': since, 'x-successor': successor };
}

/**
 * The public API as an OpenAPI 3.1 document. The document is made from the table of routes, the schemas and their texts.
 */
export function openApiDocument(table: readonly Route[] = routes): Json {
	const paths: Record<string, Record<string, Json>> = {};
	const responses = new Map<string, Json>();
	for (const route of table.filter(isPublic)) {
		const withDocs = operation(route, operationDocs[route.operation], responses);
		paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: withDocs };
	}
	const publicCodes = table.filter(isPublic).flatMap(codesOf);
	const codes = Object.keys(problems).filter((code): code is ProblemCode => publicCodes.some((one) => one === code));
	return {
		openapi: '3.1.0',
		info: { title: 'Call-Back Widget Service', version: RELEASE_VERSION, description: INTRODUCTION },
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
