import { ID_PATTERN } from '../../domain/kernel/id.ts';
import type { LogFields } from '../../ports/log-redaction.ts';
import type { HttpRequest } from './request.ts';
import type { HttpResponse } from './response.ts';

/** The log field for the id in a path. The key is the segment of the path that names the kind of resource. */
const FIELDS: ReadonlyMap<string, keyof LogFields> = new Map([
	['calls', 'call_id'],
	['callback-leads', 'lead_id'],
	['webhook-endpoints', 'endpoint_id'],
	['webhook-deliveries', 'delivery_id'],
	['events', 'event_id'],
]);

/** The beginning of a response to a request that has created something. */
const MADE = /^\{"data":\{"id":"([^"]+)"/;

/**
 * What a request is about, for its log line: the resource in its path, or the resource that the request has created. Only ids are
 * logged.
 */
export function subjectOf(
	path: string,
	{ params }: Pick<HttpRequest, 'params'>,
	{ statusCode, body }: Pick<HttpResponse, 'statusCode' | 'body'>,
): LogFields {
	const segments = path.split('/');
	// A visitor's request to `call-requests` creates a call.
	const things = segments[1] === 'widget' ? segments[2]?.replace('call-requests', 'calls') : segments[1];
	const field = FIELDS.get(things ?? '');
	const made = statusCode === 201 || statusCode === 202 ? MADE.exec(body ?? '')?.[1] : undefined;
	const id = params['id'] ?? made ?? '';
	return field === undefined || !ID_PATTERN.test(id) ? {} : { [field]: id };
}
