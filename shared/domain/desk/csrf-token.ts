import { createHash } from 'node:crypto';
import { isSameSecret } from '../webhooks/webhook-signature.ts';

/** The token that every form of a session's pages contains. Only the holder of the cookie's secret can compute it. */
export function formToken(secret: Uint8Array): string {
	return createHash('sha256').update('form of the desk').update(secret).digest('base64url');
}

/** Whether a form contains the token of this session. */
export const isFormOf = (secret: Uint8Array, token = ''): boolean => isSameSecret(formToken(secret), token);
