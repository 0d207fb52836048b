import type { Problem } from '../contract/kernel/problem.ts';
import type { Call } from '../domain/calls/call.ts';
import { ID_PATTERN } from '../domain/kernel/id.ts';
import type { Workspace } from '../domain/workspaces/workspace.ts';
import type { Store } from '../ports/store.ts';
import { corsHeaders, headersForUnknownWorkspace, presentedOrigin, VARY } from './cors.ts';
import { NOT_FOUND } from './refusals.ts';
import type { HttpRequest } from './request.ts';

/** A page of a site that a workspace allows. */
export type Visitor = { readonly workspace: Workspace; readonly origin: string; readonly source_ip: string };

type Headers = Readonly<Record<string, string>>;
type Refused = { readonly problem: Problem; readonly headers: Headers };
type Admitted = { readonly visitor: Visitor; readonly headers: Headers };

export function originRefused(): Refused {
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
	if (!workspace.origins.includes(found.origin)) return originRefused();
	const visitor = { workspace, origin: found.origin, source_ip: request.source_ip };
	return { visitor, headers: corsHeaders(found.origin) };
}

/** A page that polls its call. */
export type Poller = { readonly call: Call };

/**
 * By a call's id, the only secret of the status route. An origin that nobody allows is refused; to one that another
 * workspace allows, the call does not exist.
 */
export async function pollerByCall(
	call_id: string,
	request: HttpRequest,
	store: Store,
): Promise<{ readonly poller: Poller; readonly headers: Headers } | Refused> {
	const found = originOf(request);
	if ('problem' in found) return found;
	const call = ID_PATTERN.test(call_id) ? await store.get('call', { id: call_id }) : null;
	const workspace = call === null ? null : await store.get('workspace', { id: call.workspace_id });
	if (call !== null && workspace?.origins.includes(found.origin)) {
		return { poller: { call }, headers: corsHeaders(found.origin) };
	}
	if (!(await store.anyWorkspaceAllows(found.origin))) return originRefused();
	return { problem: NOT_FOUND, headers: corsHeaders(found.origin) };
}
