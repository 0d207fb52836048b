import type { Sealed } from '../domain/kernel/sealed.ts';

/** Encrypts phone numbers. Code that has only this port can store a number but cannot read it. */
export type NumberSealer = {
	/** `number` is in E.164. Sealing a number uses no network. */
	sealNumber(number: string): Sealed;
};
/** Decrypts phone numbers. Only the functions that dial have this port. */
export type NumberOpener = { openNumber(sealed: Sealed): Promise<string> };
/**
 * To what a secret belongs: a webhook endpoint, or the chat of a workspace (see `teamWebhookOwner`). `id` names the endpoint or
 * the chat. The secret can be decrypted only for the same owner.
 */
export type SecretOwner = { readonly workspace_id: string; readonly id: string };
/** Encrypts and decrypts the secrets of webhook endpoints and the URLs of chats. Decrypting throws for another owner. */
export type SecretVault = {
	sealSecret(secret: string, owner: SecretOwner): Promise<Sealed>;
	openSecret(sealed: Sealed, owner: SecretOwner): Promise<string>;
};
/** The vault did not answer in time, because it was throttled or could not be reached. Nothing has changed. Retry later. */
export class VaultBusy extends Error {
	override readonly name = 'VaultBusy';
}
export const macPurposes = ['number-lookup', 'address-lookup'] as const;
export type MacPurpose = (typeof macPurposes)[number];
/** Keys for hashes. These keys are derived from a key that never leaves the vault. */
export type Macs = {
	/** The key for a purpose: 32 bytes that are always the same. Each key is derived once and kept in memory. */
	key(purpose: MacPurpose): Promise<Uint8Array>;
	/** The former keys for a purpose, with which older records are found. Absent if no key was ever replaced. */
	readonly former?: (purpose: MacPurpose) => Promise<readonly Uint8Array[]>;
};
