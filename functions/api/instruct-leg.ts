import { instructLeg } from '../../shared/contract/routes/telephony.ts';
import { telephony, workerDeps } from '../../shared/deps.ts';
import { instructionFor } from '../../shared/domain/instruction.ts';
import { handleForProvider } from '../../shared/http/provider.ts';
import { NOT_FOUND } from '../../shared/http/refusals.ts';
import { applyLegFact } from '../../shared/use-cases/apply-leg-fact.ts';

/** A leg answered, or its person pressed a key: that is a fact of the call first, and then a question what to do next. */
export const handler = handleForProvider(instructLeg, {
	deps: () => ({ ...workerDeps(instructLeg.operation), telephony: telephony() }),
	run: async ({ ids, fact }, deps) => {
		if (fact !== null) await applyLegFact(ids, fact, deps);
		const call = await deps.store.get('call', { id: ids.call_id });
		const instruction = call === null ? null : instructionFor(call, ids.leg_id);
		if (instruction === null) return { problem: NOT_FOUND };
		const { content_type, body } = deps.telephony.render(instruction, ids);
		return { response: { statusCode: 200, headers: { 'content-type': content_type }, body } };
	},
});
