import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';

// Secrets that a person sees once, kept from the form to the next page. They are sealed by the secret of the session, of
// which the table has only a hash, so neither the table alone nor another session can read them.

/** How long a secret is kept after the form was sent, so that the next page can show it. */
export const SHOWN_WITHIN_SECONDS = 600;
const CIPHER = 'aes-256-gcm';
/** NIST SP 800-38D section 8.2.2: 96 random bits for each text under one key. */
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (sessionSecret: Uint8Array): Buffer => createHmac('sha256', sessionSecret).update('shown once').digest();

/**
 * Seals a text for the holder of a session's cookie. `place`: where the sealed text is kept; it cannot be opened at another
 * place.
 */
export function sealForSession(sessionSecret: Uint8Array, text: string, place: string, nonce: Uint8Array): string {
	const cipher = createCipheriv(CIPHER, keyOf(sessionSecret), nonce).setAAD(Buffer.from(place));
	const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()]);
	return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url');
}

/** Opens what was sealed for this session at this place; null if it was not. */
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
