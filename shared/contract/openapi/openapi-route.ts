import { OpenApiDocument } from '../kernel/common.ts';
import { route } from '../route.ts';

export const getOpenapi = route({
	operation: 'get-openapi',
	method: 'GET',
	path: '/openapi.json',
	summary: 'Get this API as an OpenAPI 3.1 document',
	surface: 'public',
	success: 200,
	response: OpenApiDocument,
});

export const openapiRoutes = [getOpenapi] as const;
