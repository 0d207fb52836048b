import type { AttemptError } from './delivery.ts';

// The hint that a customer sees next to an attempt's error: what happened, and what to do. The hint never contains an
// internal address.

export type TlsFault = keyof typeof TLS_HINTS;
const TLS_HINTS = {
	expired: 'The certificate of the receiver has expired; renew it.',
	not_yet_valid: 'The certificate of the receiver is not valid yet; check its dates.',
	other_name: 'The certificate of the receiver is for another host name; use one that names the host of the URL.',
	not_public: 'The certificate of the receiver is not from a public authority; use one that is.',
	no_intermediate: 'The receiver does not send its intermediate certificates; configure it with the full chain.',
	client_certificate:
		'The receiver may demand a client certificate, and webhooks have none; verify signatures instead.',
	not_tls: 'What listens at this port does not speak TLS; check the port of the URL.',
	other: 'No TLS 1.2 or 1.3 connection could be made; check the certificate and TLS settings of the receiver.',
} as const;

/** Hints for errors without a response, except TLS errors and refused targets. */
const HINTS = {
	dns_not_found: 'The host name has no address; check the spelling of the URL and its DNS records.',
	dns_failed: 'The host name could not be resolved in time; check that its name servers answer.',
	connect_refused: 'Nothing accepts connections at the host and port; start the receiver or check the port of the URL.',
	connect_timeout: 'No TLS connection within the time limit; check firewalls, and that HTTPS is served at this port.',
	timeout: 'No complete answer within the time limit; answer at once and do the work afterwards.',
	connection_reset:
		'The receiver closed the connection before its answer was complete; look for crashes and time-outs.',
	invalid_response: 'The answer is not valid HTTP/1.1, or its headers are too large; check what the receiver sends.',
	internal: 'Something went wrong on our side, not on yours; nothing is to be done.',
} as const satisfies { readonly [E in AttemptError]?: string };

/** Why an attempt got no response. */
export type Obstacle =
	| { readonly error: keyof typeof HINTS }
	| { readonly error: 'tls_failed'; readonly fault: TlsFault }
	| { readonly error: 'target_blocked'; readonly reason: string };

export function obstacleHint(obstacle: Obstacle): string {
	if (obstacle.error === 'tls_failed') return TLS_HINTS[obstacle.fault];
	if (obstacle.error !== 'target_blocked') return HINTS[obstacle.error];
	return `${obstacle.reason} Webhooks go to public https addresses only; change the URL or its DNS records.`;
}
