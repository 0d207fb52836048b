import { createHash } from 'node:crypto';
import type { Route } from '../../contract/route.ts';
import type { Headers } from '../request.ts';

const TAG_CHARS = 22;

/** The strong validator of a response (RFC 9110 section 8.8.3): the same bytes have the same tag. */
export function etagOf(body: string): string {
	return `"${createHash('sha256').update(body).digest('base64url').slice(0, TAG_CHARS)}"`;
}

/** The ETag header of a response that shows one resource. */
export function etagHeader({ conditional }: Pick<Route, 'conditional'>, body: string | undefined): Headers {
	return conditional === undefined || !body ? {} : { etag: etagOf(body) };
}

/** Whether If-Match (RFC 9110 section 13.1.1) names the resource that `body` shows. Weak tags never match. */
export function matchesEtag(if_match: string, body: string): boolean {
	const tags = if_match.split(',').map((tag) => tag.trim());
	return tags.includes('*') || tags.includes(etagOf(body));
}
