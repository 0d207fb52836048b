import { requestCall as route } from '../../../shared/contract/widget/widget.ts';
import { canDial, edgeDeps, visitorDeps } from '../../../shared/deps.ts';
import type { Call } from '../../../shared/domain/calls/call.ts';
import { pollInterval } from '../../../shared/domain/calls/poll-interval.ts';
import { forVisitors, handleChange } from '../../../shared/http/edge/handle.ts';
import { cancelSecretHeader, restoreCancelSecret } from '../../../shared/http/edge/idempotency.ts';
import type { Headers } from '../../../shared/http/edge/request.ts';
import { visitorProblem } from '../../../shared/http/widget/visitor-refusals.ts';
import { type RequestCallResult, requestCall } from '../../../shared/use-cases/widget/request-call.ts';

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
