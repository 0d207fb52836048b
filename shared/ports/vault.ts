import type { Sealed } from '../domain/kernel/sealed.ts';

/** Seals phone numbers: code with this port can write a number but not read it. */
export type NumberSealer = {
	/** `number` in E.164. No network. */
	sealNumber(number: string): Sealed;
};
/** Decrypts phone numbers: only for the dialling functions. */
export type NumberOpener = { openNumber(sealed: Sealed): Promise<string> };
/** The owner of a webhook secret: it is sealed for one endpoint (`id`), and decrypts only for that endpoint. */
export type SecretOwner = { readonly workspace_id: string; readonly id: string };
/** Seals and decrypts webhook secrets. Decrypting throws if the secret was sealed for another endpoint. */
export type SecretVault = {
	sealSecret(secret: string, owner: SecretOwner): Promise<Sealed>;
	openSecret(sealed: Sealed, owner: SecretOwner): Promise<string>;
};
/** The vault did not answer in time (throttled, unreachable). Nothing has changed; retry later. */
export class VaultBusy extends Error {
	override readonly name = 'VaultBusy';
}
export const macPurposes = ['number-lookup', 'address-lookup'] as const;
export type MacPurpose = (typeof macPurposes)[number];
/** Keys for hashes, derived from a key that never leaves the vault. */
export type Macs = {
	/** 32 bytes, always the same for a purpose; derived once and kept in memory. */
	key(purpose: MacPurpose): Promise<Uint8Array>;
	/** The replaced keys of the purpose, which find older records; absent if none was ever replaced. */
	readonly former?: (purpose: MacPurpose) => Promise<readonly Uint8Array[]>;
};
