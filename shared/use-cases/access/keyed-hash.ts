import { createHmac } from 'node:crypto';
import { addressKey, networkKey } from '../../domain/access/ip-address.ts';
import type { Macs } from '../../ports/vault.ts';

function hmac(key: Uint8Array, ...parts: readonly string[]): string {
	return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}

/**
 * The hash that stands for a number in the table. This hash is made with a secret key, because otherwise a reader of the
 * table could find the number by hashing all numbers. A number has a different hash in each workspace.
 */
export async function numberHash(macs: Macs, workspaceId: string, e164: string): Promise<string> {
	return hmac(await macs.key('number-lookup'), workspaceId, e164);
}

/** The hashes of this number that were made with older keys. Older records may be stored under these hashes. */
export async function formerNumberHashes(macs: Macs, workspaceId: string, e164: string): Promise<readonly string[]> {
	const keys = (await macs.former?.('number-lookup')) ?? [];
	return keys.map((key) => hmac(key, workspaceId, e164));
}

/** All hashes under which a number may be in the table. The hash of the current key comes first. */
export async function numberHashes(
	macs: Macs,
	workspaceId: string,
	e164: string,
): Promise<readonly [string, ...string[]]> {
	return [await numberHash(macs, workspaceId, e164), ...(await formerNumberHashes(macs, workspaceId, e164))];
}

/** The longest beginning of a number that a rule about callable numbers may name, in characters including the plus sign. */
const LONGEST_BEGINNING = 15;
/**
 * How many characters of each hash are stored. These characters contain 66 bits, which is enough to tell all beginnings of
 * one number apart.
 */
const BEGINNING_CHARACTERS = 11;

/**
 * The hashes of the beginnings of a member's number. The shortest beginning is the plus sign with one digit, and the
 * longest has `LONGEST_BEGINNING` characters. With these hashes, a new rule can be applied while the number itself stays
 * encrypted. `wholeHash` is the hash of the whole number. Each hash of a beginning includes `wholeHash`, so that two
 * numbers with the same area code have different hashes. So the table does not show which numbers have the same area code.
 */
export async function beginningHashes(macs: Macs, wholeHash: string, e164: string): Promise<readonly string[]> {
	const beginnings = Array.from({ length: Math.min(e164.length, LONGEST_BEGINNING) - 1 }, (_, n) =>
		e164.slice(0, n + 2),
	);
	const key = await macs.key('number-lookup');
	return beginnings.map((each) => beginningHash(key, wholeHash, each));
}

const beginningHash = (key: Uint8Array, wholeHash: string, beginning: string): string =>
	hmac(key, 'beginning', wholeHash, beginning).slice(0, BEGINNING_CHARACTERS);

/**
 * Returns a function that makes all hashes of a beginning of this number: one with the current key, and one with each older
 * key.
 */
export async function beginningTest(macs: Macs, wholeHash: string): Promise<(beginning: string) => readonly string[]> {
	const keys = [await macs.key('number-lookup'), ...((await macs.former?.('number-lookup')) ?? [])];
	return (beginning) => keys.map((key) => beginningHash(key, wholeHash, beginning));
}

/**
 * The hash that stands for a number in the counters of the whole platform. This hash differs from every hash of the number
 * in a workspace.
 */
export async function platformNumberHash(macs: Macs, e164: string): Promise<string> {
	return hmac(await macs.key('number-lookup'), 'platform', e164);
}

/**
 * The secrets with which the widget's page may cancel its call. The secret of the current key comes first. The secrets are
 * derived from the call's id, so they are not stored, and a repeated request gets the same secret again.
 */
export async function cancelSecrets(macs: Macs, callId: string): Promise<readonly [string, ...string[]]> {
	const former = (await macs.former?.('address-lookup')) ?? [];
	const secret = (key: Uint8Array): string => hmac(key, 'cancel-call-request', callId);
	return [secret(await macs.key('address-lookup')), ...former.map(secret)];
}

/**
 * The hash that stands for the IP address of a request. For an IPv6 address, this is the hash of its /64. An address has a
 * different hash in each workspace.
 */
export async function addressHash(macs: Macs, workspaceId: string, sourceIp: string): Promise<string> {
	return hmac(await macs.key('address-lookup'), workspaceId, addressKey(sourceIp));
}

/** The hash that stands for the network of a request, which is the /48 of an IPv6 address. Null for any other address. */
export async function networkHash(macs: Macs, workspaceId: string, sourceIp: string): Promise<string | null> {
	const network = networkKey(sourceIp);
	return network === null ? null : hmac(await macs.key('address-lookup'), workspaceId, network);
}
