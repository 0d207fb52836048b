import type * as z from 'zod/mini';
import type { Route } from '../../contract/route.ts';
import { isOwnOrigin } from './own-origin.ts';
import { Refused } from './refusals.ts';
import { type HttpRequest, MAX_BODY_BYTES } from './request.ts';

/** A request from a person's browser. `form` has the fields of the page's form. It is null if the request only reads the page. */
export type PageRequest<R extends Route> = { readonly request: HttpRequest; readonly form: z.infer<R['body']> | null };

/**
 * Reads the form of one of our pages. A form is accepted only if one of our pages sent it, not another site. The body of a GET is
 * ignored. `publicBaseUrl` is the address of the API.
 */
export function readForm<R extends Route>(route: R, request: HttpRequest, publicBaseUrl: string): PageRequest<R> {
	if (request.method !== 'POST') return { request, form: null };
	if (!isOwnForm(route, request, publicBaseUrl)) {
		throw new Refused({ code: 'form_not_ours', detail: 'Open the page yourself, and send its form.' });
	}
	if ((request.body?.byteLength ?? 0) > MAX_BODY_BYTES) {
		throw new Refused({ code: 'payload_too_large', detail: 'This is not what the page sends.' });
	}
	const form = parsed<R['body']>(route.body, fieldsOf(request));
	if (!form.success) throw new Refused({ code: 'validation_failed', detail: 'Open the page again.' });
	return { request, form: form.data };
}

/**
 * Reads the fields of a form. The body of the request must be as browsers encode a form: with the content type of forms, without
 * a content coding, and in valid UTF-8.
 */
function fieldsOf({ body, headers }: HttpRequest): Readonly<Record<string, string>> {
	if (body === null) return {};
	const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
	if (type !== 'application/x-www-form-urlencoded' || headers['content-encoding'] !== undefined)
		throw new Refused({ code: 'unsupported_media_type', detail: 'This is not what the page sends.' });
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
		// Check the encoding here, because URLSearchParams would replace bytes that are not UTF-8 without an error.
		decodeURIComponent(text.replaceAll('+', ' '));
		return Object.fromEntries(new URLSearchParams(text));
	} catch {
		throw new Refused({ code: 'validation_failed', detail: 'Open the page again.' });
	}
}

const parsed = <S extends z.ZodMiniType>(schema: S, fields: object) => schema.safeParse(fields);

/**
 * Whether the browser says that one of our pages sent the form (Fetch Metadata; `none` means that the person opened the address
 * directly). Pages behind a link in a message have no referrer, so browsers send the Origin `null` for them. Every form of the
 * desk has the desk's own Origin.
 */
function isOwnForm({ surface }: Route, { headers }: HttpRequest, publicBaseUrl: string): boolean {
	const { origin, 'sec-fetch-site': site } = headers;
	if (surface === 'desk') return isOwnOrigin(headers, publicBaseUrl) && (site === undefined || site === 'same-origin');
	if (site !== undefined) return site === 'same-origin' || site === 'none';
	return origin === undefined || origin === 'null' || isOwnOrigin(headers, publicBaseUrl);
}
