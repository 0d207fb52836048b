import type { Route } from '../../contract/route.ts';
import { Refused } from '../exchange.ts';
import { deskProblem } from '../pages/desk/sign-in-pages.ts';
import { readersLanguage } from '../pages/page.ts';
import { parseBody } from '../parse.ts';
import { type Fields, type HttpRequest, MAX_BODY_BYTES } from '../request.ts';

/**
 * The fields of a form of the desk; empty for a page that is only read. A form is accepted only from a page of the desk's own
 * host, which browsers tell by Origin, and where they know it, by Fetch Metadata.
 */
export function readDeskForm(route: Route, request: HttpRequest): Fields {
	if (route.method === 'GET') return {};
	const language = readersLanguage(request);
	if (!isFromOwnHost(request)) throw new Refused(deskProblem('form_not_ours', language));
	if ((request.body?.byteLength ?? 0) > MAX_BODY_BYTES) throw new Refused(deskProblem('payload_too_large', language));
	const fields = Object.fromEntries(new URLSearchParams(request.body?.toString('utf8') ?? ''));
	if ('problem' in parseBody(route.body, fields)) throw new Refused(deskProblem('validation_failed', language));
	return fields;
}

function isFromOwnHost({ headers }: HttpRequest): boolean {
	const site = headers['sec-fetch-site'];
	const origin = headers['origin'] ?? '';
	const own = URL.canParse(origin) && new URL(origin).host === headers['host'];
	return own && (site === undefined || site === 'same-origin');
}
