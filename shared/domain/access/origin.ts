const MAX_PAGE_URL_CHARS = 2048;
/** More than a scheme, a host name of at most 253 characters (RFC 1035) and a port need. */
export const MAX_ORIGIN_CHARS = 300;

function parseUrl(text: string): URL | null {
	return URL.canParse(text) ? new URL(text) : null;
}

/**
 * Whether a workspace may allow this origin: an exact `scheme://host[:port]` as browsers send it, https, or http for
 * localhost. No wildcard, no path, no default port, not `null` (the specification's CORS rules 2 and 3).
 */
export function isStorableOrigin(origin: string): boolean {
	const url = origin.length > MAX_ORIGIN_CHARS ? null : parseUrl(origin);
	if (url === null || url.origin !== origin || url.hostname.includes('*')) return false;
	return url.protocol === 'https:' || (url.protocol === 'http:' && url.hostname === 'localhost');
}

/**
 * The address that a person means by a text such as `www.shop.example/page`; null if it is not an address, or if the text is
 * ambiguous.
 */
export function urlTyped(text: string): URL | null {
	const isWhole = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
	const isLocal = /^localhost(?=[:/?#]|$)/i.test(text);
	const url = parseUrl(isWhole ? text : `${isLocal ? 'http' : 'https'}://${text}`);
	if (url === null || url.username !== '' || url.password !== '') return null;
	return isWhole || isLocal || /\.[a-z]/i.test(url.hostname) ? url : null;
}

/** The origin of an address as a person types it, such as that of a page; the text itself if it has none that can be stored. */
export function originTyped(text: string): string {
	const origin = urlTyped(text)?.origin ?? '';
	return isStorableOrigin(origin) ? origin : text;
}

export type SourceUrl =
	| { readonly source_url: string }
	| { readonly refused: 'page_url_invalid' | 'page_url_mismatch' };

/** Pages that another page contains, such as `about:srcdoc`: they have an origin, and no address of their own. */
const PLACELESS = new Set(['about:', 'blob:', 'data:']);

const placeOf = ({ protocol, origin }: URL, sender: string): string => (protocol === 'blob:' ? origin : sender);

/**
 * The visitor's page, as we store it: without fragment, without credentials, and with only the `utm_*` query parameters,
 * because others may be private; of a page without an address, its origin. Refusals: `validation_failed` when it is not an
 * http(s) URL of at most 2,048 characters as browsers write it; `page_url_mismatch` when its host (name and port) is not the
 * Origin's.
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
