import type { Attempt, AttemptError } from './delivery.ts';

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

/** What follows "The receiver answered 503" in a hint. */
const STATUS_HINTS = {
	gone: ' Gone: it wants no more; deliveries to it stop and the endpoint is switched off.',
	too_many: ': too much at once; the next attempt waits as long as its Retry-After asks.',
	refused: ': it refused the sender; verify the signature over the raw body with the current secret.',
	no_path: ': it knows no such path; check the path of the URL.',
	no_post: ': the path does not take POST; check the URL and its routes.',
	server_error: ': it failed at its end; look into its logs at this time.',
	not_2xx: '; only a 2xx counts as received. Look into its logs at this time.',
} as const;
const BY_STATUS: Readonly<Record<number, keyof typeof STATUS_HINTS>> = {
	401: 'refused',
	403: 'refused',
	404: 'no_path',
	405: 'no_post',
	410: 'gone',
	429: 'too_many',
};
const statusCode = (status: number) => BY_STATUS[status] ?? (status >= 500 ? 'server_error' : 'not_2xx');

export const statusHint = (status: number): string =>
	`The receiver answered ${status}${STATUS_HINTS[statusCode(status)]}`;

/** What a hint about a redirect ends with if the endpoint should have the redirect's target as its URL. */
export const FINAL_URL = "set the endpoint's URL to the final address.";

/**
 * What the hint of an attempt is about, as a code, for readers of other languages: the code of one of the sentences above. Null
 * if the hint is another sentence, for example about a firewall in front of the receiver.
 */
export function hintCode({ error, hint, response_status }: Pick<Attempt, 'error' | 'hint' | 'response_status'>) {
	if (error === null || hint === null) return null;
	if (error === 'target_blocked') return error;
	if (error === 'redirect_not_followed') return hint.endsWith(FINAL_URL) ? 'redirect' : null;
	if (response_status !== null) return hint === statusHint(response_status) ? statusCode(response_status) : null;
	return Object.entries({ ...HINTS, ...TLS_HINTS }).find(([, text]) => text === hint)?.[0] ?? null;
}
