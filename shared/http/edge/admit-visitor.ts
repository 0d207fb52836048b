import { WorkspaceKeyed } from '../../contract/kernel/common.ts';
import type { Route } from '../../contract/route.ts';
import { API_KEY_PREFIX } from '../../domain/access/api-key.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Store } from '../../ports/store.ts';
import { corsHeaders, headersForUnknownWorkspace, presentedOrigin, VARY } from './cors.ts';
import type { RequestContext } from './edge.ts';
import { noOrigin, ORIGIN_NOT_ALLOWED, Refused } from './refusals.ts';
import { type HttpRequest, type JsonBody, parseBody, parseQuery, readJsonBody } from './request.ts';

export type Visitor = { readonly workspace: Workspace; readonly origin: string; readonly source_ip: string };

/**
 * Admits a request of a page with the widget. The request's query or body must have the public key of a workspace, and that
 * workspace must allow the page's origin. Also returns the body. If the request has no origin, no record is read. If the
 * request is refused before its workspace is found, the refusal still has CORS headers if any workspace allows the page's
 * origin.
 */
export async function admitVisitor(
	route: Route,
	exchange: RequestContext,
	store: Store,
): Promise<{ readonly caller: Visitor; readonly json: JsonBody }> {
	const { request } = exchange;
	exchange.headers = VARY;
	const origin = presentedOrigin(request.headers['origin']);
	if (origin === null) throw new Refused(noOrigin(request.headers['origin']));
	const { workspace, json } = await workspaceOf(route, request, store).catch(async (error: unknown) => {
		if (error instanceof Refused) exchange.headers = await headersForUnknownWorkspace(origin, store);
		throw error;
	});
	if (!workspace.origins.includes(origin)) throw new Refused(ORIGIN_NOT_ALLOWED);
	exchange.headers = corsHeaders(origin);
	exchange.about = { workspace_id: workspace.id };
	return { caller: { workspace, origin, source_ip: request.source_ip }, json };
}

const SECRET_IN_PAGE =
	'This is a secret API key, which must not stand in a page: revoke it, and use the public key of the workspace (`wk_…`).';

async function workspaceOf(route: Route, request: HttpRequest, store: Store) {
	const json = readJsonBody(route, request);
	const parsed =
		route.method === 'GET' ? parseQuery(WorkspaceKeyed, request.query) : parseBody(WorkspaceKeyed, json.value);
	if ('problem' in parsed) throw new Refused(parsed.problem);
	const link = await store.get('workspace_key', parsed.value);
	const workspace = link === null ? null : await store.get('workspace', { id: link.workspace_id });
	if (workspace !== null) return { workspace, json };
	const isApiKey = parsed.value.workspace_key.startsWith(API_KEY_PREFIX);
	throw new Refused({
		code: 'invalid_workspace_key',
		detail: isApiKey ? SECRET_IN_PAGE : 'No workspace has this `workspace_key`.',
	});
}
