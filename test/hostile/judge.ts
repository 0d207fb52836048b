import * as z from 'zod/mini';
import { MAX_HEADER_BYTES, matcher } from '../../local/gateway/gateway.ts';
import { deskRoutes } from '../../shared/contract/desk/desk.ts';
import { methodsOfRoute } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import { visibleLine } from '../../shared/domain/kernel/visible-line.ts';
import { responseOf, violation, wrongAnswer } from '../support/openapi-document.ts';
import type { HostileRequest } from './requests.ts';
import { ready } from './send.ts';
import { isStolen } from './stolen-session.ts';
import { CANARY, FOREIGN_ORIGIN, ORIGIN, SUPPRESSED, TEAM_NUMBER, VISITOR_NUMBER, type World } from './world.ts';

// The rules for every response to every request. They follow from the API document, docs/openapi.json.

export type HostileAnswer = {
	readonly status: number;
	/** The names are in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly text: string;
	/** The function's log lines for the request; empty if they are not available. */
	readonly log: readonly string[];
	/** The CPU time in milliseconds that this process spent on the request; null if it cannot be measured. */
	readonly cpu_ms: number | null;
};

const PAGES = {
	404: ['link_not_valid'],
	409: ['lead_closed'],
	410: ['link_used', 'link_expired'],
	503: ['service_busy'],
};
const DESK = {
	401: ['signed_out'],
	403: ['form_not_ours', 'form_not_of_session', 'owners_only'],
	404: ['link_not_valid', 'page_unknown'],
	409: [
		'not_found',
		'changed_meanwhile',
		'team_number_invalid',
		'team_number_not_callable',
		'team_number_twice',
		'team_number_calls_itself',
		'team_full',
		'member_unknown',
		'date_passed',
		'person_unknown',
		'last_owner',
		'desk_full',
		'not_callable',
		'invited_enough',
		'desk_invited_enough',
		'secrets_enough',
		'pressed_often',
		'webhook_url_not_allowed',
		'limit_reached',
		'endpoint_disabled',
	],
	410: ['link_used', 'link_expired'],
	413: ['payload_too_large'],
	415: ['unsupported_media_type'],
	422: ['validation_failed'],
	429: ['rate_limited'],
	503: ['service_busy'],
};
const PROVIDER = { 403: ['invalid_signature'], 404: ['not_found'], 413: ['payload_too_large'], 503: ['service_busy'] };
/**
 * The codes that each route outside of the API document may answer with, by status. The document is written for clients, so it
 * leaves these routes out.
 */
const UNDOCUMENTED: Readonly<Record<string, Readonly<Record<number, readonly string[]>>>> = {
	preflight: { 403: ['origin_not_allowed'], 503: ['service_busy'] },
	fallback: { 404: ['not_found'], 405: ['method_not_allowed'] },
	'receive-leg-callback': PROVIDER,
	'show-callback-link': PAGES,
	'confirm-callback-link': {
		...PAGES,
		403: ['form_not_ours'],
		413: ['payload_too_large'],
		415: ['unsupported_media_type'],
		422: ['validation_failed', 'phone_not_callable'],
		429: ['rate_limited'],
		503: ['service_busy', 'calls_unavailable'],
	},
	'instruct-leg': PROVIDER,
	...Object.fromEntries(deskRoutes.map(({ operation }) => [operation, DESK])),
};
const SUCCESS: Readonly<Record<string, number>> = { preflight: 204, 'receive-leg-callback': 204, 'instruct-leg': 200 };

type Place = { readonly operation: string; readonly path: string; readonly method: string };

const nowhere = { name: '', invoke: async () => ({ invoked: 'crashed' as const }), stop: async () => undefined };
const routeKeys = routes.flatMap((route) => {
	const methods = [...methodsOfRoute(route), ...(route.surface === 'widget' ? ['OPTIONS'] : [])];
	return methods.map((method) => `${method} /v1${route.path}`);
});
const match = matcher(routeKeys.map((routeKey) => ({ routeKey, target: nowhere })));

/** The operation of a request. The gateway chooses it by method and path alone. */
export function placeOf(method: string, target: string): Place {
	const found = match(method, target.split('?', 1)[0] ?? '');
	if (found === null) return { operation: 'fallback', path: '', method };
	const [, full = ''] = found.routeKey.split(' ');
	const path = full.slice('/v1'.length);
	const route = routes.find((each) => each.path === path && methodsOfRoute(each).some((one) => one === method));
	return { operation: route?.operation ?? 'preflight', path, method: method.toLowerCase() };
}

/** The codes with which an operation may respond at this status. */
function codesOf({ operation, path, method }: Place, status: number): readonly string[] {
	const undocumented = UNDOCUMENTED[operation];
	if (undocumented !== undefined) return undocumented[status] ?? [];
	const [media] = Object.values(responseOf(path, method, status)?.content ?? {});
	return Object.keys(media?.examples ?? {});
}

/** Internal details: stack traces, positions in the code, names of resources. */
const INTERNAL =
	/\bat .{1,80}:\d+:\d+|\.ts\b|\.js\b|node_modules|node:|TypeError|RangeError|SyntaxError|Exception\b|DynamoDB|dynoxide|dynamodb|IDEMPOTENCY#|WORKSPACE#|arn:aws|ZodError|amazonaws|127\.0\.0\.1:\d|sealed|secret_hash|written_by|list_pk|status_pk|endpoint_pk/i;

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

const isPage = ({ operation }: Place): boolean =>
	routes.some((route) => route.operation === operation && ['team', 'desk'].includes(route.surface));
const isDesk = ({ operation }: Place): boolean => deskRoutes.some((route) => route.operation === operation);

/**
 * Checks the rules for every page: it loads nothing from elsewhere, no site can show it in a frame, no other site can learn its
 * URL, and nothing may cache it.
 */
function* wrongWithPage(place: Place, headers: HostileAnswer['headers']): Generator<string> {
	if (headers['content-type'] !== 'text/html; charset=utf-8') yield `content type ${headers['content-type']}`;
	if (headers['cache-control'] !== 'no-store') yield `cache-control ${headers['cache-control']}`;
	// The forms of the desk need an Origin header. Browsers send it only if the page may send a referrer to its own host.
	const kept = isDesk(place) ? ['same-origin', 'no-referrer'] : ['no-referrer'];
	if (!kept.includes(headers['referrer-policy'] ?? '')) yield 'tells others its address';
	const policy = headers['content-security-policy'] ?? '';
	// The widget's preview has other rules, because it is a sandboxed document, which does not have the desk's origin.
	if (isDesk(place) && policy.startsWith("sandbox allow-scripts; default-src 'none'; script-src ")) return;
	for (const rule of ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"]) {
		if (!policy.includes(rule)) yield `no ${rule}`;
	}
	// Pages with copy buttons load a script file of ours.
	const others = isDesk(place) ? policy.replace("script-src 'self'", '') : policy;
	if (/script-src|unsafe/.test(others)) yield 'lets scripts run';
}

function* wrongWithRefusedPage(place: Place, { status, headers, text }: HostileAnswer): Generator<string> {
	yield* wrongWithPage(place, headers);
	const code = /<meta name="problem" content="(\w+)">/.exec(text)?.[1] ?? '';
	if (!codesOf(place, status).includes(code)) yield `undocumented ${status} ${code}`;
	if ([429, 503].includes(status) && !/^\d+$/.test(headers['retry-after'] ?? '')) yield 'no Retry-After';
}

function* wrongWithProblem(place: Place, answer: HostileAnswer): Generator<string> {
	const { status, headers, text } = answer;
	if (isPage(place)) return yield* wrongWithRefusedPage(place, answer);
	const problem = parsed(text) as { code?: string; request_id?: string; status?: number; detail?: string } | undefined;
	if (headers['content-type'] !== 'application/problem+json') yield `content type ${headers['content-type']}`;
	if (headers['cache-control'] !== 'no-store') yield `cache-control ${headers['cache-control']}`;
	const wrong = violation(problem, { $ref: '#/components/schemas/Problem' });
	if (wrong !== null) yield `not a problem: ${wrong}`;
	if (problem?.status !== status) yield `status ${status} says ${problem?.status} of itself`;
	if (problem?.request_id !== headers['x-request-id']) yield 'another request id in the body';
	if (!codesOf(place, status).includes(problem?.code ?? '')) yield `undocumented ${status} ${problem?.code}`;
	if ([429, 503].includes(status) && !/^\d+$/.test(headers['retry-after'] ?? '')) yield 'no Retry-After';
	if (status === 401 && headers['www-authenticate'] !== 'Bearer') yield 'no WWW-Authenticate';
	if (status === 405 && !headers['allow']) yield 'no Allow';
}

function* wrongWithRedirect(headers: HostileAnswer['headers']): Generator<string> {
	if (headers['cache-control'] !== 'no-store') yield `cache-control ${headers['cache-control']}`;
	const location = headers['location'] ?? '';
	if (!/^[\w./?=&-]+(?:#said)?$/.test(location) || location.startsWith('/')) yield `leads to ${location}`;
}

function* wrongWithSuccess(
	{ operation, path, method }: Place,
	{ status, headers, text }: HostileAnswer,
): Generator<string> {
	// A path below /v1/desk that names no page redirects to the desk.
	if (operation === 'fallback' && status === 303) return yield* wrongWithRedirect(headers);
	const expected = SUCCESS[operation];
	if (expected !== undefined) {
		if (expected !== status) yield `${status} of ${operation}`;
		return;
	}
	if (isPage({ operation, path, method })) {
		const place = { operation, path, method };
		const expected = isDesk(place) ? [200, 303] : [method === 'post' ? 202 : 200];
		if (!expected.includes(status)) yield `${status} of ${operation}`;
		if (status === 303) return yield* wrongWithRedirect(headers);
		return yield* wrongWithPage(place, headers);
	}
	const wrong = wrongAnswer({ path, method }, status, text === '' ? null : parsed(text));
	if (wrong !== null) yield `not as documented: ${wrong}`;
	if (text !== '' && headers['content-type'] !== 'application/json') yield `content type ${headers['content-type']}`;
}

/** The headers that clients read. Of these headers, a response may have only those that the document names. */
const FOR_CLIENTS =
	/^(ratelimit-.+|retry-after|www-authenticate|cancel-secret|idempotency-.+|etag|deprecation|sunset|link|x-request-id)$/;

function* wrongWithHeaders({ operation, path, method }: Place, { status, headers }: HostileAnswer): Generator<string> {
	if (operation === 'fallback' || UNDOCUMENTED[operation] !== undefined) return;
	const documented = Object.keys(responseOf(path, method, status)?.headers ?? {}).map((name) => name.toLowerCase());
	const shown = Object.keys(headers).filter((name) => FOR_CLIENTS.test(name));
	for (const name of shown) if (!documented.includes(name)) yield `undocumented header ${name} of ${status}`;
}

/** Every form that is sent with a stolen session must be refused. The refusal of a member's form must not name an owner. */
function* wrongWithStolen(sent: HostileRequest, { status, text }: HostileAnswer, world: World): Generator<string> {
	if (!isStolen(sent)) return;
	if (status < 400) yield 'lets a stolen session do it';
	const isMember = sent.body?.includes('{{stolen_member_token}}') ?? false;
	if (isMember && text.includes(world['stolen_owner'] ?? '')) yield 'names an owner to a member';
}

const Input = z.object({ phone: z.string() });

/**
 * A POST with the suppressed number must not succeed. A name, note or description in a response must contain no invisible
 * characters.
 */
function* wrongWithWords(
	{ body, method }: HostileRequest,
	{ operation }: Place,
	{ text }: HostileAnswer,
): Generator<string> {
	const sent =
		method === 'POST' ? Input.safeParse(parsed(Buffer.from(body ?? '', 'latin1').toString())).data : undefined;
	if (sent?.phone === SUPPRESSED && operation !== 'fallback') yield 'accepts a suppressed number';
	for (const [, word = ''] of text.matchAll(/"(?:name|note|description)":("(?:[^"\\]|\\.)*")/g)) {
		const shown = String(parsed(word));
		if (operation !== 'get-openapi' && shown !== visibleLine(shown)) yield `shows the invisible text ${word}`;
	}
}

function* wrongWithCors(
	place: Place,
	request: HostileRequest,
	{ status, headers, text }: HostileAnswer,
): Generator<string> {
	const allowed = headers['access-control-allow-origin'];
	const origins = request.headers.filter(([name]) => name === 'origin').map(([, value]) => value);
	if (allowed !== undefined && ![ORIGIN, FOREIGN_ORIGIN].includes(allowed)) yield `allows the origin ${allowed}`;
	if (allowed !== undefined && origins.join(',') !== allowed) yield 'allows an origin that did not ask';
	if (headers['access-control-allow-credentials'] !== undefined) yield 'allows credentials';
	const widget = routes.some((route) => route.operation === place.operation && route.surface === 'widget');
	if (widget && status < 500 && headers['vary'] !== 'Origin') yield 'no Vary: Origin';
	if (text.includes('origin_not_allowed') && allowed !== undefined) yield 'refuses an origin and allows it';
}

/** Values that no response may contain: internal details, and records, numbers and secrets of another customer. */
function* leaksOf(
	place: Place,
	request: HostileRequest,
	{ text, log }: HostileAnswer,
	world: World,
): Generator<string> {
	// The path is no leak, because a response repeats the request's path in `instance`. The API document is public.
	const path = JSON.stringify(request.target.split('?', 1)[0]).slice(1, -1);
	// The names of these two files are no leak. A page of the desk loads the script desk.js. It shows the snippet that loads
	// widget.js, also in the link with which the snippet is mailed, and says how to add this script to a site.
	const said =
		place.operation === 'get-openapi'
			? ''
			: text.replaceAll(path, '').replaceAll(/widget\.js|"(?:\.\.\/pages\/)?desk\.js(?:\?v=[\w-]+)?"/g, '');
	const inside = INTERNAL.exec(said);
	if (inside !== null) yield `tells of the inside: ${inside[0]}`;
	const asked = JSON.stringify(request);
	const asOther = ['other_api_key', 'other_workspace_key'].some((name) => asked.includes(world[name] ?? name));
	if (!asOther && said.includes(CANARY)) yield 'shows what is another customer’s';
	const logged = log.join('');
	const seen = `${said}${logged}`;
	if (VISITOR_NUMBER.test(seen)) yield 'shows a phone number';
	if (TEAM_NUMBER.test(seen)) yield 'shows a team member’s number';
	if (SECRETS.some((name) => seen.includes(world[name] ?? name))) yield 'shows a secret';
}

/** Values that the service encrypts or hashes, or that only a browser stores. No response and no log may contain them. */
const SECRETS = ['api_key', 'desk_cookie', 'cancel_secret'].flatMap((name) => [name, `other_${name}`]);
for (const role of ['owner', 'member', 'developer']) SECRETS.push(`stolen_${role}_cookie`);

const HEAD_TOO_LONG = '{"message":"Request Header Fields Too Large"}';

/**
 * Whether the request line and the headers may exceed the gateway's limit after they are escaped. If they exceed it, the
 * gateway itself responds, and no code of ours runs.
 */
function mayBeTooLong({ target, headers }: HostileRequest): boolean {
	return 3 * Buffer.byteLength([target, ...headers.flat()].join('')) > MAX_HEADER_BYTES;
}

/** Everything that is wrong with a response; empty if it follows the contract. */
export function judge(sent: HostileRequest, answer: HostileAnswer, world: World): readonly string[] {
	const request = ready(sent, world);
	const place = placeOf(request.method, request.target);
	const { status, headers, text } = answer;
	if (status === 431 && text === HEAD_TOO_LONG && headers['apigw-requestid'] && mayBeTooLong(request)) return [];
	const wrong: string[] = [];
	if (!headers['x-request-id']) wrong.push('no X-Request-Id');
	if (status < 200 || status === 500 || status > 503) wrong.push(`status ${status}`);
	const odd = Object.keys(headers).filter((name) => /[^\x20-\x7e]/.test(headers[name] ?? ''));
	if (odd.length > 0) wrong.push(`odd characters in ${odd.join(', ')}`);
	if (status === 204 && headers['content-type'] !== undefined) wrong.push('a content type for no content');
	if (request.method === 'HEAD') {
		if (text !== '') wrong.push('a body for HEAD');
	} else {
		wrong.push(...(status < 400 ? wrongWithSuccess(place, answer) : wrongWithProblem(place, answer)));
		wrong.push(...wrongWithHeaders(place, answer));
		if (status < 300) wrong.push(...wrongWithWords(request, place, answer));
	}
	const more = [wrongWithStolen(sent, answer, world), wrongWithCors(place, request, answer)];
	return [...wrong, ...more.flatMap((each) => [...each]), ...leaksOf(place, request, answer, world)];
}
