import { WorkspaceKeyed } from '../../contract/kernel/common.ts';
import type { Route } from '../../contract/route.ts';
import type { Workspace } from '../../domain/workspaces/workspace.ts';
import type { Store } from '../../ports/store.ts';
import { type Exchange, found, Refused } from '../exchange.ts';
import { glanceOrGet } from '../glance.ts';
import { corsHeaders } from '../headers/cors.ts';
import { parseBody, parseQuery } from '../parse.ts';
import type { Stage } from '../pipeline.ts';
import { ORIGIN_NOT_ALLOWED } from '../refusals.ts';

/** A page of a site that a workspace allows. */
export type Visitor = { readonly workspace: Workspace; readonly origin: string; readonly source_ip: string };

/** Admits a page by the public workspace key, if that workspace allows its origin. */
export function admitVisitor<R extends Route>(route: R, store: Store): Stage<R, Visitor> {
	return {
		name: 'admit-visitor',
		before: async ({ event: exchange }) => {
			const workspace = await workspaceBy(presentedKey(route, exchange), store);
			const origin = found(exchange.origin, 'require-origin');
			if (workspace === null) {
				throw new Refused({ code: 'invalid_workspace_key', detail: 'No workspace has this `workspace_key`.' });
			}
			if (origin === null || !workspace.origins.includes(origin)) throw new Refused(ORIGIN_NOT_ALLOWED);
			exchange.headers = corsHeaders(origin);
			exchange.caller = { workspace, origin, source_ip: exchange.request.source_ip };
			exchange.workspace_id = workspace.id;
		},
	};
}

/** The key that identifies the workspace, which the other checks need. */
function presentedKey(route: Route, { request, json }: Exchange): string {
	const parsed =
		route.method === 'GET'
			? parseQuery(WorkspaceKeyed, request.query)
			: parseBody(WorkspaceKeyed, found(json, 'read-json').value);
	if ('problem' in parsed) throw new Refused(parsed.problem);
	return parsed.value.workspace_key;
}

async function workspaceBy(workspace_key: string, store: Store): Promise<Workspace | null> {
	const link = await glanceOrGet('workspace_key', { workspace_key }, store);
	return link === null ? null : store.get('workspace', { id: link.workspace_id });
}
