import { routes } from '../shared/contract/routes.ts';
import type { FunctionName } from './function-roles.ts';

// Queries for CloudWatch Logs Insights. Some answer customers' questions and are saved in the account. Alarms link to the
// other queries. All queries read the log lines in docs/logs.md and the lines of the gateway's access log.

export type LogSource = FunctionName | 'access-log';
export type LogQuery = {
	/** The question of a customer or an operator that the query answers. */
	readonly question: string;
	readonly sources: readonly LogSource[];
	/** Words in capitals, such as CALL_ID, have to be replaced before the query is run. */
	readonly text: string;
};

const OF_A_CALL = ['request-call', 'cancel-call', 'dial-leg', 'receive-leg-callback', 'instruct-leg'] as const;
const OF_ITS_END = ['call-timer', 'hang-up-leg', 'cancel-call-request', 'confirm-callback-link'] as const;
const OF_SERVERS = routes.filter(({ surface }) => surface === 'server').map(({ operation }) => operation);

const text = (...commands: readonly string[]): string => commands.join('\n| ');

/** Each query is saved as `<stack>/<name>`, so CloudWatch shows the query in a folder with the name of the stack. */
export const savedQueries = {
	'a-call': {
		question: 'Why was this call not connected?',
		sources: [...OF_A_CALL, ...OF_ITS_END],
		text: text(
			'fields @timestamp, fact, operation, role, outcome, call_status, code, detail, waited_ms',
			'filter call_id = "CALL_ID"',
			'sort @timestamp asc',
			'limit 1000',
		),
	},
	'refused-visitors': {
		question: 'Why can visitors request no call, and which limit is spent?',
		sources: ['request-call', 'create-callback-lead'],
		text: text(
			'filter fact = "response" and status >= 400',
			'stats count(*) as times by workspace_id, operation, code, reason',
			'sort times desc',
			'limit 100',
		),
	},
	'refused-dials': {
		question: 'Which phones were not rung, and why?',
		sources: ['dial-leg'],
		text: text(
			'filter fact = "dial" and outcome in ["rejected", "throttled", "unclear", "dropped"]',
			'stats count(*) as times, latest(call_id) as last_call_id by workspace_id, role, outcome, code, detail',
			'sort times desc',
			'limit 100',
		),
	},
	'slow-dials': {
		question: 'Why does the phone ring so late?',
		sources: ['dial-leg'],
		text: text(
			'filter fact = "dial" and outcome = "accepted"',
			'stats count(*) as dials, pct(waited_ms, 50) as waited_p50, max(waited_ms) as waited_most, max(duration_ms) as dial_most by workspace_id, role',
			'sort waited_most desc',
			'limit 100',
		),
	},
	'a-delivery': {
		question: 'What happened to this webhook?',
		sources: ['deliver-webhook'],
		text: text(
			'fields @timestamp, event, attempt, attempts_planned, outcome, status, code, duration_ms, next_attempt_at, breaker',
			'filter fact = "attempt" and delivery_id = "DELIVERY_ID"',
			'sort @timestamp asc',
			'limit 100',
		),
	},
	'webhooks-sent-twice': {
		question: 'Why did our webhook come twice?',
		sources: ['deliver-webhook'],
		text: text(
			'filter fact = "attempt" and workspace_id = "WORKSPACE_ID"',
			'stats count(*) as attempts, earliest(outcome) as first_outcome, earliest(code) as first_code, max(duration_ms) as longest by event_id, endpoint_id, event',
			'filter attempts > 1',
			'sort attempts desc',
			'limit 100',
		),
	},
	'failing-endpoints': {
		question: 'Which webhook endpoints fail, and how?',
		sources: ['deliver-webhook'],
		text: text(
			'filter fact = "attempt" and outcome in ["retry", "exhausted", "gone"]',
			'stats count(*) as times, latest(delivery_id) as last_delivery_id by workspace_id, endpoint_id, code, status',
			'sort times desc',
			'limit 100',
		),
	},
	'slow-endpoints': {
		question: 'Which webhook endpoints are slow?',
		sources: ['deliver-webhook'],
		text: text(
			'filter fact = "attempt"',
			'stats count(*) as attempts, pct(duration_ms, 50) as p50, max(duration_ms) as longest, max(first_byte_ms) as first_byte by workspace_id, endpoint_id',
			'sort longest desc',
			'limit 100',
		),
	},
	'messages-to-a-team': {
		question: 'Why did the team get no message?',
		sources: ['notify-team'],
		text: text(
			'fields @timestamp, fact, channel, outcome, code, attempt, next_attempt_at, lead_id, event, address_masked, failing_since',
			'filter workspace_id = "WORKSPACE_ID"',
			'sort @timestamp desc',
			'limit 200',
		),
	},
	'refused-requests': {
		question: 'Why are our API requests and forms refused?',
		sources: [...OF_SERVERS, 'change-desk', 'change-developers'],
		text: text(
			'filter fact = "response" and (status >= 400 or ispresent(form))',
			'stats count(*) as times, latest(request_id) as last_request_id by workspace_id, api_key_id, operation, form, outcome, status, code, reason',
			'sort times desc',
			'limit 200',
		),
	},
} as const satisfies Readonly<Record<string, LogQuery>>;
export type SavedQuery = keyof typeof savedQueries;

/** A query for the failures of these functions. */
const failuresOf = (...sources: readonly LogSource[]): LogQuery => ({
	question: 'What failed?',
	sources,
	text: text('filter level = "ERROR"', 'stats count(*) as times by fact, error, code', 'sort times desc'),
});

const ofAccessLog = (question: string, ...commands: readonly string[]): LogQuery => ({
	question,
	sources: ['access-log'],
	text: text(...commands),
});

/** The queries to which alarms link. These queries are short, because an alarm's text has at most 1,024 characters. */
export const alarmQueries = {
	failuresOf,
	runsOfTheSweep: {
		question: 'How late is the sweep?',
		sources: ['sweep'],
		text: text('filter fact = "swept"', 'display @timestamp, late_ms, zone_data', 'sort @timestamp desc', 'limit 60'),
	},
	spentLimits: {
		question: 'Which limit is spent, and whose?',
		sources: ['request-call', 'create-callback-lead'],
		text: text('filter fact = "limit spent"', 'stats count(*) as times by workspace_id, code', 'sort times desc'),
	},
	callsOfWorkspaces: {
		question: 'Whose calls are these?',
		sources: ['request-call'],
		text: text('filter status = 202', 'stats count(*) as calls by workspace_id', 'sort calls desc'),
	},
	failingRoutes: ofAccessLog(
		'Which routes fail?',
		'filter status >= 500',
		'stats count(*) as times by route, status, integration_error',
		'sort times desc',
	),
	slowRoutes: ofAccessLog(
		'Which routes are slow?',
		'stats pct(latency_ms, 99) as p99, pct(integration_latency_ms, 99) as ours by route',
		'sort p99 desc',
	),
	refusedRoutes: (status: 401 | 403) =>
		ofAccessLog(
			'Which routes refuse?',
			`filter status = ${status}`,
			'stats count(*) as times by route',
			'sort times desc',
		),
} as const;
