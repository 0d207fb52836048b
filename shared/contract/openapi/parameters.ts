import * as z from 'zod/mini';
import { DEFAULT_PAGE_LIMIT, MAX_PAGE_LIMIT } from '../kernel/common.ts';
import { callId, endpoint_id, event_id } from '../kernel/example-values.ts';
import type { OperationDocs } from '../kernel/operation-docs.ts';
import type { Route } from '../route.ts';
import { orders } from '../webhooks/events.ts';
import { type Json, refTo, schemaName } from './schemas.ts';

const inQuery = (name: string, description: string, schema: Json, more: Json = {}): Json => {
	return { name, in: 'query', required: false, description, schema, ...more };
};

/** Parameters by name. A name means the same in every operation. */
export const sharedParameters: Readonly<Record<string, Json>> = {
	id: { name: 'id', in: 'path', required: true, description: 'Its ULID.', schema: refTo('Id'), example: callId },
	limit: inQuery('limit', 'The page size.', {
		type: 'integer',
		minimum: 1,
		maximum: MAX_PAGE_LIMIT,
		default: DEFAULT_PAGE_LIMIT,
	}),
	cursor: inQuery('cursor', 'The `next_cursor` of the previous page; keep the filters.', {
		type: 'string',
		maxLength: 1000,
	}),
	from: inQuery('from', 'Created at or after this time.', refTo('Instant'), { example: '2026-11-09' }),
	to: inQuery('to', 'Created before this time, which must be later than `from`.', refTo('Instant'), {
		example: '2026-11-09T18:30:00+01:00',
	}),
	reference: inQuery('reference', 'Only those that the page gave this reference.', {
		type: 'string',
		minLength: 1,
		maxLength: 64,
	}),
	endpoint_id: inQuery('endpoint_id', 'Only deliveries to this endpoint.', refTo('Id'), {
		example: endpoint_id,
	}),
	event: inQuery('event', 'Only deliveries of this event type.', refTo('EventKind')),
	order: inQuery('order', '`desc`: newest first; `asc`: oldest first, as a feed.', {
		type: 'string',
		enum: orders,
		default: 'desc',
	}),
	event_id: inQuery('event_id', 'Only deliveries of this event.', refTo('Id'), { example: event_id }),
	workspace_key: {
		...inQuery('workspace_key', 'The public key of the workspace.', { type: 'string', minLength: 1, maxLength: 100 }),
		required: true,
	},
	language: inQuery(
		'language',
		'The language of `consent_texts`, as a BCP 47 tag such as `de-AT`. Default: that of the workspace.',
		{ type: 'string', maxLength: 35 },
		{ example: 'de' },
	),
	'idempotency-key': {
		name: 'Idempotency-Key',
		in: 'header',
		required: false,
		description:
			'A value that you choose for this request. If you repeat the request with the same key and body within 24 hours, you get the first response again, byte for byte, and nothing is changed twice.',
		schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' },
		example: '5b1c1e0e-order-4711',
	},
	'if-match': {
		name: 'If-Match',
		in: 'header',
		required: false,
		description:
			'The `ETag` of the resource as you read it, with its quotes. If the resource has changed since, you get 412 and nothing is changed, so that two editors cannot overwrite each other.',
		schema: { type: 'string' },
		example: '"JLXo2Ksi0G9mC5wJ3tQ7Zw"',
	},
	origin: {
		name: 'Origin',
		in: 'header',
		required: false,
		description: 'Browsers set it. The workspace must allow it; without it you get 403.',
		schema: { type: 'string' },
		example: 'https://shop.example',
	},
};

function severalOf(name: string, values: z.ZodMiniType, operation: string): Json {
	const items = { type: 'array', items: refTo(schemaName(values, operation)) };
	return inQuery(name, 'One value, or several separated by commas.', items, { style: 'form', explode: false });
}

function parameter(name: string, operation: string, { several }: OperationDocs): Json {
	const values = several?.[name];
	if (values !== undefined) return severalOf(name, values, operation);
	if (sharedParameters[name] === undefined) throw new Error(`${operation}: describe its parameter ${name}`);
	return { $ref: `#/components/parameters/${name}` };
}

/** Everything that a route reads from the path, the query and the headers. */
export function parametersOf(route: Route, docs: OperationDocs): readonly Json[] {
	const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
	const { properties = {} } = z.toJSONSchema(route.query, { io: 'input', unrepresentable: 'any' });
	const inHeaders = [
		route.surface === 'widget' ? 'origin' : '',
		route.conditional && route.method !== 'GET' ? 'if-match' : '',
		route.idempotent ? 'idempotency-key' : '',
	];
	const names = [...inPath, ...Object.keys(properties), ...inHeaders.filter((name) => name !== '')];
	return names.map((name) => parameter(name, route.operation, docs));
}
