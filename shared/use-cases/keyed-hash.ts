import { createHmac } from 'node:crypto';
import { addressKey } from '../domain/rate-limit.ts';
import type { Macs } from '../ports/vault.ts';

function hmac(key: Uint8Array, ...parts: readonly string[]): string {
	return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}

/** What stands for a number in the table. Keyed, so nobody gets back to it by trying; another in every workspace. */
export async function numberHash(macs: Macs, workspace_id: string, e164: string): Promise<string> {
	return hmac(await macs.key('number-lookup'), workspace_id, e164);
}

/** What stands for a visitor's address, of an IPv6 address for its /64. */
export async function addressHash(macs: Macs, workspace_id: string, source_ip: string): Promise<string> {
	return hmac(await macs.key('address-lookup'), workspace_id, addressKey(source_ip));
}
