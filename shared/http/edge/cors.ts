import { MAX_ORIGIN_CHARS } from '../../domain/access/origin.ts';
import type { Store } from '../../ports/store.ts';

/** How long the answer to a preflight is valid, in seconds. */
const PREFLIGHT_SECONDS = 7200;
const METHODS = 'GET, POST, OPTIONS';
const REQUEST_HEADERS = ['content-type', 'idempotency-key'];
/**
 * A page's own tools may add headers to a request. The answer to a preflight allows these headers, but at most this many
 * headers in all. If the answer does not allow a header, the browser's error message names that header.
 */
const MAX_REQUEST_HEADERS = 50;
/** The name of a header (RFC 9110 section 5.1). `*` alone is not allowed, because it would be the wildcard. */
const HEADER_NAME = /^(?!\*$)[-!#$%&'*+.^_`|~0-9a-z]{1,64}$/;
const EXPOSED_HEADERS = 'retry-after, idempotency-replayed, x-request-id, cancel-secret';

/** Every response of the widget's routes depends on the Origin header, and so does every refusal. */
export const VARY = { vary: 'Origin' } as const;

/** The headers for an allowed origin. They allow exactly this origin, never `*`. */
export function corsHeaders(origin: string): Record<string, string> {
	return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS, ...VARY };
}

/**
 * The headers for a preflight from an allowed origin. They never allow credentials. `requested` is the header
 * Access-Control-Request-Headers. It includes headers that the page's tools add to each request, such as `traceparent`.
 * Such headers are allowed, and the service ignores them.
 */
export function preflightHeaders(origin: string, requested = ''): Record<string, string> {
	const names = requested.split(',').map((name) => name.trim().toLowerCase());
	const allowed = new Set([...REQUEST_HEADERS, ...names.filter((name) => HEADER_NAME.test(name))]);
	return {
		'access-control-allow-origin': origin,
		'access-control-allow-methods': METHODS,
		'access-control-allow-headers': [...allowed].slice(0, MAX_REQUEST_HEADERS).join(', '),
		'access-control-max-age': String(PREFLIGHT_SECONDS),
		...VARY,
	};
}

/**
 * The Origin header. Null if no workspace could allow it: it is missing, `null`, or longer than the longest origin that is
 * stored.
 */
export function presentedOrigin(header: string | undefined): string | null {
	if (header === undefined || header === '' || header === 'null') return null;
	return header.length > MAX_ORIGIN_CHARS ? null : header;
}

/**
 * The headers of a refusal whose workspace is not known, for example because the body cannot be read, or because no
 * workspace has this key. They depend on whether any workspace allows the origin.
 */
export async function headersForUnknownWorkspace(origin: string | null, store: Store): Promise<Record<string, string>> {
	if (origin === null) return { ...VARY };
	return (await store.anyWorkspaceAllows(origin)) ? corsHeaders(origin) : { ...VARY };
}
