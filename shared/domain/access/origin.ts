const MAX_PAGE_URL_CHARS = 2048;
/** Longer than any scheme, host name (at most 253 characters, RFC 1035) and port together. */
export const MAX_ORIGIN_CHARS = 300;

function parseUrl(text: string): URL | null {
	return URL.canParse(text) ? new URL(text) : null;
}

/**
 * Whether a workspace may allow this origin. The origin has to be exactly `scheme://host[:port]` as browsers send it, with
 * https, or with http for localhost. The origin has no wildcard, no path and no default port, and is not `null` (the
 * specification's CORS rules 2 and 3).
 */
export function isStorableOrigin(origin: string): boolean {
	const url = origin.length > MAX_ORIGIN_CHARS ? null : parseUrl(origin);
	if (url === null || url.origin !== origin || url.hostname.includes('*')) return false;
	return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === 'localhost');
}

/**
 * The address that a person means by a text such as `www.shop.example/page`. Null if the text is no address, or contains a
 * user name or password. If the text has no scheme, its host must be `localhost` or contain a dot before a letter, because
 * any other text is perhaps not meant as an address.
 */
export function urlTyped(text: string): URL | null {
	const isWhole = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
	const isLocal = /^localhost(?=[:/?#]|$)/i.test(text);
	const url = parseUrl(isWhole ? text : `${isLocal ? 'http' : 'https'}://${text}`);
	if (url === null || url.username !== '' || url.password !== '') return null;
	return isWhole || isLocal || /\.[a-z]/i.test(url.hostname) ? url : null;
}

/**
 * The origin of an address as a person types it, for example the address of a page. If a workspace may not allow this
 * origin, or if the address has no origin, the text itself is returned.
 */
export function originTyped(text: string): string {
	const origin = urlTyped(text)?.origin ?? '';
	return isStorableOrigin(origin) ? origin : text;
}

export type SourceUrl =
	| { readonly source_url: string }
	| { readonly refused: 'page_url_invalid' | 'page_url_mismatch' };

/**
 * Schemes of pages that have an origin but no address of their own, such as `about:srcdoc` (a page inside another page).
 */
const PLACELESS = new Set(['about:', 'blob:', 'data:']);

const placeOf = ({ protocol, origin }: URL, sender: string): string => (protocol === 'blob:' ? origin : sender);

/**
 * The address of the visitor's page in the form that we store: without fragment and credentials, and of the query only the
 * `utm_*` parameters, because other parameters may be private. For a page without an address, its origin is stored instead.
 * Refusals: `page_url_invalid` if the address is not an http(s) URL of at most 2,048 characters as browsers write it;
 * `page_url_mismatch` if its host (name and port) is not the host of the `Origin` header.
 */
export function sourceUrl(pageUrl: string, origin: string): SourceUrl {
	const typed = parseUrl(pageUrl);
	const page = typed !== null && PLACELESS.has(typed.protocol) ? parseUrl(placeOf(typed, origin)) : typed;
	if (page === null || page.href.length > MAX_PAGE_URL_CHARS || !['http:', 'https:'].includes(page.protocol))
		return { refused: 'page_url_invalid' };
	if (page.host !== parseUrl(origin)?.host) return { refused: 'page_url_mismatch' };
	const utm = new URLSearchParams([...page.searchParams].filter(([name]) => name.startsWith('utm_')));
	page.search = utm.toString();
	page.hash = '';
	page.username = '';
	page.password = '';
	return { source_url: page.href };
}
