import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../domain/kernel/same-secret.ts';

// The contract's routes for a provider's callbacks (`status`) and requests for instructions (`instructions`). The address
// of a leg ends in a MAC, so that only the provider that got it in a dial knows it: see
// docs/decisions/0012-a-legs-callback-address-carries-a-mac.md.

/** 128 bits cannot be guessed, and keep addresses short. */
const MAC_BYTES = 16;

type LegIds = { readonly call_id: string; readonly leg_id: string };

/** The MAC of a leg's address. `secret` is shared with the provider; the label separates this purpose from others. */
function macOf(secret: string, { call_id, leg_id }: LegIds): string {
	const mac = createHmac('sha256', secret).update(`leg-address\n${call_id}\n${leg_id}`).digest();
	return mac.subarray(0, MAC_BYTES).toString('base64url');
}

/** The path of a leg's routes, below the base URL. */
export function legPath(secret: string, ids: LegIds): string {
	return `/telephony/${ids.call_id}/${ids.leg_id}.${macOf(secret, ids)}`;
}

/** Whether one of these secrets made the address of a request. */
export function isOwnAddress(
	secrets: readonly string[],
	{ leg_mac, ...ids }: LegIds & { readonly leg_mac: string },
): boolean {
	return secrets.some((secret) => isSameSecret(macOf(secret, ids), leg_mac));
}

export const statusPath = (leg_path: string): string => `${leg_path}/status`;
export const instructionsPath = (leg_path: string): string => `${leg_path}/instructions`;
export const asksForInstructions = (path: string): boolean => path.endsWith('/instructions');
