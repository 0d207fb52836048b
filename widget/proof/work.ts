import type { Challenge } from '../../shared/domain/visitors/proof-of-work.ts';
import { loadSolver } from './load-solver.ts';

/** One request works this often: a proof may come too late, or from an address that has changed. */
const TIMES = 2;

/**
 * Sends a request by `ask`, and does the work that its answer asks for. Each turn is one step, and answers null when the next is to be
 * taken at once. `begin` is asked before the work; what it refuses is not done.
 */
export function createWork<Answer extends { readonly proof_of_work?: Challenge | undefined }>(
	ask: (signal: AbortSignal, proof: string) => Promise<Answer>,
	begin: () => boolean,
) {
	let times = 0;
	let asked: Challenge | undefined;
	let proof = '';
	return async (signal: AbortSignal): Promise<Answer | null> => {
		if (asked) proof = await (await loadSolver()).solve(asked, signal);
		asked = undefined;
		const answer = await ask(signal, proof);
		proof = '';
		if (!answer.proof_of_work || times === TIMES || !begin()) return answer;
		times += 1;
		asked = answer.proof_of_work;
		return null;
	};
}
