import { requestCall as route } from '../../../shared/contract/visitors/widget-routes.ts';
import { edgeDeps, visitorDeps } from '../../../shared/deps.ts';
import type { Call } from '../../../shared/domain/calls/call.ts';
import { pollInterval } from '../../../shared/domain/calls/poll-interval.ts';
import { handleForVisitor } from '../../../shared/http/handle.ts';
import { visitorProblem } from '../../../shared/http/visitor-refusals.ts';
import { requestCall } from '../../../shared/use-cases/visitors/request-call.ts';

const accepted = (call: Call) => ({
	data: { id: call.id, status: call.status, poll_after_ms: pollInterval(call, Date.parse(call.created_at)) },
});

export const handler = handleForVisitor(route, {
	deps: () => ({ ...edgeDeps(route.operation), ...visitorDeps() }),
	run: async ({ body, caller, remember }, deps) => {
		const request = { ...body, ...caller, name: body.name ?? null };
		const outcome = await requestCall(request, (call) => remember(accepted(call)), deps);
		return 'call' in outcome ? { answer: accepted(outcome.call) } : { problem: visitorProblem(outcome) };
	},
});
