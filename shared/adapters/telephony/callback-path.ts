import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../domain/kernel/same-secret.ts';

// Where a provider reports on a leg (`status`) and asks what it should do next (`instructions`): the contract's routes. The
// address of a leg ends in a MAC, so that only who was given it by a dial knows it: see
// docs/decisions/0012-a-leg-is-known-by-its-address.md.

/** 128 bits cannot be guessed, and keep addresses short. */
const MAC_BYTES = 16;

type LegIds = { readonly call_id: string; readonly leg_id: string };

/** The MAC of a leg's address. `secret` is shared with the provider; the label keeps this purpose apart from its others. */
function macOf(secret: string, { call_id, leg_id }: LegIds): string {
	const mac = createHmac('sha256', secret).update(`leg-address\n${call_id}\n${leg_id}`).digest();
	return mac.subarray(0, MAC_BYTES).toString('base64url');
}

/** The path of a leg's routes, below the base URL. */
export function legPath(secret: string, ids: LegIds): string {
	return `/telephony/${ids.call_id}/${ids.leg_id}.${macOf(secret, ids)}`;
}

/** Whether a request came to an address that one of these secrets made; a bare one (no MAC) passes and proves nothing. */
export function isOwnAddress(
	secrets: readonly string[],
	{ leg_mac, ...ids }: LegIds & { readonly leg_mac: string | null },
): boolean {
	if (leg_mac === null) return true;
	return secrets.some((secret) => isSameSecret(macOf(secret, ids), leg_mac));
}

/** Where to report on a leg. */
export const statusPath = (leg_path: string): string => `${leg_path}/status`;
/** Where to ask what it should do next. */
export const instructionsPath = (leg_path: string): string => `${leg_path}/instructions`;

/** Whether a request to this path asks for instructions. */
export const asksForInstructions = (path: string): boolean => path.endsWith('/instructions');
