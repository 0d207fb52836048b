import type { Stack } from '../../../local/stack.ts';
import type { Fields } from '../../../shared/http/edge/form-fields.ts';
import { placeOf } from '../../hostile/judge.ts';
import { wrongAnswer } from '../../support/openapi-document.ts';
import { type ApiResponse, call, eventually, linkInMail, visitorBody } from '../../support/stack/api.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';
import { bearer } from '../../support/webhooks/customers.ts';

/**
 * Uses every operation and worker of a stack once. `worked` gets a part of the name of a function's role, and tells whether
 * this function has sent a request to AWS.
 */
export async function tour(stack: Stack, worked: (partOfRole: string) => boolean): Promise<void> {
	await visitorsTour(stack);
	await callsTour(stack);
	await leadsTour(stack);
	await webhooksTour(stack);
	await deskTour(stack);
	const workers = ['dialleg', 'hangupleg', 'calltimer', 'deliverwebhook', 'notifyteam', 'sweep'];
	await eventually('every worker has worked', async () => (workers.every(worked) ? true : null));
}

type Sent = { readonly method?: string; readonly body?: object };

/** Sends a request. It has to succeed, and the response has to fit the API document. */
async function ask(path: string, headers: Readonly<Record<string, string>>, baseUrl: string, sent: Sent = {}) {
	const keyed = { ...headers, ...(sent.body && { 'idempotency-key': crypto.randomUUID() }) };
	const answer: ApiResponse = await call(baseUrl, path, { ...sent, headers: keyed });
	if (answer.status >= 300) throw new Error(`${sent.method ?? ''} ${path}: ${answer.status} ${answer.text}`);
	const { operation, ...place } = placeOf(sent.method ?? (sent.body ? 'POST' : 'GET'), `/v1${path}`);
	const wrong = operation === 'preflight' ? null : wrongAnswer(place, answer.status, answer.json);
	if (wrong !== null) throw new Error(`${operation} answers other than documented: ${wrong}`);
	return answer.json?.data;
}

const asVisitor = (stack: Stack) => (path: string, sent?: Sent) =>
	ask(path, { origin: stack.allowed_origin }, stack.base_url, sent);
const asServer = (stack: Stack) => (path: string, sent?: Sent) =>
	ask(path, bearer(stack.api_key), stack.base_url, sent);

async function visitorsTour(stack: Stack): Promise<void> {
	const visit = asVisitor(stack);
	await visit('/widget/call-requests', { method: 'OPTIONS' });
	await visit(`/widget/config?workspace_key=${stack.workspace_key}`);
	const { id } = await visit('/widget/call-requests', { body: visitorBody(stack) });
	await visit(`/widget/call-requests/${id}/status`);
	await visit('/widget/callback-leads', { body: visitorBody(stack, { phone: '+12025550120' }) });
	await cancelOwn(stack);
	await eventually('the call is over', async () => {
		const { status } = await visit(`/widget/call-requests/${id}/status`);
		return status === 'completed' ? status : null;
	});
}

/**
 * A visitor cancels their own call. On a busy machine, the call may end before the cancel arrives; then the visitor requests
 * another call.
 */
async function cancelOwn(stack: Stack): Promise<void> {
	const headers = { origin: stack.allowed_origin };
	await eventually('a call is cancelled by its visitor', async () => {
		const asked = await call(stack.base_url, '/widget/call-requests', {
			headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
			body: visitorBody(stack, { phone: '+12025550130' }),
		});
		const cancel_secret = asked.headers.get('cancel-secret');
		const path = `/widget/call-requests/${asked.json?.data?.id}/cancel`;
		const { status } = await call(stack.base_url, path, { headers, body: { cancel_secret } });
		return status === 200 ? status : null;
	});
}

async function callsTour(stack: Stack): Promise<void> {
	const serve = asServer(stack);
	const { id } = await asVisitor(stack)('/widget/call-requests', {
		body: visitorBody(stack, { phone: '+12025550110' }),
	});
	await serve('/calls?limit=1');
	await serve(`/calls/${id}`);
	await eventually('they talk', async () => {
		const now = await asVisitor(stack)(`/widget/call-requests/${id}/status`);
		return now.status === 'connected' ? now : null;
	});
	await serve(`/calls/${id}/cancel`, { method: 'POST' });
}

async function leadsTour(stack: Stack): Promise<void> {
	const serve = asServer(stack);
	const [lead] = await serve('/callback-leads?limit=1');
	await serve(`/callback-leads/${lead.id}`);
	await serve(`/callback-leads/${lead.id}`, { method: 'PATCH', body: { status: 'handled' } });
	const link = await linkInMail(stack, 'callback-links');
	await fetch(link);
	// The lead is handled already, so this form is refused. The function still sends its requests to AWS.
	await fetch(link, { method: 'POST', body: new URLSearchParams({ phone: '0 +1********01' }) });
}

/** Signs in at the desk, shows a page of each kind, and makes a change of each kind. */
async function deskTour(stack: Stack): Promise<void> {
	const { base_url, workspace_id } = stack;
	let cookie = '';
	const send: Send = async (path, fields = null) => {
		const headers = { origin: new URL(base_url).origin, cookie };
		const form = fields === null ? {} : { method: 'POST', body: new URLSearchParams(fields) };
		const answer = await fetch(`${base_url}/desk/${path}`, { headers, redirect: 'manual', ...form });
		if (answer.status >= 400) throw new Error(`${path}: ${answer.status}`);
		[cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [cookie];
		return answer.text();
	};
	await send('sign-in');
	await send('sign-in', { address: 'ida@shop.example' });
	const [, link = ''] = (await linkInMail(stack, 'desk/links')).split('/desk/');
	await send(link);
	await send(link, { workspace: workspace_id });
	const page = await send('pages/today');
	const [, token = ''] = /name="token" value="([^"]+)"/.exec(page) ?? [];
	const [, id = ''] = /value="lead_called"><input type="hidden" name="id" value="(\w+)"/.exec(page) ?? [];
	const seenOf = async (name: string) => /name="seen" value="([^"]+)"/.exec(await send(`pages/${name}`))?.[1] ?? '';
	const act = (name: string, fields: Fields) => send(`pages/${name}`, { token, ...fields });
	for (const name of ['numbers', 'log', 'leads.csv']) await send(`pages/${name}`);
	await act('today', { action: 'paused', for: 'hour' });
	await act('today', { action: 'resumed' });
	if (id !== '') await act('today', { action: 'lead_called', id });
	if (id !== '') await act('today', { action: 'lead_handled', id });
	if (id !== '') await act('today', { action: 'lead_reopened', id });
	if (id !== '') await act('today', { action: 'number_suppressed', id });
	await act('team', { action: 'member_added', seen: await seenOf('team'), member: 'Mia', phone: '+13125550109' });
	const [, member_id = ''] = /.*name="member_id" value="(\w+)"/s.exec(await send('pages/team')) ?? [];
	await act('team', { action: 'member_removed', seen: await seenOf('team'), member_id });
	const [test] = formsIn(await send('pages/team')).filter((form) => form['action'] === 'test_called');
	await act('team', test ?? {});
	const seen = await seenOf('site');
	const site = { action: 'site', name: 'Demo shop', language: 'en' };
	await act('site', { ...site, seen, origins: `${stack.allowed_origin}\nhttps://more.example` });
	await act('site', {
		...site,
		seen: await seenOf('site'),
		origins: stack.allowed_origin,
		removes: 'https://more.example',
	});
	await act('people', { action: 'person_invited', address: 'mia@shop.example', role: 'member' });
	await act('people', { action: 'person_removed', address: 'mia@shop.example' });
	await developersTour(stack, send);
	await act('today', { action: 'signed_out' });
}

type Send = (path: string, fields?: Fields | null) => Promise<string>;

/** Shows the developers' pages, and makes a change of each kind there. */
async function developersTour({ inbox_url }: Stack, send: Send): Promise<void> {
	const act = async (page: string, name: string, changes: Fields) => {
		const form = formsIn(await send(`developers/${page}`)).find((fields) => fields['action'] === name);
		if (form === undefined) throw new Error(`${page} has no form for ${name}`);
		return send(`developers/${page}`, { ...form, ...changes });
	};
	await act('keys', 'key_created', { key_name: 'Tour', 'calls:read': 'yes' });
	await act('keys', 'key_revoked', {});
	await act('webhooks', 'endpoint_created', { url: inbox_url, description: 'Tour' });
	const [, id = ''] = /href="webhooks\?id=(\w+)"/.exec(await send('developers/webhooks')) ?? [];
	const page = `webhooks?id=${id}`;
	await act(page, 'endpoint_changed', { description: 'Tour of the desk' });
	await act(page, 'endpoint_tested', { event: 'call.failed' });
	await act(page, 'deliveries_recovered', { dry_run: '' });
	await act(page, 'secret_rotated', { overlap: '3600' });
	await eventually('a delivery may be sent again', async () => {
		const [, sent = ''] = /href="deliveries\?id=(\w+)"/.exec(await send('developers/deliveries')) ?? [];
		const form = formsIn(await send(`developers/deliveries?id=${sent}`)).find(
			(each) => each['action'] === 'delivery_retried',
		);
		return form === undefined ? null : send(`developers/deliveries?id=${sent}`, form);
	});
	await act(page, 'endpoint_disabled', {});
	await act(page, 'endpoint_enabled', {});
	await act(page, 'endpoint_deleted', {});
}

async function webhooksTour(stack: Stack): Promise<void> {
	const serve = asServer(stack);
	const body = { url: stack.inbox_url, events: ['call.requested'] };
	const { id } = await serve('/webhook-endpoints', { body });
	await serve('/webhook-endpoints');
	await serve(`/webhook-endpoints/${id}`);
	await serve(`/webhook-endpoints/${id}`, { method: 'PATCH', body: { status: 'disabled' } });
	await serve(`/webhook-endpoints/${id}`, { method: 'PATCH', body: { status: 'enabled' } });
	await serve(`/webhook-endpoints/${id}/rotate-secret`, { method: 'POST' });
	await serve(`/webhook-endpoints/${id}/test`, { body: { event: 'call.failed' } });
	await serve(`/webhook-endpoints/${id}/recover`, { body: { since: '2026-01-01' } });
	const [delivery] = await serve('/webhook-deliveries?limit=1');
	await serve(`/webhook-deliveries/${delivery.id}`);
	const done = await eventually('a delivery has succeeded', async () => {
		return (await serve('/webhook-deliveries?status=succeeded&limit=1'))[0] ?? null;
	});
	const [event] = await serve('/events?limit=1');
	await serve(`/events/${event.id}`);
	await serve(`/webhook-deliveries/${done.id}/retry`, { method: 'POST' });
	await serve(`/webhook-endpoints/${id}`, { method: 'DELETE' });
}
