import { getCall } from '../../../shared/contract/calls/call-routes.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { handleForClient } from '../../../shared/http/handle.ts';
import { NOT_FOUND } from '../../../shared/http/refusals.ts';

export const handler = handleForClient(getCall, {
	deps: () => edgeDeps(getCall.operation),
	run: async ({ params, caller }, { store }) => {
		const call = await store.get('call', { id: params.id });
		if (call === null || call.workspace_id !== caller.workspace_id) return { problem: NOT_FOUND };
		return { answer: { data: call } };
	},
});
