import { createHash, timingSafeEqual } from 'node:crypto';
import { ID_PATTERN } from './id.ts';

// The token of a link in a message to a person: the id of a record, and a secret that only the message contains.

/** 256 random bits. */
export const SECRET_BYTES = 32;

/**
 * An id, then 43 characters of base64url. The last character encodes only four bits of the secret, so it can be only one of
 * 16 characters.
 */
const TOKEN = /^(\w{26})\.([\w-]{42}[AEIMQUYcgkosw048])$/;

/** The SHA-256 of a secret in hexadecimal digits. The table stores this hash, and never the secret. */
export const hashOf = (secret: Uint8Array): string => createHash('sha256').update(secret).digest('hex');

/** A secret as text, for a link or a cookie. */
export const formatSecret = (secret: Uint8Array): string => Buffer.from(secret).toString('base64url');

/** The secret in a text. Null if the text cannot be one of our secrets. */
export function parseSecret(text: string): Uint8Array | null {
	const secret = Buffer.from(text, 'base64url');
	return secret.byteLength === SECRET_BYTES && formatSecret(secret) === text ? secret : null;
}

export function formatToken(id: string, secret: Uint8Array): string {
	return `${id}.${formatSecret(secret)}`;
}

/**
 * The parts of a token that a client sent. Null if the token is malformed. This does not check whether the token is
 * genuine.
 */
export function parseToken(token: string): { readonly id: string; readonly secret: Uint8Array } | null {
	const [, id = '', secret = ''] = TOKEN.exec(token) ?? [];
	return ID_PATTERN.test(id) ? { id, secret: Buffer.from(secret, 'base64url') } : null;
}

/** Whether one of these hashes is the hash of the secret. Comparing a hash takes the same time in every case. */
export function isSecretOf(hashes: readonly string[], secret: Uint8Array): boolean {
	const hashOfSecret = Buffer.from(hashOf(secret), 'hex');
	return hashes.some((hash) => timingSafeEqual(Buffer.from(hash, 'hex'), hashOfSecret));
}
