import { type ProblemCode, problems, problemType } from '../kernel/problem.ts';
import { problemCauses } from '../kernel/problem-docs.ts';
import type { Surface } from '../route.ts';
import { RATE_LIMIT_HEADERS } from './headers.ts';
import { type Json, refTo } from './schemas.ts';

const text = { type: 'string' };

export const problemSchemas: Readonly<Record<'Problem' | 'FieldError' | 'ProblemCode', Json>> = {
	Problem: {
		description: 'An error (RFC 9457).',
		type: 'object',
		required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
		properties: {
			type: { type: 'string', format: 'uri', description: 'A URL that documents the code. Compare `code`, not this.' },
			title: { ...text, description: 'What the code means, in a few words.' },
			status: { type: 'integer', description: 'The HTTP status.' },
			detail: { ...text, description: 'What is wrong with this request, for people to read.' },
			instance: { ...text, description: 'The path of the request.' },
			code: { $ref: '#/components/schemas/ProblemCode', description: 'Stable: switch on this.' },
			request_id: { ...text, description: 'The value of X-Request-Id. Include it when you ask for help.' },
			errors: {
				type: 'array',
				maxItems: 20,
				items: { $ref: '#/components/schemas/FieldError' },
				description: 'The invalid parts of the request, at most 20.',
			},
			required_permission: {
				type: ['string', 'null'],
				description: 'With `insufficient_permission`: the permission that the key lacks.',
			},
			call_status: { ...refTo('CallStatus'), description: 'With `call_already_terminal`: the state of the call.' },
			reason: { ...refTo('UnavailableReason'), description: 'With `calls_unavailable`: why no call can be placed.' },
			next_open_at: {
				anyOf: [refTo('Timestamp'), { type: 'null' }],
				description: 'With `outside_business_hours`: when the team opens next; null if no opening is planned.',
			},
		},
	},
	FieldError: {
		description: 'An invalid part of the request.',
		type: 'object',
		required: ['pointer', 'code', 'detail'],
		properties: {
			pointer: { ...text, description: 'A JSON Pointer into the body, or `?name` of a query parameter.' },
			code: { ...text, description: 'What kind of mistake it is.' },
			detail: { ...text, description: 'What was expected.' },
		},
	},
	ProblemCode: {
		description:
			'All codes. New values may be added: handle an unknown one by its status. `method_not_allowed` (405, with `Allow`) answers a known path with another method.',
		type: 'string',
		enum: Object.keys(problems),
	},
};

const REQUEST_ID = '6f0d3c52-5a0e-4a53-9a5b-2f4f0f1d9c11';
const at = (pointer: string, code: string, detail: string) => ({ errors: [{ pointer, code, detail }] });

/** Examples of the fields that only some problems have. */
const extras: Readonly<Partial<Record<ProblemCode, Json>>> = {
	validation_failed: at('/events', 'too_small', 'A list of 1 to 6 items.'),
	invalid_parameter: at('?limit', 'invalid_format', 'An integer from 1 to 100.'),
	consent_required: at('/consent', 'consent_required', 'The visitor must agree to be called.'),
	phone_invalid: at('/phone', 'no_plus', 'Begin with + and the country code, such as +1 202 555 0199.'),
	country_not_allowed: at('/phone', 'country_not_allowed', 'Numbers of this region are not called.'),
	phone_not_callable: at('/phone', 'phone_not_callable', 'This number cannot be called.'),
	page_url_mismatch: at('/page_url', 'page_url_mismatch', "`page_url` must be on the Origin's host."),
	webhook_url_not_allowed: at('/url', 'webhook_url_not_allowed', 'The URL must be https.'),
	insufficient_permission: { required_permission: 'calls:read' },
	call_already_terminal: { call_status: 'completed' },
	calls_unavailable: { reason: 'daily_limit' },
	outside_business_hours: { next_open_at: '2026-11-10T09:00:00.000Z' },
};

export function problemExamples(codes: readonly ProblemCode[]): Readonly<Record<string, Json>> {
	const entries = codes.map((code) => {
		const { status, title } = problems[code];
		const value = {
			type: problemType(code),
			title,
			status,
			detail: problemCauses[code],
			instance: '/v1/…',
			code,
			request_id: REQUEST_ID,
			...extras[code],
		};
		return [code, { summary: title, value }] as const;
	});
	return Object.fromEntries(entries);
}

/**
 * The name of a set of codes: `not_found`, `limit_reached` -> `NotFoundOrLimitReached`. The name of more than three codes
 * is shortened.
 */
function nameOfCodes(codes: readonly ProblemCode[]): string {
	const name = codes.length < 4 ? codes.join('_or_') : `${codes[0]}_or_${codes.length - 1}_others`;
	const words = name.split('_');
	return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

const FOR: Readonly<Record<Surface, string>> = {
	server: '',
	widget: 'ForVisitors',
	team: 'ForTeams',
	desk: 'ForDesks',
	provider: 'ForProviders',
	public: 'ForAnyone',
};

const WITH_RETRY_AFTER: ReadonlySet<ProblemCode> = new Set([
	'rate_limited',
	'calls_unavailable',
	'service_busy',
	'idempotency_conflict',
]);

/**
 * Requests that are refused with these codes are not counted by the rate limit, so the responses have no headers about the
 * limit.
 */
const UNCOUNTED: ReadonlySet<ProblemCode> = new Set(['unauthenticated', 'insufficient_permission']);

function headersOf(codes: readonly ProblemCode[], surface: Surface): Json {
	const names = ['X-Request-Id'];
	if (surface === 'server' && !codes.every((code) => UNCOUNTED.has(code))) names.push(...RATE_LIMIT_HEADERS);
	if (codes.some((code) => WITH_RETRY_AFTER.has(code))) names.push('Retry-After');
	if (codes.includes('unauthenticated')) names.push('WWW-Authenticate');
	return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function responseOf(codes: readonly ProblemCode[], surface: Surface): Json {
	const examples = Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
	return {
		description: codes.map((code) => `\`${code}\`: ${problemCauses[code]}`).join('\n\n'),
		headers: headersOf(codes, surface),
		content: { 'application/problem+json': { schema: refTo('Problem'), examples } },
	};
}

/** The error responses of an operation, by status. Routes of the same surface share one component for each set of codes. */
export function problemResponses(
	codes: readonly ProblemCode[],
	surface: Surface,
	components: Map<string, Json>,
): Readonly<Record<string, Json>> {
	const byStatus = Map.groupBy(codes, (code) => problems[code].status);
	const entries = [...byStatus].sort(([a], [b]) => a - b);
	return Object.fromEntries(
		entries.map(([status, alike]) => {
			const name = `${nameOfCodes(alike)}${FOR[surface]}`;
			const response = responseOf(alike, surface);
			const component = components.get(name);
			if (component !== undefined && JSON.stringify(component) !== JSON.stringify(response))
				throw new Error(`two responses ${name}`);
			components.set(name, response);
			return [String(status), { $ref: `#/components/responses/${name}` }];
		}),
	);
}
