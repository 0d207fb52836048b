import type { SendResult } from '../../domain/webhooks/attempt-outcome.ts';
import type { PhaseTimings } from '../../domain/webhooks/delivery.ts';
import { type Obstacle, obstacleHint, type TlsFault } from '../../domain/webhooks/receiver-hint.ts';

/** The result of a POST without a usable response. The hint in the result is for a person who can fix the cause. */
export function failureOf(obstacle: Obstacle, timings: PhaseTimings): SendResult {
	return { kind: 'failure', error: obstacle.error, hint: obstacleHint(obstacle), timings };
}

/** How far a connection has come: no TCP yet, in the TLS handshake, or ready for HTTP. */
export type Stage = 'connecting' | 'handshake' | 'ready';

const CERTIFICATE_FAULTS: Readonly<Record<string, TlsFault>> = {
	CERT_HAS_EXPIRED: 'expired',
	CERT_NOT_YET_VALID: 'not_yet_valid',
	ERR_TLS_CERT_ALTNAME_INVALID: 'other_name',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'not_public',
	SELF_SIGNED_CERT_IN_CHAIN: 'not_public',
	UNABLE_TO_GET_ISSUER_CERT: 'not_public',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'not_public',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'no_intermediate',
};
/** Parts of OpenSSL's error codes (`ERR_SSL_...`). */
const PROTOCOL_FAULTS: readonly (readonly [RegExp, TlsFault])[] = [
	[/CERTIFICATE_REQUIRED|BAD_CERTIFICATE|HANDSHAKE_FAILURE/, 'client_certificate'],
	[/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL/, 'not_tls'],
];

function tlsFault(code: string): TlsFault {
	return CERTIFICATE_FAULTS[code] ?? PROTOCOL_FAULTS.find(([part]) => part.test(code))?.[1] ?? 'other';
}

const CONNECT_REFUSED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);
const RESET = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** What an error of node:https means at this stage of the connection. */
export function obstacleOf(error: Error, stage: Stage): Obstacle {
	const code = 'code' in error ? String(error.code) : '';
	if (CONNECT_REFUSED.has(code)) return { error: 'connect_refused' };
	if (code === 'ETIMEDOUT') return { error: 'connect_timeout' };
	if (code.startsWith('HPE_')) return { error: 'invalid_response' };
	if (RESET.has(code)) return { error: 'connection_reset' };
	// In TLS 1.3, the receiver may check the client's certificate only after the client has finished the handshake. So a
	// TLS error is still possible when the connection is ready.
	if (stage !== 'ready' || code.startsWith('ERR_SSL_')) return { error: 'tls_failed', fault: tlsFault(code) };
	return { error: 'connection_reset' };
}
