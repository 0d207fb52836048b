import type { Json } from './schemas.ts';

/** A response of the server API has these headers if the rate limit has counted its request. */
export const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
export const HEADERS: Json = {
	'RateLimit-Limit': { description: 'Requests a minute, for the limit closest to exhaustion.', schema: count },
	'RateLimit-Remaining': { description: 'Requests left in this minute.', schema: count },
	'RateLimit-Reset': { description: 'Seconds until the limit resets.', schema: count },
	'X-Request-Id': { description: 'The id of this request. Include it when you ask for help.', schema: text },
	ETag: { description: 'The version of the resource. Send it as `If-Match` with a change.', schema: text },
	'Retry-After': { description: 'Seconds to wait before you retry.', schema: { type: 'integer' } },
	'Idempotency-Replayed': {
		description: '`true`: this is the first response to this Idempotency-Key, repeated.',
		schema: { ...text, enum: ['true'] },
	},
	'Cancel-Secret': {
		description: 'The secret that cancels this call before it connects. It is in no other response and no event.',
		schema: text,
	},
	'WWW-Authenticate': { description: '`Bearer`', schema: text },
};
export const DEPRECATION_HEADERS: Json = {
	Deprecation: { description: 'When the operation was deprecated (RFC 9745): `@` and epoch seconds.', schema: text },
	Sunset: { description: 'When the operation may stop answering (RFC 8594): an HTTP date.', schema: text },
	Link: { description: 'What replaces the operation, with `rel="successor-version"`.', schema: text },
};
