import fc from 'fast-check';
import { developerPages, shopPages } from '../../shared/contract/desk/desk-pages.ts';
import { methodsOfRoute, type Route } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import { exampleBody } from '../support/openapi-document.ts';
import { formOf, hostileForm } from './forms.ts';
import { hostileBody, hostileHeader, hostilePath, hostileQuery, type Pair, written } from './mutations.ts';
import { bodyOf, type Provider, providers, sendsForms } from './providers.ts';
import { SUPPRESSED } from './world.ts';

/**
 * A request as it is sent. It contains only what JSON can hold, so that one line of text records it and can send it again.
 * `{{name}}` stands for a value of the world to which it is sent.
 */
export type HostileRequest = {
	readonly method: string;
	/** Path and query as they are sent. */
	readonly target: string;
	readonly headers: readonly Pair[];
	/** One character for each byte of the body. */
	readonly body: string | null;
	/** Whether the request is signed as the telephony provider signs it. */
	readonly signed: boolean;
	/** The provider for which the functions are set up. */
	readonly provider: Provider;
};

const json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('latin1');
const eventKinds = ['call.requested', 'call.completed', 'callback.requested'];
const kinds = fc.uniqueArray(fc.constantFrom(...eventKinds), { minLength: 1, maxLength: 3 });
/**
 * Mostly numbers that no record contains. Rarely one of two numbers of the world: the first is in a call, and the second is
 * suppressed.
 */
const phone = fc.oneof(
	{ weight: 4, arbitrary: fc.integer({ min: 2_000, max: 9_999 }).map((n) => `+1 (202) 555-${n}`) },
	fc.constantFrom('+1 (202) 555-0101', SUPPRESSED),
);
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const instant = fc.constantFrom('2026-01-01', '2020-02-29T12:00:00Z', '2026-11-09T12:00:00.123+01:00', '9999-12-31');

const visitorBody = fc.record({
	workspace_key: fc.constant('{{workspace_key}}'),
	phone,
	name: optional(fc.constantFrom('Ada', 'Zoë', '名前', null)),
	note: optional(fc.constantFrom('tomorrow', null)),
	consent: fc.constant(true),
	page_url: fc.constantFrom('{{origin}}/pricing', '{{origin}}/?utm_source=x#top', '{{origin}}/é?a=b'),
});
const endpointUrl = fc.constantFrom('https://{{webhook_host}}/inbox/demo', 'https://{{webhook_host}}/a?b=c');
/** Forms of the desk. None of them ends the world's own session. */
const deskForms: readonly object[] = [
	{ action: 'paused', for: 'hour' },
	{ action: 'resumed' },
	{ action: 'lead_handled', id: '{{lead_id}}' },
	{ action: 'lead_dismissed', id: '{{other_lead_id}}' },
	{ action: 'lead_reopened', id: '{{other_lead_id}}', was: 'dismissed' },
	{ action: 'lead_called', id: '{{other_lead_id}}' },
	{ action: 'number_suppressed', of: 'call', id: '{{other_call_id}}' },
	{ action: 'hours', seen: 'x', when: 'hours', time_zone: 'Europe/Berlin', 'from-1-0': '09:00', 'to-1-0': '17:00' },
	{ action: 'ringing', seen: 'x', ring_strategy: 'sequential', ring_order: 'agent_first' },
	{ action: 'site', seen: 'x', name: 'Shop', origins: 'https://shop.example', language: 'de' },
	{ action: 'consent', seen: 'x', language: 'en', call: 'Yes', lead: '' },
	{ action: 'notices', seen: 'x', team_email: 'team@shop.example' },
	{ action: 'member_added', seen: 'x', member: 'Ida', phone: '+13125550101' },
	{ action: 'member_removed', seen: 'x', member_id: 'm1' },
	{ action: 'member_moved', seen: 'x', member_id: 'm2' },
	{ action: 'member_off', seen: 'x', member_id: 'm1', back: '2026-12-24' },
	{ action: 'member_on', seen: 'x', member_id: 'm1' },
	{ action: 'person_invited', address: 'mia@shop.example', role: 'member' },
	{ action: 'person_renamed', address: 'mia@shop.example', member: 'Mia' },
	{ action: 'person_removed', address: 'mia@shop.example' },
	{ action: 'sessions_ended', address: 'mia@shop.example' },
];
const developerForms: readonly object[] = [
	{ action: 'key_created', shown: 'x', key_name: 'Server', 'calls:read': 'yes' },
	{ action: 'key_revoked', id: '{{other_delivery_id}}' },
	{
		action: 'endpoint_created',
		shown: 'x',
		url: 'https://{{webhook_host}}/desk',
		'call.failed': 'yes',
		headers: 'X-A: b',
	},
	{
		action: 'endpoint_changed',
		id: '{{endpoint_id}}',
		as_of: 'x',
		url: 'https://{{webhook_host}}/',
		'call.failed': 'yes',
	},
	{ action: 'endpoint_disabled', id: '{{other_endpoint_id}}' },
	{ action: 'endpoint_enabled', id: '{{endpoint_id}}' },
	{ action: 'endpoint_tested', id: '{{test_endpoint_id}}', event: 'call.failed' },
	{ action: 'secret_rotated', shown: 'x', id: '{{endpoint_id}}', overlap: '86400' },
	{ action: 'endpoint_deleted', id: '{{other_doomed_endpoint_id}}' },
	{ action: 'deliveries_recovered', id: '{{endpoint_id}}', since: '24', dry_run: 'yes' },
];
/** Valid bodies for operations for which the example in the API document is not enough. */
const bodies: Readonly<Record<string, fc.Arbitrary<object>>> = {
	'request-call': visitorBody,
	'create-callback-lead': visitorBody,
	'cancel-call-request': fc.record({ cancel_secret: fc.constantFrom('{{cancel_secret}}', 'x', 'a'.repeat(43)) }),
	'update-callback-lead': fc.record({ status: fc.constantFrom('pending', 'handled', 'dismissed') }),
	'create-webhook-endpoint': fc.record({
		url: endpointUrl,
		events: kinds,
		description: optional(fc.constant('é')),
		headers: optional(fc.constant({ 'x-key': 'v' })),
	}),
	'change-webhook-endpoint': fc.record({
		url: optional(endpointUrl),
		events: optional(kinds),
		description: optional(fc.constant('é')),
	}),
	'rotate-webhook-secret': fc.record({ overlap_seconds: optional(fc.constantFrom(0, 60, 604_800)) }),
	'test-webhook-endpoint': fc.record({ event: optional(fc.constantFrom(...eventKinds)) }),
	'recover-webhook-endpoint': fc.record({
		since: instant,
		until: optional(instant),
		mode: optional(fc.constantFrom('failed', 'missing')),
		dry_run: fc.constant(true),
		// Most cursors are refused, so half of the requests have none.
		cursor: fc.option(fc.string({ maxLength: 99 }), { nil: undefined, freq: 1 }),
	}),
	'sign-in': fc.record({ address: fc.constantFrom('owner@shop.example', 'x@unknown.example') }),
	'open-desk': fc.record({ workspace: fc.constantFrom('{{workspace_id}}', '{{other_workspace_id}}') }),
	'change-desk': fc.constantFrom(...deskForms).map((form) => ({ token: '{{form_token}}', ...form })),
	'change-developers': fc.constantFrom(...developerForms).map((form) => ({ token: '{{form_token}}', ...form })),
	'confirm-callback-link': fc.record({ phone: fc.constantFrom('m1', 'm2') }),
};

const validBody = ({ operation }: Route): fc.Arbitrary<object | null> =>
	bodies[operation] ?? fc.constant(exampleBody(operation) ?? null);

const listQuery = fc.record({
	status: optional(fc.constantFrom('requested,failed', 'pending', 'failed')),
	from: optional(instant),
	to: optional(instant),
	limit: optional(fc.constantFrom('1', '100')),
});

function query(route: Route): fc.Arbitrary<readonly Pair[]> {
	if (route.operation === 'get-widget-config') return fc.constant([['workspace_key', '{{workspace_key}}']]);
	if (!route.operation.startsWith('list-')) return fc.constant([]);
	return listQuery.map((given) => Object.entries(given).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

/** The names of the world's values that the path of a route may contain. */
function named(route: Route): readonly string[] {
	if (route.operation === 'test-webhook-endpoint') return ['test_endpoint_id'];
	if (route.operation === 'delete-webhook-endpoint') return ['doomed_endpoint_id'];
	const [kind = ''] = route.path.split('/').filter((part) => !['', 'widget'].includes(part));
	const ids: Readonly<Record<string, readonly string[]>> = {
		calls: ['call_id', 'canceled_id'],
		'call-requests': ['call_id', 'canceled_id'],
		'callback-leads': ['lead_id'],
		'webhook-endpoints': ['endpoint_id'],
		'webhook-deliveries': ['delivery_id'],
		events: ['event_id'],
	};
	return ids[kind] ?? [];
}

/** Makes the parts of a route's path. Most ids in it are the customer's own, and few are unknown or another customer's. */
function path(route: Route): fc.Arbitrary<readonly string[]> {
	const own = named(route);
	const others = ['unknown_id', ...own.map((name) => `other_${name}`)];
	const id = fc.oneof(
		{ weight: 5, arbitrary: fc.constantFrom(...own, ...(own.length === 0 ? others : [])) },
		fc.constantFrom(...others),
	);
	const parts = `/v1${route.path}`.split('/').slice(1);
	const pages = route.path.startsWith('/desk/developers/') ? developerPages : shopPages;
	return fc.tuple(id, fc.constantFrom<string>(...pages)).map(([name, page]) =>
		parts.map((part) => {
			if (part === '{id}') return `{{${name}}}`;
			if (part === '{leg_id}') return '{{leg_address}}';
			if (part === '{token}' && route.surface === 'desk') return '{{desk_token}}';
			if (part === '{page}') return page;
			return part.startsWith('{') ? `{${part}}` : part;
		}),
	);
}

function headers(route: Route): fc.Arbitrary<readonly Pair[]> {
	const own: Pair[] = [];
	if (route.surface === 'server') own.push(['authorization', 'Bearer {{api_key}}']);
	if (route.surface === 'widget') own.push(['origin', '{{origin}}']);
	if (route.surface === 'desk') {
		own.push(['host', 'api.example'], ['origin', 'https://api.example'], ['cookie', '__Host-desk={{desk_cookie}}']);
	}
	const key = route.idempotent ? fc.option(fc.integer({ min: 1, max: 40 }), { nil: null, freq: 2 }) : fc.constant(null);
	const tags = ['*', '"not-the-current-one"', 'W/"*"', ''];
	const tag = route.conditional ? fc.option(fc.constantFrom(...tags), { nil: null, freq: 2 }) : fc.constant(null);
	return fc
		.tuple(key, tag)
		.map(([n, if_match]) => [
			...own,
			...(n === null ? [] : [['idempotency-key', `key ${n}`] as const]),
			...(if_match === null ? [] : [['if-match', if_match] as const]),
		]);
}

type Parts = {
	readonly method: string;
	readonly path: readonly string[];
	readonly query: readonly Pair[];
	readonly headers: readonly Pair[];
	readonly body: object | null;
	readonly provider: Provider;
};

function valid(route: Route): fc.Arbitrary<Parts> {
	const provider = route.surface === 'provider' ? fc.constantFrom(...providers) : fc.constant(providers[0]);
	return provider.chain((given) => validAt(route, given));
}

function validAt(route: Route, provider: Provider): fc.Arbitrary<Parts> {
	return fc.record({
		method: fc.constantFrom(...methodsOfRoute(route)),
		path: path(route),
		query: query(route),
		headers: headers(route),
		body: route.surface === 'provider' ? bodyOf(provider) : validBody(route),
		provider: fc.constant(provider),
	});
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];
const places = ['nothing', 'method', 'path', 'query', 'headers', 'body'] as const;
type Where = ReadonlySet<(typeof places)[number]>;
const one = (weight: number, ...where: (typeof places)[number][]) => ({
	weight,
	arbitrary: fc.constant<Where>(new Set(where)),
});
/**
 * The parts of a request that are mutated. Usually, only one part is mutated, so that a request also reaches the
 * service's later checks.
 */
const where = fc.oneof(
	one(3, 'nothing'),
	one(1, 'method'),
	one(3, 'path'),
	one(3, 'query'),
	one(4, 'headers'),
	one(10, 'body'),
	one(2, 'headers', 'body'),
	one(2, 'query', 'body'),
	one(1, ...places),
);

function mutated(route: Route, parts: Parts, changed: Where): fc.Arbitrary<HostileRequest> {
	const as = <T>(place: (typeof places)[number], usual: T, hostile: () => fc.Arbitrary<T>): fc.Arbitrary<T> =>
		changed.has(place) ? hostile() : fc.constant(usual);
	const form = ['team', 'desk'].includes(route.surface) || (route.surface === 'provider' && sendsForms(parts.provider));
	const encoded = form ? formOf : json;
	const hostile = (good: object) => (form ? fc.oneof(hostileForm(good), hostileBody(good)) : hostileBody(good));
	const plain = parts.body === null ? null : encoded(parts.body);
	const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
	const typed: readonly Pair[] = plain === null ? [] : [['content-type', type]];
	const path = as('path', parts.path.join('/'), () => hostilePath(parts.path));
	const search = as('query', written(parts.query), () => hostileQuery(parts.query));
	return fc.record({
		method: as('method', parts.method, () => fc.constantFrom(...methods)),
		target: fc.tuple(path, search).map(([given, query]) => `/${given}${query}`),
		headers: as('headers', [...parts.headers, ...typed], () => hostileHeader([...parts.headers, ...typed])),
		// A route that reads no body must ignore every body.
		body: as<string | null>('body', plain, () => hostile(parts.body ?? {})),
		// One of four requests has no signature: the service must refuse it, and must not spend much CPU time on the refusal.
		signed: route.surface === 'provider' ? fc.nat({ max: 3 }).map((of4) => of4 > 0) : fc.constant(false),
		provider: fc.constant(parts.provider),
	});
}

/** A request to any route: a valid one with mutations in one or several parts, or rarely with none. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc
	.constantFrom<Route>(...routes)
	.chain((route) => fc.tuple(valid(route), where).chain(([parts, changed]) => mutated(route, parts, changed)));

/**
 * A valid request to one route, without mutations. The service may still refuse it, for example if it changes a deleted record.
 */
export const validRequest = (route: Route): fc.Arbitrary<HostileRequest> =>
	valid(route).chain((parts) =>
		mutated(route, parts, new Set()).map((request) => ({ ...request, signed: route.surface === 'provider' })),
	);
