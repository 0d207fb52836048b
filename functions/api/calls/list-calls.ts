import { listCalls } from '../../../shared/contract/calls/call-routes.ts';
import { edgeDeps, macs } from '../../../shared/deps.ts';
import { handleForClient } from '../../../shared/http/handle.ts';
import { answerList } from '../../../shared/http/list.ts';

export const handler = handleForClient(listCalls, {
	deps: () => ({ ...edgeDeps(listCalls.operation), macs: macs() }),
	run: ({ query, caller }, deps) =>
		answerList('call', { operation: listCalls.operation, workspace_id: caller.workspace_id, query }, deps, {
			accept: (call) => query.status === undefined || query.status.includes(call.status),
			present: (call) => call,
		}),
});
