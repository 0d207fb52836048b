import { cancelCall as route } from '../../../shared/contract/calls/call-routes.ts';
import { callDeps, edgeDeps } from '../../../shared/deps.ts';
import { handleForClient } from '../../../shared/http/handle.ts';
import { cancelProblem } from '../../../shared/http/refusals.ts';
import { cancelCall } from '../../../shared/use-cases/calls/cancel-call.ts';

export const handler = handleForClient(route, {
	deps: () => ({ ...edgeDeps(route.operation), ...callDeps() }),
	run: async ({ params, caller, remember }, deps) => {
		const asked = { workspace_id: caller.workspace_id, id: params.id };
		const outcome = await cancelCall(asked, (call) => remember({ data: call }), deps);
		return 'call' in outcome ? { answer: { data: outcome.call } } : { problem: cancelProblem(outcome) };
	},
});
