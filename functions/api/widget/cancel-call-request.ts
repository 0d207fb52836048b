import { cancelCallRequest as route } from '../../../shared/contract/widget/widget.ts';
import { callDeps, edgeDeps, macs } from '../../../shared/deps.ts';
import { forPollers, handle } from '../../../shared/http/edge/handle.ts';
import { ownCancelProblem } from '../../../shared/http/widget/visitor-refusals.ts';
import { requestStatus } from '../../../shared/use-cases/calls/request-status.ts';
import { cancelOwnCall } from '../../../shared/use-cases/widget/cancel-own-call.ts';

export const handler = handle(forPollers, route, {
	deps: () => ({ ...edgeDeps(route.operation), ...callDeps(), macs: macs() }),
	run: async ({ body, caller: { call } }, deps) => {
		const result = await cancelOwnCall({ call_id: call.id, secret: body.cancel_secret }, deps);
		if (result.outcome !== 'canceled') return { problem: ownCancelProblem(result) };
		return {
			body: { data: requestStatus(result.call, { now_ms: deps.clock.now(), speed: deps.speed }) },
		};
	},
});
