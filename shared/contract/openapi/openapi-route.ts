import { Anything, OpenApiDocument } from '../kernel/common.ts';
import { route } from '../route.ts';

export const getOpenapi = route('get-openapi', 'GET', '/openapi.json', {
	summary: 'Get this API as an OpenAPI 3.1 document',
	surface: 'public',
	query: Anything,
	response: OpenApiDocument,
});

export const openapiRoutes = [getOpenapi] as const;
