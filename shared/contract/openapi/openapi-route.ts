import { Nothing, OpenApiDocument } from '../kernel/common.ts';
import type { Route } from '../route.ts';

export const getOpenapi = {
	operation: 'get-openapi',
	method: 'GET',
	path: '/openapi.json',
	summary: 'Get this API as an OpenAPI 3.1 document',
	surface: 'public',
	permission: null,
	idempotent: false,
	success: 200,
	params: Nothing,
	query: Nothing,
	body: Nothing,
	response: OpenApiDocument,
	refusals: [],
} as const satisfies Route;
