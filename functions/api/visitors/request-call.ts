import { requestCall as route } from '../../../shared/contract/visitors/widget.ts';
import { edgeDeps, visitorDeps } from '../../../shared/deps.ts';
import type { Call } from '../../../shared/domain/calls/call.ts';
import { pollInterval } from '../../../shared/domain/calls/poll-interval.ts';
import { forVisitors, handleChange } from '../../../shared/http/handle.ts';
import { withCancelSecret } from '../../../shared/http/visitors/cancel-secret.ts';
import { visitorProblem } from '../../../shared/http/visitors/visitor-refusals.ts';
import { type RequestCallResult, requestCall } from '../../../shared/use-cases/visitors/request-call.ts';

const accepted = (call: Call) => ({
	data: {
		id: call.id,
		status: call.status,
		poll_after_ms: pollInterval(call, { now_ms: Date.parse(call.created_at), speed: 1 }),
	},
});

const deps = { ...edgeDeps(route.operation), ...visitorDeps() };

const answer = handleChange(forVisitors, route, {
	deps: () => deps,
	answer: (result: RequestCallResult) =>
		result.outcome === 'placed' ? { answer: accepted(result.call) } : { problem: visitorProblem(result) },
	run: ({ body, caller }, given) => requestCall({ ...body, ...caller, name: body.name ?? null }, given),
});

export const handler = withCancelSecret(answer, deps.macs);
