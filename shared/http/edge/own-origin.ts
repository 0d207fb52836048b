import type { HttpRequest } from './request.ts';

/**
 * Whether the Origin of a request is the service's own. There are two such origins. One has the host to which the request
 * was sent. The other is the origin of `publicBaseUrl`, the configured address of the API, because a proxy in front of the
 * service may have replaced Host. Hosts are compared as in RFC 9110 section 4.2.3: upper and lower case are the same, and a
 * default port is the same as no port. If the gateway says that the browser used https, an http origin with the right host
 * is not the service's own.
 */
export function isOwnOrigin(headers: HttpRequest['headers'], publicBaseUrl: string): boolean {
	const origin = originOf(headers['origin'] ?? '');
	if (origin === null) return false;
	if (origin === new URL(publicBaseUrl).origin) return true;
	const { protocol } = new URL(origin);
	if (headers['x-forwarded-proto'] === 'https' && protocol !== 'https:') return false;
	return origin === originOf(`${protocol}//${headers['host'] ?? ''}`);
}

/** A scheme, a host and an optional port, and nothing else. */
const ORIGIN = /^https?:\/\/[^\s/?#@\\]+$/i;

/** An origin in its normal form. Null if the text is anything else. */
const originOf = (text: string): string | null =>
	ORIGIN.test(text) && URL.canParse(text) ? new URL(text).origin : null;
