import type { UnavailableReason } from '../../shared/domain/workspaces/workspace.ts';
import { tell } from './tell.ts';

/** Problems that only the developer of the site or the operator can solve. */
type SetupFault = 'no_workspace_key' | 'base_url' | 'invalid_workspace_key' | 'origin_not_allowed' | 'request_header';
type Fault = SetupFault | UnavailableReason;

/** What is wrong with the embed code itself, which can be found without a request. Null if nothing is wrong. */
export function faultOfEmbed(baseUrl: string, workspaceKey: string): Fault | null {
	if (!workspaceKey) return 'no_workspace_key';
	return baseUrl.endsWith('/v1') ? null : 'base_url';
}

/** Writes the problem, and the exact command that solves it, to the browser's console. */
export function tellDeveloper(fault: Fault, workspaceKey: string, trouble?: unknown): void {
	// A page may have a variable called `origin`, so `location` is used. But a page of `srcdoc` or `blob:` has its origin only in
	// that variable.
	const site = location.protocol.startsWith('http') ? location.origin : origin;
	const show = `${OPS_COMMAND} workspace show --workspace <workspace id>`;
	const set = `${OPS_COMMAND} workspace set --workspace <workspace id>`;
	const message = {
		no_workspace_key: `data-workspace-key is empty. Find the key: ${show}`,
		base_url: "data-base-url does not end in /v1. It is the deployment's output CallBackBaseUrl",
		switched_off: `calls are switched off. Switch them on: ${set} --calls on`,
		no_team: `the workspace has no team to ring. Name it: ${set} --team "Ida Wells:+1202..."`,
		no_agent_callable: `the workspace's own rules let no phone of its team ring. See whose: ${show}`,
		no_provider: 'the service has no telephone provider. Deploy it with the property telephony',
		daily_limit: `the workspace has had its calls of the day. Allow more: ${set} --calls-per-day <number>`,
		window_limit: `the workspace has had its calls of these ten minutes. Allow more: ${set} --requests-per-workspace-per-window <number>`,
		invalid_workspace_key: `no workspace has the key "${workspaceKey}". Find the key: ${show}`,
		origin_not_allowed:
			origin === 'null'
				? 'this frame has no origin to allow: add allow-same-origin to its sandbox'
				: `the workspace does not allow pages of ${site}. Allow them: ${set} --origin ${site} (and repeat --origin for every other site)`,
		request_header:
			'a script of this page adds a header to fetch that the service cannot allow, named above, ' +
			`or replaces what the widget needs (${trouble}). Exclude the service from it`,
	}[fault];
	tell(message);
}
