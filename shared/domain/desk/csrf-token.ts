import { createHash } from 'node:crypto';
import { isSameSecret } from '../webhooks/webhook-signature.ts';

/** The CSRF token in every form of a session's pages. Only the holder of the cookie's secret can compute it. */
export function formToken(secret: Uint8Array): string {
	return createHash('sha256').update('form of the desk').update(secret).digest('base64url');
}

export const isFormOf = (secret: Uint8Array, token = ''): boolean => isSameSecret(formToken(secret), token);
