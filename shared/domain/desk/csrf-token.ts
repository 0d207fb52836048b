import { createHash } from 'node:crypto';
import { isSameSecret } from '../webhooks/webhook-signature.ts';

/**
 * The CSRF token that every form on a session's pages contains. Only someone who has the secret from the cookie can compute
 * it.
 */
export function formToken(secret: Uint8Array): string {
	return createHash('sha256').update('form of the desk').update(secret).digest('base64url');
}

export const isFormOf = (secret: Uint8Array, token = ''): boolean => isSameSecret(formToken(secret), token);
