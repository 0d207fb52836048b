import type { Sealed } from '../domain/kernel/sealed.ts';

/** Seals phone numbers: its holder can write one but not read it. */
export type NumberSealer = {
	/** `number` in E.164. No network. */
	sealNumber(number: string): Sealed;
};
/** Opens phone numbers: only for the dialling functions. */
export type NumberOpener = { openNumber(sealed: Sealed): Promise<string> };
/** Whose a webhook secret is: sealed for one endpoint (`id`), it opens for that one only. */
export type SecretOwner = { readonly workspace_id: string; readonly id: string };
/** Seals and opens webhook secrets. Opening throws when the secret was sealed for another endpoint. */
export type SecretVault = {
	sealSecret(secret: string, owner: SecretOwner): Promise<Sealed>;
	openSecret(sealed: Sealed, owner: SecretOwner): Promise<string>;
};
/** The vault did not answer in time (throttled, unreachable); nothing came of it, ask again later. */
export class VaultBusy extends Error {
	override readonly name = 'VaultBusy';
}
export type MacPurpose = 'number-lookup' | 'address-lookup' | 'proof-of-work' | 'cursor';
/** Keyed hashes whose keys never leave the vault's owner. */
export type Macs = {
	/** 32 bytes, the same for the same purpose for ever; derived once and kept in memory. */
	key(purpose: MacPurpose): Promise<Uint8Array>;
	/** The purpose's keys before they were replaced, by which earlier records are found; absent where none ever was. */
	readonly former?: (purpose: MacPurpose) => Promise<readonly Uint8Array[]>;
};
