import type { Problem } from '../../contract/kernel/problem.ts';
import type { Route } from '../../contract/route.ts';
import { bodyHash, idempotencyScope, isIdempotencyKey } from '../../domain/kernel/idempotency.ts';
import { Answered, type Exchange, found, Refused } from '../exchange.ts';
import { etagHeader } from '../headers/etag.ts';
import { onRefusal, type Stage } from '../pipeline.ts';
import { earlierAnswer, type IdempotencyDeps } from './idempotency.ts';

/** A request with an Idempotency-Key. */
export type Keyed = { readonly scope: string; readonly body_hash: string };

const KEY_INVALID: Problem = { code: 'idempotency_key_invalid', detail: 'Use 1 to 255 printable ASCII characters.' };

/**
 * Answers a repeated request with the first response to its Idempotency-Key. If the request is refused for any reason, it
 * checks again, because another request with the same key may have been answered meanwhile.
 */
export function replayEarlierAnswer(route: Route, deps: IdempotencyDeps): Stage {
	const earlier = async ({ keyed, workspace_id }: Exchange) => {
		if (keyed === undefined || keyed === null) return null;
		const answer = await earlierAnswer(keyed, found(workspace_id, 'admit'), deps);
		if (answer === null || 'problem' in answer) return answer;
		const { response } = answer;
		return { response: { ...response, headers: { ...response.headers, ...etagHeader(route, response.body) } } };
	};
	return {
		name: 'replay-earlier-answer',
		before: async ({ event: exchange }) => {
			exchange.keyed = route.idempotent ? keyedBy(route, exchange) : null;
			const answer = await earlier(exchange);
			if (answer === null) return;
			throw 'response' in answer ? new Answered(answer.response) : new Refused(answer.problem);
		},
		onError: onRefusal(async (exchange) => await earlier(exchange)),
	};
}

function keyedBy(route: Route, { request, workspace_id, json }: Exchange): Keyed | null {
	const key = request.headers['idempotency-key'];
	if (key === undefined) return null;
	if (!isIdempotencyKey(key)) throw new Refused(KEY_INVALID);
	const resource_id = request.params['id'] ?? null;
	const parts = { workspace_id: found(workspace_id, 'admit'), operation: route.operation, resource_id, key };
	return { scope: idempotencyScope(parts), body_hash: bodyHash(key, found(json, 'read-json').raw) };
}
