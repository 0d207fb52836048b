// A customer's own headers on every delivery of an endpoint, such as the key of an API gateway.

export const MAX_CUSTOM_HEADERS = 5;
const MAX_VALUE_CHARS = 512;

/** Lower-case name -> value. */
export type CustomHeaders = Readonly<Record<string, string>>;

/** Without `_`, because CGI and WSGI receivers do not distinguish `X_Forwarded_For` from `X-Forwarded-For`. */
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** RFC 9110 section 5.5, without the obsolete octets above ASCII. */
const VALUE = new RegExp(`^[\\x21-\\x7e]([\\x20-\\x7e]{0,${MAX_VALUE_CHARS - 2}}[\\x21-\\x7e])?$`);

/** Headers that HTTP itself, the connection or this service sets, and headers that influence proxies and receivers. */
const RESERVED = new Set([
	'accept-encoding',
	'cdn-loop',
	'connection',
	'cookie',
	'date',
	'expect',
	'forwarded',
	'host',
	'keep-alive',
	'te',
	'trailer',
	'transfer-encoding',
	'upgrade',
	'user-agent',
	'via',
	'x-host',
	'x-scheme',
	// The metadata services of clouds require these.
	'metadata',
	'metadata-flavor',
]);
/**
 * Cloud services interpret `x-amz-`, `x-amzn-`, `x-aws-` and `x-goog-`; `service-` and `webhook-` are ours. From many of the
 * others, a receiver behind a proxy learns who asks (address, certificate, user) and for what (method, URL).
 */
const RESERVED_PREFIXES = [
	'cf-connecting-',
	'cf-ip',
	'cf-pseudo-',
	'cf-ray',
	'cf-visitor',
	'cf-worker',
	'client-cert',
	'client-ip',
	'content-',
	'fastly-',
	'fly-',
	'proxy-',
	'remote-',
	'sec-',
	'service-',
	'ssl-',
	'true-client-',
	'webhook-',
	'x-amz',
	'x-appengine-',
	'x-aws-',
	'x-azure-',
	'x-client-cert',
	'x-client-ip',
	'x-cluster-client-',
	'x-envoy-',
	'x-forwarded',
	'x-goog',
	'x-http-method',
	'x-method-override',
	'x-original-',
	'x-proxy',
	'x-real-',
	'x-remote-',
	'x-rewrite-',
	'x-ssl-',
	'x-vercel-forwarded-',
	'x-vercel-ip',
];

/** Whether a customer may set a header of this name. */
export function isFreeHeader(name: string): boolean {
	const lower = name.toLowerCase();
	return !RESERVED.has(lower) && !RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix));
}

/** What a valid header would be; null if this one is valid. Never repeats the value. */
export function headerFault(name: string, value: string): string | null {
	if (!NAME.test(name.toLowerCase())) return 'a header name of 1 to 64 letters, digits and -';
	if (!isFreeHeader(name)) return 'another header name: this one is reserved';
	if (VALUE.test(value)) return null;
	return `a text of 1 to ${MAX_VALUE_CHARS} visible ASCII characters, with spaces only in between`;
}
