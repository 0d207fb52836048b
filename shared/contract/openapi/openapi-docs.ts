import { OpenApiDocument } from '../kernel/common.ts';
import { type Docs, withDescriptions } from '../kernel/operation-docs.ts';
import type { openapiRoutes } from './openapi-route.ts';
import { RELEASE_VERSION } from './version.ts';

export const openapiDocs = {
	tag: { name: 'This document', description: 'The API as an OpenAPI document.' },
	operations: {
		'get-openapi': {
			text: 'The document behind this page.',
			answer: { openapi: '3.1.0', info: { title: 'Call-Back Widget Service', version: RELEASE_VERSION } },
		},
	},
	components: {
		OpenApiDocument: withDescriptions(OpenApiDocument, { members: { openapi: 'The OpenAPI version.' } }),
	},
} satisfies Docs<typeof openapiRoutes>;
