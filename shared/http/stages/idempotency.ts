import * as z from 'zod/mini';
import type { Problem } from '../../contract/kernel/problem.ts';
import { IDEMPOTENCY_SECONDS, type IdempotencyRecord } from '../../domain/kernel/idempotency.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Put } from '../../ports/store.ts';
import type { SecretOwner } from '../../ports/vault.ts';
import { type HttpResponse, jsonResponse } from '../response.ts';
import type { Keyed } from './replay-earlier-answer.ts';

/** Replaces a secret in a stored response; a replay puts the secret back. */
export const SECRET_PLACEHOLDER = '\u0000secret\u0000';

/**
 * The write that stores a response in the transaction of the change that it reports. If the response has a secret, `body`
 * has the placeholder and `sealed_secret` the sealed secret, which is never stored in clear.
 */
export function keepAnswer(
	keyed: Keyed,
	answer: { readonly status: number; readonly body: string; readonly sealed_secret: string | null },
	now_ms: number,
): Put<'idempotency'> {
	const now_epoch_s = Math.floor(now_ms / 1000);
	return {
		op: 'put',
		record: 'idempotency',
		item: { ...keyed, ...answer, expires_at_epoch_s: now_epoch_s + IDEMPOTENCY_SECONDS },
		guard: { if: 'absent_or_expired', now_epoch_s },
	};
}

/** Decrypts the secret of a response: that of this workspace's endpoint `id`. */
export type OpenAnswered = (sealed: string, owner: SecretOwner) => Promise<string>;

export type IdempotencyDeps = Pick<Ports, 'store' | 'clock'> & {
	/** Only for responses with a secret that a replay must show again. */
	readonly openSecret?: OpenAnswered;
};

/** The id of the response's subject: an endpoint, if the response has a secret. */
const Answered = z.object({ data: z.object({ id: z.string() }) });

/** Returns the first response again, byte for byte; `openSecret` is needed if it had a secret. */
async function replay(
	record: IdempotencyRecord,
	workspace_id: string,
	openSecret: OpenAnswered | null,
): Promise<HttpResponse> {
	let { body } = record;
	if (record.sealed_secret !== null) {
		if (openSecret === null) throw new Error('an answer with a secret needs a vault to be replayed');
		const { id } = Answered.parse(JSON.parse(body)).data;
		body = withSecret(body, await openSecret(record.sealed_secret, { workspace_id, id }));
	}
	return jsonResponse(record.status, body, { 'idempotency-replayed': 'true' });
}

/** Puts the secret in place of the placeholder. The customer's own text may also contain the placeholder. */
export function withSecret(body: string, secret: string): string {
	// The secret is the last member of its response.
	const quoted = JSON.stringify(SECRET_PLACEHOLDER).slice(1, -1);
	const at = body.lastIndexOf(quoted);
	return body.slice(0, at) + secret + body.slice(at + quoted.length);
}

/** Decides what an earlier request with the same key means for this one; null if there was none (or it has expired). */
export async function earlierAnswer(
	keyed: Keyed,
	workspace_id: string,
	deps: IdempotencyDeps,
): Promise<{ readonly response: HttpResponse } | { readonly problem: Problem } | null> {
	const record = await deps.store.get('idempotency', { scope: keyed.scope });
	if (record === null || record.expires_at_epoch_s <= deps.clock.now() / 1000) return null;
	if (record.body_hash === keyed.body_hash)
		return { response: await replay(record, workspace_id, deps.openSecret ?? null) };
	return {
		problem: {
			code: 'idempotency_key_reused',
			detail: 'This Idempotency-Key came with another body within the last 24 hours.',
		},
	};
}
