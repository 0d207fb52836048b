import * as z from 'zod/mini';
import {
	ChangeWebhookEndpoint,
	CreateWebhookEndpoint,
	TestWebhookEndpoint,
} from '../../contract/webhooks/webhook-endpoints.ts';
import { ID_PATTERN } from '../../domain/kernel/id.ts';
import { eventKinds } from '../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.ts';
import { withoutQuery } from '../../presentation/team-words.ts';
import { keepToShow } from '../../use-cases/desk/shown-once.ts';
import { countSecret, tellOwners } from '../../use-cases/notices/secret-notice.ts';
import { changeWebhookEndpoint, type EndpointChange } from '../../use-cases/webhooks/change-webhook-endpoint.ts';
import { createWebhookEndpoint } from '../../use-cases/webhooks/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from '../../use-cases/webhooks/delete-webhook-endpoint.ts';
import { rotateWebhookSecret } from '../../use-cases/webhooks/rotate-webhook-secret.ts';
import { testWebhookEndpoint } from '../../use-cases/webhooks/test-webhook-endpoint.ts';
import type { Fields } from '../edge/request.ts';
import { type Developer, developerAction, readAs } from './developer-action.ts';
import type { ActionOutcome } from './run-action.ts';

// What the forms of webhook endpoints ask for: the use cases of the API and of operators.

const LINE = /^([^:]+):\s*(.*)$/;
const HEADER_LINES = 'One header on each line, as "Name: value", and each name once.';

/** The custom headers of a form; undefined: they stay. Null removes them. */
function headersIn({ headers = '', no_headers }: Fields, refuse: (message: string) => void) {
	if (no_headers === 'yes') return null;
	const lines = headers.split(/[\r\n]+/).filter((line) => line.trim() !== '');
	if (lines.length === 0) return undefined;
	const entries = lines.flatMap((line) => {
		const [, name = '', value = ''] = LINE.exec(line.trim()) ?? [];
		return name === '' ? [] : [[name.trim(), value] as const];
	});
	if (new Set(entries.map(([name]) => name)).size < lines.length) refuse(HEADER_LINES);
	return Object.fromEntries(entries);
}

/** The fields of an endpoint as a body of the API. */
const asBody = z.transform((fields: Fields, { issues }): object => {
	const refuse = (message: string) => issues.push({ code: 'custom', message, path: ['headers'], input: undefined });
	return {
		url: fields['url']?.trim(),
		description: fields['description']?.trim() || null,
		events: eventKinds.filter((kind) => fields[kind] === 'yes'),
		headers: headersIn(fields, refuse),
	};
});
const newEndpoint = z.pipe(asBody, CreateWebhookEndpoint);
const changedEndpoint = z.pipe(asBody, ChangeWebhookEndpoint);

export const endpointForm = z.object({ id: z.string().check(z.regex(ID_PATTERN)) });
const keyOf = ({ id }: z.infer<typeof endpointForm>, { workspace }: Developer) => ({ workspace_id: workspace.id, id });
export const savedEndpoint = (id: string): ActionOutcome => ({ link: `webhooks?id=${encodeURIComponent(id)}&saved` });
export const newSecretPage = (press: string): ActionOutcome => ({ link: `webhooks?made=${press}` });

const entryAbout = ({ url }: WebhookEndpoint, at: Developer) => at.entryAbout(withoutQuery(url));

export const createEndpoint = developerAction(newEndpoint, async (body, at) => {
	const { press, workspace, person } = at;
	if (press === null) return { invalid: ['shown'] };
	const made = { workspace_id: workspace.id, made_by: person.address };
	const input = { ...body, ...made, description: body.description ?? null };
	const result = await createWebhookEndpoint(input, {
		...at,
		keepResponse: (made) => {
			if (made.outcome !== 'created') return [];
			const { secret, endpoint } = made;
			return [entryAbout(endpoint, at), keepToShow(at, press, { secret, resource_id: endpoint.id }, at)];
		},
	});
	switch (result.outcome) {
		case 'created':
			return newSecretPage(press);
		case 'webhook_url_not_allowed':
			return { refused: result.outcome, words: result.reason };
		case 'limit_reached':
			return { refused: result.outcome };
	}
});

/** Changes an endpoint, with an audit entry if that changes anything. `as_of`: the state that the person has seen; null: any. */
async function change(id: string, edit: EndpointChange, asOf: string | null, at: Developer): Promise<ActionOutcome> {
	const key = keyOf({ id }, at);
	const before = await at.store.get('webhook_endpoint', key);
	const result = await changeWebhookEndpoint(key, edit, {
		...at,
		hasSeen: (current) => asOf === null || (current.outcome === 'changed' && current.endpoint.updated_at === asOf),
		keepResponse: (changed) => {
			if (changed.outcome !== 'changed' || changed.endpoint.version === before?.version) return [];
			return [entryAbout(changed.endpoint, at)];
		},
	});
	switch (result.outcome) {
		case 'changed':
			return savedEndpoint(id);
		case 'webhook_url_not_allowed':
			return { refused: result.outcome, words: result.reason };
		case 'precondition_failed':
			return { refused: 'changed_meanwhile' };
		case 'not_found':
			return { refused: 'not_found' };
	}
}

const shownEndpoint = z.extend(endpointForm, { as_of: z.string() });
export const changeEndpoint: typeof createEndpoint = async (fields, at) => {
	const body = readAs(changedEndpoint, fields);
	if ('invalid' in body) return body;
	const edit = developerAction(shownEndpoint, ({ id, as_of }) => change(id, body.value, as_of, at));
	return edit(fields, at);
};
export const enableEndpoint = developerAction(endpointForm, ({ id }, at) =>
	change(id, { status: 'enabled' }, null, at),
);
export const disableEndpoint = developerAction(endpointForm, ({ id }, at) =>
	change(id, { status: 'disabled' }, null, at),
);

export const deleteEndpoint = developerAction(endpointForm, async (form, at) => {
	const entry = (endpoint: WebhookEndpoint) => entryAbout(endpoint, at);
	const { outcome } = await deleteWebhookEndpoint(keyOf(form, at), { store: at.store, hasSeen: () => true, entry });
	return outcome === 'deleted' ? { done: true } : { refused: 'not_found' };
});

/** Seconds, one of the choices: an empty field is no zero, which would end the former secret at once. */
const rotation = z.extend(endpointForm, { overlap: z.enum(['0', '3600', '86400', '604800']) });
export const rotateSecret = developerAction(rotation, async ({ id, overlap }, at) => {
	const { press, workspace, person } = at;
	if (press === null) return { invalid: ['shown'] };
	const key = keyOf({ id }, at);
	const endpoint = await at.store.get('webhook_endpoint', key);
	if (endpoint === null) return { refused: 'not_found' };
	if (!(await countSecret(workspace.id, at))) return { refused: 'secrets_enough' };
	const about = withoutQuery(endpoint.url);
	const notices = tellOwners(workspace, { what: 'secret_rotated', about, by: person.address }, at);
	const result = await rotateWebhookSecret(key, Number(overlap), {
		...at,
		keepResponse: (made) => {
			if (made.outcome !== 'rotated') return [];
			return [
				entryAbout(endpoint, at),
				keepToShow(at, press, { secret: made.secret, resource_id: id }, at),
				...notices.writes,
			];
		},
	});
	if (result.outcome === 'not_found') return { refused: 'not_found' };
	await notices.send();
	return newSecretPage(press);
});

const test = z.pipe(
	z.transform(({ id, event }: Fields): object => ({ id, body: { event } })),
	z.extend(endpointForm, { body: TestWebhookEndpoint }),
);
export const testEndpoint = developerAction(
	test,
	async ({ id, body: { event } }, at) => {
		const key = keyOf({ id }, at);
		const endpoint = await at.store.get('webhook_endpoint', key);
		if (endpoint === null) return { refused: 'not_found' };
		await at.store.commit([entryAbout(endpoint, at)]);
		const attempt = await testWebhookEndpoint(key, event, at);
		return attempt === null ? { refused: 'not_found' } : { result: { attempt } };
	},
	'test-webhook-endpoint',
);
