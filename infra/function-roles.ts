import type { Route } from '../shared/contract/route.ts';
import { routes } from '../shared/contract/routes.ts';
import type { Access, FullAccess } from './access.ts';
import { deskAccess, opensLinks } from './desk-roles.ts';

// Everything that each function of the service may access. The functions in functions/setup, which run during a deployment,
// have no rows here.

export const workers = ['dial-leg', 'hang-up-leg', 'call-timer', 'deliver-webhook', 'notify-team', 'sweep'] as const;
export type Worker = (typeof workers)[number];
export type RouteOperation = (typeof routes)[number]['operation'];
/** `preflight` answers OPTIONS on widget paths. `fallback` answers every path without a route. */
export type ApiFunction = RouteOperation | 'preflight' | 'fallback';
/**
 * The functions of the service: one for each operation, `preflight`, `fallback`, and the workers. A later release may rename a
 * function that has no route.
 */
export type FunctionName = ApiFunction | Worker;

export const isWorker = (name: string): name is Worker => workers.some((worker) => worker === name);

/**
 * What a function needs to advance a call: the call's record, its events with their deliveries, the notice if the call was
 * missed, the visitor's number, and the messages that follow.
 */
const movesCalls = {
	get: ['call', 'workspace', 'team_notice'],
	query: ['webhook_endpoint'],
	put: ['call', 'event', 'delivery', 'team_notice'],
	remove: ['sealed_number'],
	count: ['tally'],
	names: true,
	send: ['dial-legs', 'hang-up-legs', 'call-timers', 'deliveries'],
	use: ['telephony'],
} as const satisfies Access;

const cancelsCalls = {
	get: ['call'],
	query: ['webhook_endpoint'],
	put: ['call', 'event', 'delivery'],
	remove: ['sealed_number'],
	count: ['tally'],
	names: true,
	send: ['hang-up-legs', 'call-timers', 'deliveries'],
} as const satisfies Access;

/**
 * A row for every function. If a row is missing, this file does not compile. `accessOf` adds what follows from the table of
 * routes.
 */
const own = {
	'list-calls': { list: ['call'] },
	'get-call': { get: ['call'] },
	'cancel-call': cancelsCalls,

	'list-callback-leads': { list: ['callback_lead'] },
	'get-callback-lead': { get: ['callback_lead'] },
	'update-callback-lead': { get: ['callback_lead'], put: ['callback_lead'], count: ['tally'] },

	'create-webhook-endpoint': {
		get: ['endpoint_roster'],
		put: ['endpoint_roster', 'webhook_endpoint'],
		use: ['seal_secrets', 'open_secrets'],
	},
	'list-webhook-endpoints': { query: ['webhook_endpoint'] },
	'get-webhook-endpoint': { get: ['webhook_endpoint'] },
	'change-webhook-endpoint': {
		get: ['webhook_endpoint'],
		put: ['webhook_endpoint'],
		use: ['seal_secrets'],
	},
	'delete-webhook-endpoint': {
		get: ['endpoint_roster', 'webhook_endpoint'],
		put: ['endpoint_roster'],
		remove: ['webhook_endpoint'],
	},
	'rotate-webhook-secret': {
		get: ['webhook_endpoint'],
		put: ['webhook_endpoint'],
		use: ['seal_secrets', 'open_secrets'],
	},
	'test-webhook-endpoint': { get: ['webhook_endpoint'], use: ['open_secrets'] },
	'recover-webhook-endpoint': {
		get: ['webhook_endpoint', 'delivery'],
		list: ['event'],
		put: ['delivery'],
		send: ['retries'],
	},

	'list-webhook-deliveries': { list: ['delivery'] },
	'get-webhook-delivery': { get: ['delivery', 'event'], query: ['delivery_attempt'] },
	'retry-webhook-delivery': { get: ['delivery', 'webhook_endpoint'], put: ['delivery'], send: ['retries'] },

	'list-events': { list: ['event'] },
	'get-event': { list: ['event'] },

	'request-call': {
		get: ['workspace_key', 'number_usage', 'call'],
		query: ['webhook_endpoint'],
		put: ['call', 'event', 'delivery', 'sealed_number', 'number_usage', 'consent'],
		count: ['any'],
		used: true,
		send: ['dial-legs', 'call-timers', 'deliveries'],
		use: ['seal_numbers', 'macs', 'telephony_presence'],
	},
	'get-call-request-status': { get: ['call'] },
	'cancel-call-request': { ...cancelsCalls, use: ['macs'] },
	'create-callback-lead': {
		get: ['workspace_key', 'number_usage', 'call'],
		query: ['webhook_endpoint'],
		put: ['callback_lead', 'event', 'delivery', 'sealed_number', 'consent', 'team_notice'],
		count: ['any'],
		used: true,
		send: ['deliveries', 'team-notices'],
		use: ['seal_numbers', 'macs'],
	},
	'get-widget-config': {
		get: ['workspace_key', 'site_use'],
		put: ['site_use'],
		used: true,
		use: ['caller_number', 'telephony_presence'],
	},
	preflight: { query: ['allowed_origin'] },

	'show-callback-link': { get: opensLinks },
	'confirm-callback-link': {
		get: [...opensLinks, 'number_usage'],
		query: ['webhook_endpoint'],
		put: ['callback_link', 'call', 'event', 'delivery', 'number_usage'],
		count: ['any'],
		used: true,
		send: ['dial-legs', 'call-timers', 'deliveries'],
		use: ['telephony_presence'],
	},

	...deskAccess,

	'receive-leg-callback': movesCalls,
	// A leg's request for instructions also reports that the leg was answered or accepted, so this function advances the call.
	'instruct-leg': movesCalls,
	'get-openapi': {},
	fallback: {},

	'dial-leg': {
		...movesCalls,
		get: [...movesCalls.get, 'sealed_number', 'team_number'],
		use: [...movesCalls.use, 'open_numbers'],
	},
	'hang-up-leg': { get: ['call'], use: ['telephony'] },
	'call-timer': movesCalls,
	'deliver-webhook': {
		get: ['delivery', 'event', 'webhook_endpoint'],
		put: ['delivery', 'delivery_attempt', 'webhook_endpoint', 'team_notice'],
		send: ['retries'],
		use: ['open_secrets'],
	},
	'notify-team': {
		get: [
			'blocked_address',
			'call',
			'callback_lead',
			'callback_link',
			'desk_link',
			'team_notice',
			'failing_recipient',
			'webhook_endpoint',
			'workspace',
		],
		query: ['desk_address'],
		put: ['blocked_address', 'callback_link', 'desk_link', 'failing_recipient', 'team_notice'],
		send: ['team-notices', 'dead-letters'],
		use: ['mail', 'open_secrets'],
	},
	sweep: {
		due: true,
		get: ['delivery', 'team_notice', 'webhook_endpoint'],
		put: ['delivery', 'team_notice'],
		send: ['call-timers', 'deliveries', 'retries', 'team-notices', 'dead-letters'],
	},
} as const satisfies Record<FunctionName, Access>;

export const functionNames: readonly FunctionName[] = Object.keys(own)
	.filter((name): name is FunctionName => Object.hasOwn(own, name))
	.sort();

/** What the HTTP layer needs before and after the operation of a route (see shared/http). */
function impliedBy(route: Route): Access[] {
	const impliedAccess: Access[] = [];
	if (route.surface === 'server') {
		impliedAccess.push({ get: ['api_key', 'api_key_use', 'workspace'], put: ['api_key_use'], count: ['api'] });
	}
	if (route.surface === 'widget') impliedAccess.push({ get: ['workspace'], query: ['allowed_origin'] });
	if (route.surface === 'desk' || route.surface === 'team') impliedAccess.push({ use: ['public_address'] });
	if (route.idempotent) impliedAccess.push({ get: ['idempotency'], put: ['idempotency'] });
	return impliedAccess;
}

const unique = <T extends string>(lists: readonly (readonly T[] | undefined)[]): readonly T[] =>
	[...new Set(lists.flatMap((list) => list ?? []))].sort();

/** Everything that a function may access: what its row says and what follows from its route. */
export function accessOf(name: FunctionName): FullAccess {
	const route = routes.find((candidate) => candidate.operation === name);
	const parts: readonly Access[] = [own[name], ...(route === undefined ? [] : impliedBy(route))];
	return {
		get: unique(parts.map((part) => part.get)),
		query: unique(parts.map((part) => part.query)),
		list: unique(parts.map((part) => part.list)),
		due: parts.some((part) => part.due),
		put: unique(parts.map((part) => part.put)),
		remove: unique(parts.map((part) => part.remove)),
		count: unique(parts.map((part) => part.count)),
		used: parts.some((part) => part.used),
		tallies: parts.some((part) => part.tallies),
		names: parts.some((part) => part.names),
		send: unique(parts.map((part) => part.send)),
		use: unique(parts.map((part) => part.use)),
	};
}
