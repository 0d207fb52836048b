import { createCallbackLead as route } from '../../../shared/contract/widget/widget.ts';
import { edgeDeps, visitorDeps } from '../../../shared/deps.ts';
import { forVisitors, handleChange } from '../../../shared/http/edge/handle.ts';
import { visitorProblem } from '../../../shared/http/widget/visitor-refusals.ts';
import { type CaptureLeadResult, captureLead } from '../../../shared/use-cases/leads/capture-lead.ts';

export const handler = handleChange(forVisitors, route, {
	deps: () => ({ ...edgeDeps(route.operation), ...visitorDeps() }),
	respond: (result: CaptureLeadResult) =>
		result.outcome === 'captured' ? { body: { data: result.lead } } : { problem: visitorProblem(result) },
	run: ({ body, caller }, deps) => {
		const { name = null, note = null } = body;
		return captureLead({ ...body, ...caller, name, note }, deps);
	},
});
