import type { Request } from './bench/functions.ts';
import type { Message } from './bench/outside.ts';
import type { Filled } from './fill/fill.ts';
import { api, form, type Shop, visitor, widget } from './fill/people.ts';

/** The next action on a filled deployment. It uses only what users already hold. */
export type Step = {
	readonly name: string;
	/** The kinds of records, messages and URLs that the step works with. */
	readonly covers: readonly string[];
	/** How much time passes before the step. Messages are handled when they are due. */
	readonly pass_ms?: number;
	/** How often the sweep runs during this time. */
	readonly sweep_every_ms?: number;
} & (
	| { readonly request: Request }
	| { readonly message: Pick<Message, 'queue' | 'body'> }
	| { readonly ops: readonly string[] }
	| { readonly waits: true }
);

const MINUTE_MS = 60_000;

type Thing = { readonly id: string; readonly shop: Shop };
const isThing = (each: unknown): each is Thing =>
	typeof each === 'object' && each !== null && 'id' in each && 'shop' in each;

/** Requests that only read. They run on the state that the release left, and again at the end. */
function reads({
	shops,
	endpoints,
	desk,
	past,
	old,
	live,
	aged,
	pages,
	lists,
	recovery,
	revoked_key,
}: Filled): readonly Step[] {
	const { full, plain, usual } = shops;
	const getOf = (shop: Shop, path: string, ...covers: readonly string[]): Step => ({
		name: `GET ${path}`,
		covers: ['api_key', 'api_key_use', ...covers],
		request: api(shop, 'GET', path),
	});
	const get = (path: string, ...covers: readonly string[]) => getOf(full, path, ...covers);
	const page = (cookie: string, path: string, ...covers: readonly string[]): Step => ({
		name: `the desk shows ${path}`,
		covers: ['desk_session', 'cookie', ...covers],
		request: { method: 'GET', path: `/v1/desk/${path}`, cookies: [cookie] },
	});
	const things = (all: Readonly<Record<string, unknown>>): readonly Thing[] => Object.values(all).filter(isThing);
	const owner = desk.owner.cookie;
	const shopPages = ['today', 'numbers', 'hours', 'team', 'notices', 'people', 'calls', 'calls.csv', 'leads.csv'];
	const developerPages = ['webhooks', 'deliveries', 'keys'];
	const config = (shop: typeof full): Step => ({
		name: `the widget of ${shop.origin} reads its settings`,
		covers: ['workspace', 'workspace_key', 'allowed_origin'],
		request: widget(shop, 'GET', `/config?workspace_key=${shop.workspace_key}`),
	});
	return [
		...[full, plain, usual].map(config),
		{
			name: 'a browser asks before the widget does',
			covers: ['allowed_origin'],
			request: {
				method: 'OPTIONS',
				path: '/v1/widget/call-requests',
				headers: { origin: full.origin, 'access-control-request-method': 'POST' },
			},
		},
		...[...things(past), ...things(live)].map(({ id, shop }) => getOf(shop, `/calls/${id}`, 'call')),
		...things(live).map(
			({ id, shop }): Step => ({
				name: `the widget polls ${id}`,
				covers: ['call'],
				request: widget(shop, 'GET', `/call-requests/${id}/status`),
			}),
		),
		get('/calls?limit=20', 'call'),
		...things(old).map(({ id, shop }) => getOf(shop, `/callback-leads/${id}`, 'callback_lead')),
		get('/callback-leads', 'callback_lead'),
		...things(endpoints).map(({ id, shop }) => getOf(shop, `/webhook-endpoints/${id}`, 'webhook_endpoint')),
		get('/webhook-endpoints', 'webhook_endpoint', 'endpoint_roster'),
		...['failed', 'held', 'canceled', 'pending', 'succeeded'].map((status) =>
			get(`/webhook-deliveries?status=${status}&limit=10`, 'delivery'),
		),
		...[aged.failed, aged.succeeded].map((id) =>
			get(`/webhook-deliveries/${id}`, 'delivery', 'delivery_attempt', 'event'),
		),
		...lists.map((request): Step => ({ name: `a list goes on: ${request.path}`, covers: ['cursor'], request })),
		{ name: 'a recovery that was cut off goes on', covers: ['cursor', 'event', 'delivery'], request: recovery },
		{ name: 'a revoked key is refused', covers: ['api_key'], request: revoked_key },
		...shopPages.map((path) => page(owner, `pages/${path}`, 'tally')),
		page(owner, 'pages/site', 'site_use'),
		page(owner, 'pages/log', 'desk_change'),
		page(pages.usual_owner.cookie, 'pages/notices', 'blocked_address', 'failing_recipient'),
		page(desk.member.cookie, 'pages/today'),
		...developerPages.map((path) => page(desk.developer.cookie, `developers/${path}`)),
		{
			name: 'the page after a form shows its secret once',
			covers: ['idempotency', 'shown once'],
			request: {
				method: 'GET',
				path: new URL(pages.shown_once).pathname + new URL(pages.shown_once).search,
				cookies: [desk.developer.cookie],
			},
		},
		{
			name: 'an operator shows a workspace',
			covers: ['workspace'],
			ops: ['workspace', 'show', '--workspace', full.id],
		},
		{
			name: 'an operator lists the people of a desk',
			covers: ['desk_address'],
			ops: ['desk', 'list', '--workspace', full.id],
		},
		{
			name: 'an operator shows what a number agreed to',
			covers: ['consent'],
			ops: ['consent', 'show', '--workspace', full.id, '--phone', past.completed.number],
		},
		{
			name: 'an operator asks whether a number is suppressed',
			covers: ['number_usage'],
			ops: ['suppress', 'check', '--workspace', plain.id, '--phone', old.suppressed.number],
		},
	];
}

/** Uses everything that the release handed out. */
function uses({ shops, endpoints, desk, hands, past, old, live, again, pages, callbacks }: Filled): readonly Step[] {
	const { full, plain } = shops;
	const { links, forms } = pages;
	const replay = (name: string, request: Request, ...covers: readonly string[]): Step => ({
		name: `a repeated request gets its first response: ${name}`,
		covers: ['idempotency', 'idempotency key', ...covers],
		request,
	});
	const get = (path: string): Request => ({ method: 'GET', path });
	return [
		replay('a call', past.withKey),
		replay('a lead', old.noted.request),
		replay('an endpoint with its secret', again.endpoint, 'secret'),
		replay('a delivery', again.failed),
		replay('a change of an endpoint', again.changed),
		replay('a rotation with its secret', again.rotated, 'secret'),
		replay('a change of a lead', again.lead),
		replay('a cancellation', again.canceled),
		...callbacks.map(
			({ name, request }): Step => ({ name: `the provider reports: ${name}`, covers: ['call', 'callback'], request }),
		),
		{
			name: 'a visitor cancels with the secret of the page',
			covers: ['cancel secret'],
			request: widget(full, 'POST', `/call-requests/${live.toCancel.id}/cancel`, {
				cancel_secret: live.toCancel.cancel_secret,
			}),
		},
		...hands.links.flatMap(({ path, workspace }): readonly Step[] => {
			if (path === null) return [];
			const request = form(path, { workspace });
			return [{ name: `a link is pressed: ${path}`, covers: ['desk_link', 'link to the desk'], request }];
		}),
		...[links.invitation, links.lead].map(
			(link): Step => ({
				name: `a program that checks mail asks for ${link.replace(/\/[^/]+$/, '')}`,
				covers: ['link'],
				request: { method: 'HEAD', path: link },
			}),
		),
		{ name: 'an invitation is opened', covers: ['desk_link', 'link to the desk'], request: get(links.invitation) },
		{
			name: 'an invitation begins a session',
			covers: ['desk_link', 'desk_mailbox', 'desk_address', 'link to the desk'],
			request: form(links.invitation, { workspace: full.id }),
		},
		{
			name: 'a link to sign in begins a session',
			covers: ['desk_link', 'link to the desk'],
			request: form(links.sign_in, { workspace: plain.id }, pages.asking),
		},
		{ name: 'a link of a lead is opened', covers: ['callback_link', 'link of a lead'], request: get(links.lead) },
		{
			name: 'a link of a lead calls back',
			covers: ['callback_link', 'sealed_number', 'team_number', 'link of a lead'],
			request: form(links.lead, { phone: pages.phones.lead }),
		},
		{
			name: 'a link of a missed call is opened',
			covers: ['callback_link', 'link of a missed call'],
			request: get(links.missed),
		},
		{
			name: 'a link of a missed call calls back',
			covers: ['callback_link', 'link of a missed call'],
			request: form(links.missed, { phone: pages.phones.missed }),
		},
		{
			name: 'the number of a live call asks again',
			covers: ['number_usage'],
			request: widget(full, 'POST', '/call-requests', visitor(full, live.dialing.number)),
		},
		{
			name: 'a suppressed number asks',
			covers: ['number_usage'],
			request: widget(plain, 'POST', '/call-requests', visitor(plain, old.suppressed.number)),
		},
		...Object.entries(forms).map(
			([name, request]): Step => ({
				name: `an open form is sent: ${name}`,
				covers: ['workspace', 'form', 'form token'],
				request,
			}),
		),
		{
			name: 'one more endpoint is created',
			covers: ['endpoint_roster'],
			request: api(full, 'POST', '/webhook-endpoints', { url: 'https://more.example/200', events: ['call.failed'] }),
		},
		{
			name: 'an endpoint is enabled and gets what was held',
			covers: ['webhook_endpoint', 'delivery'],
			ops: ['endpoint', 'enable', '--workspace', full.id, '--endpoint', endpoints.off.id],
		},
		{
			name: 'a secret is rotated once more',
			covers: ['webhook_endpoint', 'secret'],
			request: api(full, 'POST', `/webhook-endpoints/${endpoints.rotated.id}/rotate-secret`, { overlap_seconds: 3600 }),
		},
		{
			name: 'an operator erases a person',
			covers: ['consent', 'call', 'sealed_number'],
			ops: ['erase', '--workspace', full.id, '--phone', past.noVisitor.number],
		},
		{
			name: 'a session is ended',
			covers: ['desk_session'],
			request: form('/v1/desk/pages/today', { action: 'signed_out', token: desk.member.token }, desk.member.cookie),
		},
	];
}

/** Each queue's worker gets a message of each form. The work of these messages may be done already, so they must do no harm. */
function oldMessages(messages: readonly Message[]): readonly Step[] {
	const again = messages.map(({ queue, body }): Step => {
		return {
			name: `a message of ${queue} comes again: ${body}`,
			covers: [`message ${queue}`],
			message: { queue, body },
		};
	});
	// AWS's redrive puts messages from the dead-letter queue back into their original queues.
	const redriven = messages.filter(({ queue, body }) => queue === 'dead-letters' && body.includes('exhausted'));
	const back = ['deliveries', 'retries'].flatMap((queue) => redriven.map(({ body }) => ({ queue, body })));
	return [
		...again,
		...back.map(
			(message): Step => ({ name: `a dead letter is redriven to ${message.queue}`, covers: ['dead letter'], message }),
		),
	];
}

/** Steps in shops with extreme settings: their pages are shown, and every open form is sent. */
function atExtremes({ extremes }: Filled): readonly Step[] {
	return extremes.flatMap(({ shop, session, forms }): readonly Step[] => [
		{
			name: `the widget of ${shop.origin} reads its settings`,
			covers: ['workspace'],
			request: widget(shop, 'GET', `/config?workspace_key=${shop.workspace_key}`),
		},
		...['hours', 'team', 'site', 'notices', 'people', 'numbers'].map(
			(page): Step => ({
				name: `the desk of ${shop.origin} shows ${page}`,
				covers: page === 'numbers' ? ['workspace', 'closed_day'] : ['workspace'],
				request: { method: 'GET', path: `/v1/desk/pages/${page}`, cookies: [session.cookie] },
			}),
		),
		...forms.map(
			({ name, request }): Step => ({ name: `an open form is sent: ${name}`, covers: ['form', 'form token'], request }),
		),
		{
			name: `an operator renames the shop of ${shop.origin}`,
			covers: ['workspace'],
			ops: ['workspace', 'set', '--workspace', shop.id, '--name', 'Renamed'],
		},
	]);
}

export function stepsAfter(filled: Filled, messages: readonly Message[]): readonly Step[] {
	const read = reads(filled);
	return [
		...read,
		{
			name: 'what is due is worked off',
			covers: ['delivery', 'event', 'team_notice', 'signature'],
			waits: true,
			pass_ms: 0,
		},
		...oldMessages(messages),
		...uses(filled),
		{
			name: 'ten minutes pass',
			covers: ['delivery', 'team_notice', 'call'],
			waits: true,
			pass_ms: 10 * MINUTE_MS,
			sweep_every_ms: MINUTE_MS,
		},
		...read.map((step) => ({ ...step, name: `${step.name} (at the end)` })),
		...atExtremes(filled),
	];
}

/** The next requests that Twilio or Telnyx sends, each with its consequences. */
export const stepsOfProvider = (
	asked: readonly { readonly name: string; readonly request: Request }[],
): readonly Step[] => [
	{ name: 'what is due is worked off', covers: ['call'], waits: true, pass_ms: 0 },
	...asked.map((each): Step => ({ ...each, covers: ['call', 'callback', 'instructions'] })),
];
