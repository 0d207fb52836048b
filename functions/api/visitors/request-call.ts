import { requestCall as route } from '../../../shared/contract/visitors/widget.ts';
import { canDial, edgeDeps, visitorDeps } from '../../../shared/deps.ts';
import type { Call } from '../../../shared/domain/calls/call.ts';
import { pollInterval } from '../../../shared/domain/calls/poll-interval.ts';
import { forVisitors, handleChange } from '../../../shared/http/handle.ts';
import type { RestoreSecret } from '../../../shared/http/idempotency.ts';
import type { Headers } from '../../../shared/http/request.ts';
import { visitorProblem } from '../../../shared/http/visitors/visitor-refusals.ts';
import type { Macs } from '../../../shared/ports/vault.ts';
import { type RequestCallResult, requestCall } from '../../../shared/use-cases/visitors/request-call.ts';
import { cancelSecrets } from '../../../shared/use-cases/workspaces/keyed-hash.ts';

const placedCall = (call: Call) => ({
	data: {
		id: call.id,
		status: call.status,
		poll_after_ms: pollInterval(call, { now_ms: Date.parse(call.created_at), speed: 1 }),
	},
});

type Result = RequestCallResult & { readonly cancel_secret?: Headers };

export const handler = handleChange(forVisitors, route, {
	deps: () => {
		const deps = { ...edgeDeps(route.operation), ...visitorDeps(), can_dial: canDial() };
		return { ...deps, restoreSecret: restoreCancelSecret(deps.macs) };
	},
	respond: (result: Result) => {
		if (result.outcome !== 'placed') return { problem: visitorProblem(result) };
		const { call, cancel_secret = {} } = result;
		return { body: placedCall(call), resource_id: call.id, headers: cancel_secret };
	},
	run: async ({ body, caller }, deps) => {
		const result = await requestCall({ ...body, ...caller, name: body.name ?? null }, deps);
		if (result.outcome !== 'placed') return result;
		return { ...result, cancel_secret: await cancelSecretHeader(result.call.id, deps.macs) };
	},
});

/**
 * The header with the secret that cancels a call, for the page that requested it. Empty if the keys are unavailable: the
 * call is placed, but the page cannot cancel it.
 */
async function cancelSecretHeader(call_id: string, macs: Macs): Promise<Headers> {
	const secrets = await cancelSecrets(macs, call_id).catch(() => null);
	return secrets === null ? {} : { 'cancel-secret': secrets[0] };
}

/** Adds the secret to a stored response. It is the same one, because it is derived from the call's id. */
function restoreCancelSecret(macs: Macs): RestoreSecret {
	return async (response, { resource_id }) => {
		if (resource_id === null) return response;
		return { ...response, headers: { ...response.headers, ...(await cancelSecretHeader(resource_id, macs)) } };
	};
}
