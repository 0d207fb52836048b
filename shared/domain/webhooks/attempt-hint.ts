import type { AttemptError } from './delivery.ts';

// The hint that a customer reads beside an attempt's error: what happened and what to do, without any internal address.

/** Explains an error in the receiver's TLS. */
export type TlsFault =
	| 'expired'
	| 'not_yet_valid'
	| 'revoked'
	| 'other_name'
	| 'self_signed'
	| 'unknown_authority'
	| 'no_intermediate'
	| 'client_certificate'
	| 'not_tls'
	| 'version'
	| 'broken_off'
	| 'other';

/** Why there is no response. A response without success has its own error (see `judgeAnswer`). */
export type Obstacle =
	| { readonly error: Exclude<AttemptError, 'http_status' | 'redirect_not_followed' | TlsOrGuard> }
	| { readonly error: 'tls_failed'; readonly fault: TlsFault }
	| { readonly error: 'target_blocked'; readonly reason: string }
	/** `accepted`: there is a TCP connection, but the TLS handshake did not finish. */
	| { readonly error: 'connect_timeout'; readonly accepted: boolean };
type TlsOrGuard = 'tls_failed' | 'target_blocked' | 'connect_timeout';

const TLS_HINTS = {
	expired: 'The certificate of the receiver has expired; renew it.',
	not_yet_valid: 'The certificate of the receiver is not valid yet; check its dates and the clock of who issued it.',
	revoked: 'The certificate of the receiver was revoked; replace it.',
	other_name: 'The certificate of the receiver is for another host name; use one that names the host of the URL.',
	self_signed: 'The certificate of the receiver is self-signed; use one of a public authority.',
	unknown_authority: 'The certificate of the receiver is not from a public authority; use one that is.',
	no_intermediate: 'The receiver does not send its intermediate certificates; configure it with the full chain.',
	client_certificate: 'The receiver demands a client certificate, and webhooks have none; verify signatures instead.',
	not_tls: 'What listens at this port does not speak TLS; check the port of the URL.',
	version: 'The receiver speaks no TLS version in use today; TLS 1.2 or 1.3 is needed.',
	broken_off:
		'The receiver broke off the TLS handshake; it may demand a client certificate or share no cipher with us.',
	other: 'No TLS connection could be made; check the certificate and TLS settings of the receiver.',
} as const satisfies Record<TlsFault, string>;

/** Explains a missing response and says what to do. */
export function obstacleHint(obstacle: Obstacle): string {
	switch (obstacle.error) {
		case 'dns_not_found':
			return 'The host name has no address; check the spelling of the URL and its DNS records.';
		case 'dns_failed':
			return 'The host name could not be resolved in time; check that its name servers answer.';
		case 'target_blocked':
			return `${obstacle.reason} Webhooks go to public https addresses only; change the URL or its DNS records.`;
		case 'connect_refused':
			return 'Nothing accepts connections at the host and port; start the receiver or check the port of the URL.';
		case 'connect_timeout':
			return obstacle.accepted
				? 'The connection was accepted but TLS was not set up in time; check that HTTPS is served at this port.'
				: 'No connection within the time limit; check whether a firewall drops it.';
		case 'tls_failed':
			return TLS_HINTS[obstacle.fault];
		case 'timeout':
			return 'No complete answer within the time limit; answer at once and do the work afterwards.';
		case 'connection_reset':
			return 'The receiver closed the connection before its answer was complete; look for crashes and time-outs there.';
		case 'invalid_response':
			return 'The answer is not valid HTTP/1.1, or its headers are too large; check what the receiver sends.';
		case 'internal':
			return 'Something went wrong on our side, not on yours; nothing is to be done.';
	}
}

/** Explains a response with a status outside 2xx. */
function statusHint(status: number): string {
	const said = `The receiver answered ${status}`;
	if (status === 410) return `${said} Gone: it wants no more; deliveries to it stop and the endpoint is switched off.`;
	if (status === 429) return `${said}: too much at once; the next attempt waits as long as its Retry-After asks.`;
	if (status === 401 || status === 403)
		return `${said}: it refused the sender; verify the signature over the raw body with the current secret.`;
	if (status === 404) return `${said}: it knows no such path; check the path of the URL.`;
	if (status === 405) return `${said}: the path does not take POST; check the URL and its routes.`;
	if (status >= 500) return `${said}: it failed at its end; look into its logs at this time.`;
	return `${said}; only a 2xx counts as received. Look into its logs at this time.`;
}

/** Makes an untrusted header fit to show: printable ASCII, at most one line. */
function printable(text: string): string {
	return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}

type Judgement =
	| { readonly error: null; readonly hint: null }
	| { readonly error: 'http_status' | 'redirect_not_followed'; readonly hint: string };

/** Any 2xx is a success. We never follow a redirect, but show its target. */
export function judgeAnswer(status: number, location: string | undefined): Judgement {
	if (status >= 200 && status < 300) return { error: null, hint: null };
	if (status < 300 || status >= 400) return { error: 'http_status', hint: statusHint(status) };
	const to = location === undefined ? '' : ` (to ${printable(location)})`;
	return {
		error: 'redirect_not_followed',
		hint: `Redirects are not followed${to}; set the endpoint's URL to the final address.`,
	};
}
