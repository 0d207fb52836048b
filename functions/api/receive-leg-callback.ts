import { receiveLegCallback } from '../../shared/contract/routes/telephony.ts';
import { telephony, workerDeps } from '../../shared/deps.ts';
import { handleForProvider } from '../../shared/http/provider.ts';
import { NOT_FOUND } from '../../shared/http/refusals.ts';
import { applyLegFact } from '../../shared/use-cases/apply-leg-fact.ts';

/** Repeated and late callbacks are welcome: facts accumulate, so they change nothing twice. */
export const handler = handleForProvider(receiveLegCallback, {
	deps: () => ({ ...workerDeps(receiveLegCallback.operation), telephony: telephony() }),
	run: async ({ ids, fact }, deps) => {
		if (fact !== null && (await applyLegFact(ids, fact, deps)) === 'not_found') return { problem: NOT_FOUND };
		return { response: { statusCode: 204, headers: {} } };
	},
});
