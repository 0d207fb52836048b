import type { Route } from '../../contract/route.ts';
import { Refused } from '../exchange.ts';
import { refusal } from '../pages/desk/sign-in-pages.ts';
import { readersLanguage } from '../pages/page.ts';
import { parseBody } from '../parse.ts';
import { type Fields, type HttpRequest, MAX_BODY_BYTES } from '../request.ts';

/**
 * The fields of a form of the desk; null for a page that is only read. A form is accepted only from a page of the desk's own
 * host, which browsers tell by Origin, and where they know it, by Fetch Metadata.
 */
export function readDeskForm(route: Route, request: HttpRequest): Fields | null {
	if (request.method !== 'POST') return null;
	const language = readersLanguage(request);
	if (!isFromOwnHost(request)) throw new Refused(refusal('form_not_ours', language).problem);
	if ((request.body?.byteLength ?? 0) > MAX_BODY_BYTES)
		throw new Refused(refusal('payload_too_large', language).problem);
	const fields = Object.fromEntries(new URLSearchParams(request.body?.toString('utf8') ?? ''));
	if ('problem' in parseBody(route.body, fields)) throw new Refused(refusal('validation_failed', language).problem);
	return fields;
}

function isFromOwnHost({ headers }: HttpRequest): boolean {
	const site = headers['sec-fetch-site'];
	const origin = headers['origin'] ?? '';
	const own = URL.canParse(origin) && new URL(origin).host === headers['host'];
	return own && (site === undefined || site === 'same-origin');
}
