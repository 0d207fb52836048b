import { cancelCall as route } from '../../../shared/contract/calls/calls.ts';
import { callDeps, edgeDeps } from '../../../shared/deps.ts';
import { forClients, handleChange } from '../../../shared/http/edge/handle.ts';
import { alreadyTerminal, NOT_FOUND } from '../../../shared/http/edge/refusals.ts';
import { type CancelCallResult, cancelCall } from '../../../shared/use-cases/calls/cancel-call.ts';

export const handler = handleChange(forClients, route, {
	deps: () => ({ ...edgeDeps(route.operation), ...callDeps() }),
	respond: (result: CancelCallResult) => {
		switch (result.outcome) {
			case 'canceled':
				return { body: { data: result.call } };
			case 'call_already_terminal':
				return { problem: alreadyTerminal(result.call_status) };
			case 'not_found':
				return { problem: NOT_FOUND };
		}
	},
	run: ({ params, caller }, deps) => cancelCall({ workspace_id: caller.workspace_id, id: params.id }, deps),
});
