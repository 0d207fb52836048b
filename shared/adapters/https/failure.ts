import type { AttemptError } from '../../domain/delivery.ts';

/** Why a POST has no usable answer, for a person who can do something about it. */
export type Failure = { readonly error: AttemptError; readonly hint: string };

const TLS_HINTS: Readonly<Record<string, string>> = {
	CERT_HAS_EXPIRED: 'The certificate of the receiver has expired; renew it.',
	CERT_NOT_YET_VALID: 'The certificate of the receiver is not valid yet; check its dates.',
	ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the receiver is for another host name.',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the receiver is self-signed; use one of a public authority.',
	SELF_SIGNED_CERT_IN_CHAIN: 'The certificate chain of the receiver ends in an unknown authority.',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The receiver does not send its intermediate certificates.',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate of the receiver is from an unknown authority.',
};

const HINTS: { readonly [E in Exclude<AttemptError, 'tls_failed' | 'http_status' | 'redirect_not_followed'>]: string } =
	{
		dns_not_found: 'The host name does not exist; check the URL and its DNS records.',
		dns_failed: 'The host name could not be resolved in time; check its name servers.',
		target_blocked: 'The URL leads to an address that webhooks may not be sent to.',
		connect_refused: 'Nothing accepts connections at the host and port; is the receiver running?',
		connect_timeout: 'No connection within the time limit; does a firewall drop it?',
		timeout: 'No complete answer within the time limit; answer first and work later.',
		connection_reset: 'The receiver closed the connection before it had answered.',
		invalid_response: 'The answer is not valid HTTP, or its headers are too large.',
		internal: 'Something went wrong on our side; it will be tried again.',
	};

export function failure(error: keyof typeof HINTS): Failure {
	return { error, hint: HINTS[error] };
}

function tls(code: string): Failure {
	return {
		error: 'tls_failed',
		hint: TLS_HINTS[code] ?? 'No TLS connection could be made; check certificate and TLS versions.',
	};
}

const CONNECT_REFUSED = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);
const RESET = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** What an error of node:https means. `connected`: the TLS handshake was over. */
export function failureOf(error: Error, connected: boolean): Failure {
	const code = 'code' in error ? String(error.code) : '';
	if (CONNECT_REFUSED.has(code)) return failure('connect_refused');
	if (code === 'ETIMEDOUT') return failure('connect_timeout');
	if (code.startsWith('HPE_')) return failure('invalid_response');
	if (RESET.has(code)) return failure('connection_reset');
	return connected ? failure('connection_reset') : tls(code);
}
