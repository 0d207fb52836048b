import { createCallbackLead } from '../../../shared/contract/visitors/widget-routes.ts';
import { edgeDeps, visitorDeps } from '../../../shared/deps.ts';
import { handleForVisitor } from '../../../shared/http/handle.ts';
import { visitorProblem } from '../../../shared/http/visitor-refusals.ts';
import { captureLead } from '../../../shared/use-cases/leads/capture-lead.ts';

export const handler = handleForVisitor(createCallbackLead, {
	deps: () => ({ ...edgeDeps(createCallbackLead.operation), ...visitorDeps() }),
	run: async ({ body, caller, remember }, deps) => {
		const request = { ...body, ...caller, name: body.name ?? null };
		const outcome = await captureLead(request, (lead) => remember({ data: lead }), deps);
		return 'lead' in outcome ? { answer: { data: outcome.lead } } : { problem: visitorProblem(outcome) };
	},
});
