import type { Call } from '../../domain/calls/call.ts';
import { ID_PATTERN } from '../../domain/kernel/id.ts';
import type { Store } from '../../ports/store.ts';
import { corsHeaders, presentedOrigin, VARY } from './cors.ts';
import type { RequestContext } from './edge.ts';
import { NOT_FOUND, noOrigin, ORIGIN_NOT_ALLOWED, Refused } from './refusals.ts';

export type Poller = { readonly call: Call };

/**
 * Admits a page that polls a call. The page needs no key: it knows the call's id, which no other page can guess. If no
 * workspace allows the page's origin, the request is refused. If another workspace allows the origin, but the call's own
 * workspace does not, the answer is as if the call did not exist.
 */
export async function admitPoller(exchange: RequestContext, store: Store): Promise<Poller> {
	exchange.headers = VARY;
	const { params, headers } = exchange.request;
	const origin = presentedOrigin(headers['origin']);
	if (origin === null) throw new Refused(noOrigin(headers['origin']));
	const { id = '' } = params;
	const call = ID_PATTERN.test(id) ? await store.get('call', { id }) : null;
	if (call === null || !(await allowsOrigin(call.workspace_id, origin, store))) {
		if (!(await store.anyWorkspaceAllows(origin))) throw new Refused(ORIGIN_NOT_ALLOWED);
		exchange.headers = corsHeaders(origin);
		throw new Refused(NOT_FOUND);
	}
	exchange.headers = corsHeaders(origin);
	exchange.about = { workspace_id: call.workspace_id };
	return { call };
}

async function allowsOrigin(workspaceId: string, origin: string, store: Store): Promise<boolean> {
	const workspace = await store.get('workspace', { id: workspaceId });
	return workspace?.origins.includes(origin) ?? false;
}
