// Headers that a customer adds to every delivery of an endpoint, such as the key of an API gateway.

export const MAX_CUSTOM_HEADERS = 5;
const MAX_VALUE_CHARS = 512;

/** Each key is the name of a header in lower case. */
export type CustomHeaders = Readonly<Record<string, string>>;

/** `_` is not allowed, because CGI and WSGI receivers do not distinguish `X_Forwarded_For` from `X-Forwarded-For`. */
const NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;
/** A header's value by RFC 9110 section 5.5, without the obsolete octets above ASCII. */
const VALUE = new RegExp(`^[\\x21-\\x7e]([\\x20-\\x7e]{0,${MAX_VALUE_CHARS - 2}}[\\x21-\\x7e])?$`);

/** Headers that a customer cannot set. These headers are grouped by who interprets them. */
const RESERVED = [
	// HTTP itself, the connection and this service.
	/^(accept-encoding|connection|cookie|date|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|user-agent)$/,
	/^(content|proxy|sec|service|webhook)-/,
	// Services of cloud providers, such as the metadata service.
	/^(metadata|metadata-flavor)$|^x-(amz|aws-|goog)/,
	// With these headers, a receiver behind a proxy learns who sent the request (address, certificate, user).
	/^(cdn-loop|forwarded|via|x-host|x-scheme)$|^x-(forwarded|proxy|real-|remote-|vercel-forwarded-|vercel-ip)/,
	/^(remote|ssl|true-client|x-appengine|x-azure|x-cluster-client|x-envoy|x-ssl|fastly|fly)-|^(x-)?client-(cert|ip)/,
	/^cf-(connecting-|ip|pseudo-|ray|visitor|worker)/,
	// With these headers, the receiver learns the method and the URL of the request.
	/^x-(http-method|method-override|original-|rewrite-)/,
];

/** Whether a customer may set a header of this name. */
export function isFreeHeader(name: string): boolean {
	return !RESERVED.some((names) => names.test(name.toLowerCase()));
}

/** Says what a valid name or value would be. Null if the header is valid. The text never repeats the value. */
export function headerFault(name: string, value: string): string | null {
	if (!NAME.test(name.toLowerCase())) return 'a header name of 1 to 64 letters, digits and -';
	if (!isFreeHeader(name)) return 'another header name: this one is reserved';
	if (VALUE.test(value)) return null;
	return `a text of 1 to ${MAX_VALUE_CHARS} visible ASCII characters, with spaces only in between`;
}
