import { createHash, timingSafeEqual } from 'node:crypto';
import { ID_PATTERN } from './id.ts';

// The token of a link in a message to a person: what the link is about, and a secret that only the message contains.

/** 256 random bits. */
export const SECRET_BYTES = 32;

/** An id and 43 characters of base64url, whose last carries four bits. */
const TOKEN = /^(\w{26})\.([\w-]{42}[AEIMQUYcgkosw048])$/;

/** The SHA-256 of a secret in hexadecimal digits, which is all that the table keeps of it. */
export const hashOf = (secret: Uint8Array): string => createHash('sha256').update(secret).digest('hex');

/** A secret as text, as the token of a link or in a cookie. The secret alone finds its record. */
export const formatSecret = (secret: Uint8Array): string => Buffer.from(secret).toString('base64url');

/** The secret in a text; null if it cannot be one of ours. */
export function parseSecret(text: string): Uint8Array | null {
	const secret = Buffer.from(text, 'base64url');
	return secret.byteLength === SECRET_BYTES && formatSecret(secret) === text ? secret : null;
}

export function formatToken(id: string, secret: Uint8Array): string {
	return `${id}.${formatSecret(secret)}`;
}

/** Splits a presented token into its parts; null if it is malformed. Does not check whether it is genuine. */
export function parseToken(token: string): { readonly id: string; readonly secret: Uint8Array } | null {
	const [, id = '', secret = ''] = TOKEN.exec(token) ?? [];
	return ID_PATTERN.test(id) ? { id, secret: Buffer.from(secret, 'base64url') } : null;
}

/** Whether one of these hashes is the secret's. Compares in constant time. */
export function isSecretOf(hashes: readonly string[], secret: Uint8Array): boolean {
	const hashOfSecret = Buffer.from(hashOf(secret), 'hex');
	return hashes.some((hash) => timingSafeEqual(Buffer.from(hash, 'hex'), hashOfSecret));
}
