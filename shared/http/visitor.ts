import type { Problem } from '../contract/problem.ts';
import type { Workspace } from '../domain/workspace.ts';
import type { Store } from '../ports/store.ts';
import { corsHeaders, headersForUnknownWorkspace, presentedOrigin, VARY, workspaceAllows } from './cors.ts';
import type { HttpRequest } from './request.ts';

/** A page of a site that a workspace allows. */
export type Visitor = { readonly workspace: Workspace; readonly origin: string; readonly source_ip: string };

type Refused = { readonly problem: Problem; readonly headers: Readonly<Record<string, string>> };
type Admitted = { readonly visitor: Visitor; readonly headers: Readonly<Record<string, string>> };

function originRefused(): Refused {
	return {
		problem: { code: 'origin_not_allowed', detail: 'This site may not use this workspace.' },
		headers: VARY,
	};
}

/** Refuses before anything is read: no Origin, or `null`. */
export function originOf(request: HttpRequest): { readonly origin: string } | Refused {
	const origin = presentedOrigin(request.headers['origin']);
	return origin === null ? originRefused() : { origin };
}

/** By the public workspace key (creation and configuration). */
export async function visitorByKey(
	workspace_key: string,
	request: HttpRequest,
	store: Store,
): Promise<Admitted | Refused> {
	const found = originOf(request);
	if ('problem' in found) return found;
	const link = await store.get('workspace_key', { workspace_key });
	const workspace = link === null ? null : await store.get('workspace', { id: link.workspace_id });
	if (workspace === null) {
		return {
			problem: { code: 'invalid_workspace_key', detail: 'No workspace has this `workspace_key`.' },
			headers: await headersForUnknownWorkspace(found.origin, store),
		};
	}
	return admit(workspace, found.origin, request);
}

/** By a call's workspace (the status route): the call's id is the only secret there. */
export function admit(workspace: Workspace, origin: string, request: HttpRequest): Admitted | Refused {
	if (!workspaceAllows(workspace, origin)) return originRefused();
	return { visitor: { workspace, origin, source_ip: request.source_ip }, headers: corsHeaders(origin) };
}
