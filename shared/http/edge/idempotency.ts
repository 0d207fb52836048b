import type { Problem } from '../../contract/kernel/problem.ts';
import type { Route } from '../../contract/route.ts';
import {
	bodyHashes,
	IDEMPOTENCY_SECONDS,
	type IdempotencyRecord,
	idempotencyScope,
	isIdempotencyKey,
	isSameBody,
} from '../../domain/kernel/idempotency.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Put } from '../../ports/store.ts';
import type { Macs } from '../../ports/vault.ts';
import { cancelSecrets } from '../../use-cases/access/keyed-hash.ts';
import { Refused } from './refusals.ts';
import type { Headers, HttpRequest, JsonBody } from './request.ts';
import { etagHeader, type HttpResponse, jsonResponse } from './response.ts';

/** The Idempotency-Key of a request: the key under which its response is stored, and the hashes of the request's body. */
export type RequestKey = Pick<IdempotencyRecord, 'scope' | 'body_hash' | 'json_hash'>;

/**
 * Puts the secret back into a stored response. The record has either the secret in encrypted form, or the id from which the
 * secret is derived.
 */
export type RestoreSecret = (
	response: HttpResponse,
	record: IdempotencyRecord,
	workspaceId: string,
) => Promise<HttpResponse>;

const KEY_INVALID: Problem = { code: 'idempotency_key_invalid', detail: 'Use 1 to 255 printable ASCII characters.' };
const KEY_REUSED: Problem = {
	code: 'idempotency_key_reused',
	detail: 'This Idempotency-Key came with another body within the last 24 hours.',
};

/** The Idempotency-Key of a request. Null if the request has no such header, or if its route is not idempotent. */
export function requestKey(
	{ idempotent, operation }: Route,
	{ headers, params }: HttpRequest,
	workspace_id: string,
	json: JsonBody,
): RequestKey | null {
	const key = headers['idempotency-key'];
	if (!idempotent || key === undefined) return null;
	if (!isIdempotencyKey(key)) throw new Refused(KEY_INVALID);
	const scope = idempotencyScope({ workspace_id, operation, resource_id: params['id'] ?? null, key });
	return { scope, ...bodyHashes(key, json) };
}

/**
 * If the Idempotency-Key was used before with the same body, repeats the first response, byte for byte. If it was used with
 * another body, refuses the request. If the key was not used before, responds with `respond`. If `respond` refuses, the
 * stored response is looked for again, because another request with the same key may have been answered in this time.
 */
export async function respondOnce(
	route: Route,
	key: RequestKey | null,
	workspaceId: string,
	deps: Pick<Ports, 'store' | 'clock'> & { readonly restoreSecret?: RestoreSecret },
	respond: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
	if (key === null) return respond();
	const earlier = async (): Promise<HttpResponse | null> => {
		const record = await deps.store.get('idempotency', { scope: key.scope });
		if (record === null || record.expires_at_epoch_s <= deps.clock.now() / 1000) return null;
		if (!isSameBody(record, key)) throw new Refused(KEY_REUSED);
		const storedResponse = jsonResponse(record.status, record.body, { 'idempotency-replayed': 'true' });
		const { headers, ...response } =
			(await deps.restoreSecret?.(storedResponse, record, workspaceId)) ?? storedResponse;
		return { ...response, headers: { ...headers, ...etagHeader(route, response.body) } };
	};
	const first = await earlier();
	if (first !== null) return first;
	try {
		return await respond();
	} catch (error) {
		const meanwhile = error instanceof Refused ? await earlier() : null;
		if (meanwhile === null) throw error;
		return meanwhile;
	}
}

/** The write that stores a response. It belongs to the transaction of the change that the response reports. */
export function putResponse(
	key: RequestKey,
	response: Pick<IdempotencyRecord, 'status' | 'body' | 'resource_id' | 'sealed_secret'>,
	nowMs: number,
): Put<'idempotency'> {
	const now_epoch_s = Math.floor(nowMs / 1000);
	return {
		op: 'put',
		record: 'idempotency',
		item: { ...key, ...response, expires_at_epoch_s: now_epoch_s + IDEMPOTENCY_SECONDS },
		guard: { if: 'absent_or_expired', now_epoch_s },
	};
}

/**
 * The header with the secret that cancels a call. Only the page that requested the call gets this header. If the keys from
 * which the secret is derived cannot be read, there is no such header: the call is placed, but the page cannot cancel it.
 */
export async function cancelSecretHeader(callId: string, macs: Macs): Promise<Headers> {
	const secrets = await cancelSecrets(macs, callId).catch(() => null);
	return secrets === null ? {} : { 'cancel-secret': secrets[0] };
}

/**
 * Adds the secret that cancels the call to a stored response. It is the same secret as in the first response, because it is
 * derived from the call's id.
 */
export function restoreCancelSecret(macs: Macs): RestoreSecret {
	return async (response, { resource_id }) => {
		if (resource_id === null) return response;
		return { ...response, headers: { ...response.headers, ...(await cancelSecretHeader(resource_id, macs)) } };
	};
}
