import document from '../../../docs/openapi.json' with { type: 'json' };
import { getOpenapi } from '../../../shared/contract/openapi/openapi-route.ts';
import { publicDeps } from '../../../shared/deps.ts';
import { handleForAnyone } from '../../../shared/http/edge/handle.ts';

const body = JSON.stringify(document);
const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' };

export const handler = handleForAnyone(getOpenapi.operation, publicDeps(getOpenapi.operation), async () => ({
	statusCode: 200,
	headers,
	body,
}));
