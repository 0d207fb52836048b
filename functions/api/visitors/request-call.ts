import { requestCall as route } from '../../../shared/contract/visitors/widget.ts';
import { edgeDeps, visitorDeps } from '../../../shared/deps.ts';
import type { Call } from '../../../shared/domain/calls/call.ts';
import { pollInterval } from '../../../shared/domain/calls/poll-interval.ts';
import type { RestoreSecret } from '../../../shared/http/earlier-answer.ts';
import { forVisitors, handleChange } from '../../../shared/http/handle.ts';
import type { Headers } from '../../../shared/http/request.ts';
import { visitorProblem } from '../../../shared/http/visitors/visitor-refusals.ts';
import type { Macs } from '../../../shared/ports/vault.ts';
import { cancelSecrets } from '../../../shared/use-cases/visitors/keyed-hash.ts';
import { type RequestCallResult, requestCall } from '../../../shared/use-cases/visitors/request-call.ts';

/**
 * The header with the secret that cancels a call, for the page that requested it. Empty if the keys are unavailable: the
 * call is placed, but the page cannot cancel it.
 */
async function cancelSecretHeader(call_id: string, macs: Macs): Promise<Headers> {
	const secrets = await cancelSecrets(macs, call_id).catch(() => null);
	return secrets === null ? {} : { 'cancel-secret': secrets[0] };
}

/** Adds the secret to an earlier answer. It is the same one, because it is derived from the call's id. */
function restoreCancelSecret(macs: Macs): RestoreSecret {
	return async (response, { resource_id }) => {
		if (resource_id === null) return response;
		return { ...response, headers: { ...response.headers, ...(await cancelSecretHeader(resource_id, macs)) } };
	};
}

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
		const deps = visitorDeps();
		return { ...edgeDeps(route.operation), ...deps, restoreSecret: restoreCancelSecret(deps.macs) };
	},
	answer: (result: Result) => {
		if (result.outcome !== 'placed') return { problem: visitorProblem(result) };
		const { call, cancel_secret = {} } = result;
		return { answer: placedCall(call), resource_id: call.id, headers: cancel_secret };
	},
	run: async ({ body, caller }, deps) => {
		const result = await requestCall({ ...body, ...caller, name: body.name ?? null }, deps);
		if (result.outcome !== 'placed') return result;
		return { ...result, cancel_secret: await cancelSecretHeader(result.call.id, deps.macs) };
	},
});
