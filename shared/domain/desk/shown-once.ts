import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

// Secrets that a person sees once. These secrets are stored from the moment the form is sent until the next page shows
// them. They are encrypted with a key from the session's secret, of which the table has only a hash. So neither a person
// who reads the table nor another session can read them.

/** How long the encrypted secret is stored after the form was sent. */
export const SHOWN_WITHIN_SECONDS = 600;
const CIPHER = 'aes-256-gcm';
/** 96 random bits for each text that is encrypted with one key (NIST SP 800-38D section 8.2.2). */
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (sessionSecret: Uint8Array): Buffer => createHmac('sha256', sessionSecret).update('shown once').digest();

/**
 * Encrypts a text for the person who has the session's cookie. `place` names where the encrypted text is stored; the text
 * cannot be decrypted for another place.
 */
export function sealForSession(sessionSecret: Uint8Array, text: string, place: string, nonce: Uint8Array): string {
	const cipher = createCipheriv(CIPHER, keyOf(sessionSecret), nonce).setAAD(Buffer.from(place));
	const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()]);
	return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Decrypts a text that was encrypted for this session and this place. Null for any other text. */
export function openForSession(sessionSecret: Uint8Array, sealed: string, place: string): string | null {
	const bytes = Buffer.from(sealed, 'base64url');
	if (bytes.byteLength < NONCE_BYTES + TAG_BYTES) return null;
	const decipher = createDecipheriv(CIPHER, keyOf(sessionSecret), bytes.subarray(0, NONCE_BYTES));
	decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
	try {
		const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
		return Buffer.concat([text, decipher.final()]).toString('utf8');
	} catch {
		return null;
	}
}
