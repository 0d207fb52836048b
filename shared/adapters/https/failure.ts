import { type Obstacle, obstacleHint, type TlsFault } from '../../domain/webhooks/attempt-hint.ts';
import type { AttemptError } from '../../domain/webhooks/delivery.ts';

/** Why a POST has no usable response, for a person who can fix it. */
export type Failure = { readonly error: AttemptError; readonly hint: string };

export function failure(obstacle: Obstacle): Failure {
	return { error: obstacle.error, hint: obstacleHint(obstacle) };
}

/** The stage of a connection: no TCP yet, in the TLS handshake, or ready for HTTP. */
export type Stage = 'connecting' | 'handshake' | 'ready';

const CERTIFICATE_FAULTS: Readonly<Record<string, TlsFault>> = {
	CERT_HAS_EXPIRED: 'expired',
	CERT_NOT_YET_VALID: 'not_yet_valid',
	CERT_REVOKED: 'revoked',
	ERR_TLS_CERT_ALTNAME_INVALID: 'other_name',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'self_signed',
	SELF_SIGNED_CERT_IN_CHAIN: 'unknown_authority',
	UNABLE_TO_GET_ISSUER_CERT: 'unknown_authority',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown_authority',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'no_intermediate',
};
/** Parts of OpenSSL's codes (`ERR_SSL_...`). */
const PROTOCOL_FAULTS: readonly (readonly [RegExp, TlsFault])[] = [
	[/CERTIFICATE_REQUIRED|BAD_CERTIFICATE/, 'client_certificate'],
	[/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL/, 'not_tls'],
	[/UNSUPPORTED_PROTOCOL|PROTOCOL_VERSION/, 'version'],
	[/HANDSHAKE_FAILURE/, 'broken_off'],
];

function tlsFault(code: string): TlsFault {
	return CERTIFICATE_FAULTS[code] ?? PROTOCOL_FAULTS.find(([part]) => part.test(code))?.[1] ?? 'other';
}

const CONNECT_REFUSED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);
const RESET = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** The meaning of an error of node:https, at the connection's stage. */
export function failureOf(error: Error, stage: Stage): Failure {
	const code = 'code' in error ? String(error.code) : '';
	if (CONNECT_REFUSED.has(code)) return failure({ error: 'connect_refused' });
	if (code === 'ETIMEDOUT') return failure({ error: 'connect_timeout', accepted: false });
	if (code.startsWith('HPE_')) return failure({ error: 'invalid_response' });
	if (RESET.has(code)) return failure({ error: 'connection_reset' });
	// In TLS 1.3 a client can finish before the receiver has checked its (missing) certificate.
	if (stage !== 'ready' || code.startsWith('ERR_SSL_')) return failure({ error: 'tls_failed', fault: tlsFault(code) });
	return failure({ error: 'connection_reset' });
}
