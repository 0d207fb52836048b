import { MAX_ORIGIN_CHARS } from '../../domain/access/origin.ts';
import type { Store } from '../../ports/store.ts';

/** Answers to a preflight stay valid this long, in seconds. */
const PREFLIGHT_SECONDS = 7200;
const METHODS = 'GET, POST, OPTIONS';
const REQUEST_HEADERS = ['content-type', 'idempotency-key'];
/** Bounds for headers that a page's own tools add. The browser names a header that the answer does not allow. */
const MAX_REQUEST_HEADERS = 50;
/** A header's name (RFC 9110 section 5.1); `*` alone would be the wildcard. */
const HEADER_NAME = /^(?!\*$)[-!#$%&'*+.^_`|~0-9a-z]{1,64}$/;
const EXPOSED_HEADERS = 'retry-after, idempotency-replayed, x-request-id, cancel-secret';

/** Every response depends on the Origin, including refusals. */
export const VARY = { vary: 'Origin' } as const;

/** For an allowed origin: its own value, exactly (the specification's CORS rule 1). */
export function corsHeaders(origin: string): Record<string, string> {
	return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS, ...VARY };
}

/**
 * For a preflight from an allowed origin. Never with credentials. `requested`: Access-Control-Request-Headers, with what the
 * page's tools add to each request, such as `traceparent`; the service ignores those headers.
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

/** An Origin header that a workspace could allow: not `null`, and not longer than the stored maximum. */
export function presentedOrigin(header: string | undefined): string | null {
	if (header === undefined || header === '' || header === 'null') return null;
	return header.length > MAX_ORIGIN_CHARS ? null : header;
}

/** Whether any workspace allows this origin, for requests without a known workspace (a preflight, an unreadable body). */
export async function headersForUnknownWorkspace(origin: string | null, store: Store): Promise<Record<string, string>> {
	if (origin === null) return { ...VARY };
	return (await store.anyWorkspaceAllows(origin)) ? corsHeaders(origin) : { ...VARY };
}
