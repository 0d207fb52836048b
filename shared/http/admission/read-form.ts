import type * as z from 'zod/mini';
import type { Route } from '../../contract/route.ts';
import { Refused } from '../exchange.ts';
import { parseBody } from '../parse.ts';
import { type HttpRequest, MAX_BODY_BYTES } from '../request.ts';

/** A team member with a link: its token, and the form's fields. */
export type LinkHolder<R extends Route> = { readonly token: string; readonly form: z.infer<R['body']> };

/**
 * Reads the form of one of our pages. Accepts it only from the page itself, so that no other site can submit it. Ignores a
 * body sent with GET.
 */
export function readForm<R extends Route>(route: R, request: HttpRequest): LinkHolder<R> {
	const body = route.method === 'GET' ? null : request.body;
	if (route.method !== 'GET' && !isOwnForm(request)) {
		throw new Refused({ code: 'form_not_ours', detail: 'Open the link from your message, and confirm on its page.' });
	}
	if ((body?.byteLength ?? 0) > MAX_BODY_BYTES) {
		throw new Refused({ code: 'payload_too_large', detail: 'This is not what the page sends.' });
	}
	const fields = Object.fromEntries(new URLSearchParams(body?.toString('utf8') ?? ''));
	const form = parseBody<R['body']>(route.body, fields);
	if ('problem' in form) {
		throw new Refused({ code: 'validation_failed', detail: 'Open the link again, and choose a phone.' });
	}
	return { token: request.params['token'] ?? '', form: form.value };
}

/**
 * Whether one of our pages sent the form, according to the browser (Fetch Metadata; `none`: the person opened it directly).
 * With our referrer policy, browsers send the Origin `null`.
 */
function isOwnForm({ headers }: HttpRequest): boolean {
	const site = headers['sec-fetch-site'];
	if (site !== undefined) return site === 'same-origin' || site === 'none';
	const origin = headers['origin'];
	if (origin === undefined || origin === 'null') return true;
	return URL.canParse(origin) && new URL(origin).host === headers['host'];
}
