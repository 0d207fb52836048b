import {
	CHALLENGE_BYTES,
	type Challenge,
	isProven,
	newChallenge,
	readProof,
} from '../../domain/visitors/proof-of-work.ts';
import type { RequestSource } from '../../domain/workspaces/rate-limit.ts';
import type { Ports } from '../../ports/ports.ts';

type Deps = Pick<Ports, 'macs' | 'clock' | 'ids' | 'store'>;

/** How long a used proof is remembered after it has expired, in seconds: no two clocks differ by more. */
const REMEMBERED_SECONDS = 3600;

/**
 * Whether `header` proves work that we asked of this address for this workspace, and uses it up: of two requests with the same proof
 * one is proven. Asks the store only if everything else is right, so a made-up proof costs one MAC.
 */
export async function spendProof(
	header: string | undefined,
	{ address_hash }: RequestSource,
	{ macs, clock, store }: Deps,
): Promise<boolean> {
	const proof = header === undefined ? null : readProof(header);
	if (proof === null) return false;
	if (!isProven(proof, address_hash, clock.now(), await macs.key('proof-of-work'))) return false;
	const { counted } = await store.count({
		op: 'count',
		counter: `proof#${proof.id}`,
		limits: { used: 1 },
		expires_at_epoch_s: proof.expires_at_epoch_s + REMEMBERED_SECONDS,
	});
	return counted;
}

/**
 * Adds work to a refusal by a limit: with it, the request may pass. Every such refusal has it, for every reason, because a
 * stranger must not learn the reason; none of a request that was proven has it.
 */
export async function offerWork<Result extends { readonly outcome: string }>(
	result: Result,
	{ address_hash }: RequestSource,
	{ macs, clock, ids }: Deps,
): Promise<Result & { readonly proof_of_work?: Challenge }> {
	if (!('refused' in result) || result.refused !== 'rate_limited') return result;
	const key = await macs.key('proof-of-work');
	return { ...result, proof_of_work: newChallenge(ids.random(CHALLENGE_BYTES), address_hash, clock.now(), key) };
}
