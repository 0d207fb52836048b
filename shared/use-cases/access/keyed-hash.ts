import { createHmac } from 'node:crypto';
import { addressKey, networkKey } from '../../domain/access/ip-address.ts';
import type { Macs } from '../../ports/vault.ts';

function hmac(key: Uint8Array, ...parts: readonly string[]): string {
	return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}

/** Represents a number in the table. Keyed, so that the number cannot be found by trying; different in every workspace. */
export async function numberHash(macs: Macs, workspaceId: string, e164: string): Promise<string> {
	return hmac(await macs.key('number-lookup'), workspaceId, e164);
}

/** The hashes with replaced keys, under which older records of this number may be stored. */
export async function formerNumberHashes(macs: Macs, workspaceId: string, e164: string): Promise<readonly string[]> {
	const keys = (await macs.former?.('number-lookup')) ?? [];
	return keys.map((key) => hmac(key, workspaceId, e164));
}

/** Every hash that may represent a number in the table, the current one first. */
export async function numberHashes(
	macs: Macs,
	workspaceId: string,
	e164: string,
): Promise<readonly [string, ...string[]]> {
	return [await numberHash(macs, workspaceId, e164), ...(await formerNumberHashes(macs, workspaceId, e164))];
}

/** The longest beginning that a rule may name, in characters with the plus sign. */
const LONGEST_BEGINNING = 15;
/** 66 bits: no two beginnings of one member's number have the same hash. */
const BEGINNING_CHARACTERS = 11;

/**
 * Represents each beginning of a member's number in the table, from `+1` on, so that a new rule can be judged while the number
 * stays sealed. `wholeHash`: of the whole number; it makes them different for every number, so that the table does not show
 * who shares an area code.
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

/** Every hash that may represent a beginning of a number, under each key so far. */
export async function beginningTest(macs: Macs, wholeHash: string): Promise<(beginning: string) => readonly string[]> {
	const keys = [await macs.key('number-lookup'), ...((await macs.former?.('number-lookup')) ?? [])];
	return (beginning) => keys.map((key) => beginningHash(key, wholeHash, beginning));
}

/** Represents a number in the platform's counters. No record of a workspace has this hash. */
export async function platformNumberHash(macs: Macs, e164: string): Promise<string> {
	return hmac(await macs.key('number-lookup'), 'platform', e164);
}

/**
 * The secrets with which the page may cancel its call, the current one first. They are derived from the call's id, so they
 * are not stored, and a replay of the request returns the same secret.
 */
export async function cancelSecrets(macs: Macs, callId: string): Promise<readonly [string, ...string[]]> {
	const former = (await macs.former?.('address-lookup')) ?? [];
	const secret = (key: Uint8Array): string => hmac(key, 'cancel-call-request', callId);
	return [secret(await macs.key('address-lookup')), ...former.map(secret)];
}

/** Represents the address of a request (the /64 of an IPv6 address); different in every workspace. */
export async function addressHash(macs: Macs, workspaceId: string, sourceIp: string): Promise<string> {
	return hmac(await macs.key('address-lookup'), workspaceId, addressKey(sourceIp));
}

/** Represents the network of a request, the /48 of an IPv6 address; null for any other address. */
export async function networkHash(macs: Macs, workspaceId: string, sourceIp: string): Promise<string | null> {
	const network = networkKey(sourceIp);
	return network === null ? null : hmac(await macs.key('address-lookup'), workspaceId, network);
}
