import * as z from 'zod/mini';
import {
	ChangeWebhookEndpoint,
	CreateWebhookEndpoint,
	TestWebhookEndpoint,
} from '../../../contract/webhooks/webhook-endpoints.ts';
import { ID_PATTERN } from '../../../domain/kernel/id.ts';
import { isFreeHeader, MAX_CUSTOM_HEADERS } from '../../../domain/webhooks/custom-headers.ts';
import { eventKinds } from '../../../domain/webhooks/event.ts';
import type { TargetRefusal } from '../../../ports/webhook-sender.ts';
import { withoutQuery } from '../../../presentation/team-words.ts';
import { keepToShow } from '../../../use-cases/desk/shown-once.ts';
import { countSecret, tellOwners } from '../../../use-cases/notices/secret-notice.ts';
import { changeWebhookEndpoint, type EndpointChange } from '../../../use-cases/webhooks/change-webhook-endpoint.ts';
import { createWebhookEndpoint } from '../../../use-cases/webhooks/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from '../../../use-cases/webhooks/delete-webhook-endpoint.ts';
import { rotateWebhookSecret } from '../../../use-cases/webhooks/rotate-webhook-secret.ts';
import { testWebhookEndpoint } from '../../../use-cases/webhooks/test-webhook-endpoint.ts';
import type { Fields } from '../../edge/form-fields.ts';
import { type ActionName, savedQuery, wordOf } from '../actions.ts';
import {
	type ActionOutcome,
	type Actor,
	type Audit,
	asRequest,
	defineAction,
	type FormReader,
	formOf,
	type InvalidField,
	type Refusal,
	type Uses,
} from '../define-action.ts';

/** A line of the form with one custom header. */
const LINE = /^([^:]+):\s*(.*)$/;
const HEADER_NAME = /^[a-z\d-]{1,64}$/i;

const linesOf = ({ headers = '' }: Fields) => headers.split(/[\r\n]+/).filter((line) => line.trim() !== '');

/**
 * The custom headers for a body of the API. Undefined keeps the saved headers, and null removes them. If a line is not a
 * header, or if a name is used twice, the result contains a header with an invalid name, so that the schema refuses it.
 */
function headersIn(fields: Fields): Readonly<Record<string, string>> | null | undefined {
	if (fields['no_headers'] === 'yes') return null;
	const lines = linesOf(fields);
	if (lines.length === 0) return undefined;
	const entries = lines.map((line) => {
		const [, name = '', value = ''] = LINE.exec(line.trim()) ?? [];
		return [name.trim(), value] as const;
	});
	const isTwice = new Set(entries.map(([name]) => name)).size < lines.length;
	return Object.fromEntries(isTwice ? [...entries, ['', '']] : entries);
}

/**
 * Says why headers were refused. If the schema's issue is about one header, the path of the issue has the header's name. The
 * result never contains a header's value, or a text that is not the name of a header.
 */
function wrongHeaders([, name]: readonly PropertyKey[], fields: Fields): InvalidField {
	const invalid = ['headers'];
	if (typeof name === 'string' && HEADER_NAME.test(name)) {
		return { invalid, why: isFreeHeader(name) ? 'headers_value' : 'headers_name', typed: name };
	}
	return { invalid, why: linesOf(fields).length > MAX_CUSTOM_HEADERS ? 'headers_many' : 'headers' };
}

/** The fields of an endpoint as a body of the API. */
const asBody = z.transform((fields: Fields): object => ({
	url: fields['url']?.trim(),
	description: fields['description']?.trim() || null,
	events: eventKinds.filter((kind) => fields[kind] === 'yes'),
	headers: headersIn(fields),
}));

/** If a form is refused because of its headers, adds which header is wrong, and why. */
const explainsHeaders =
	<Body>(read: FormReader<Body>): FormReader<Body> =>
	(fields, workspace) => {
		const form = read(fields, workspace);
		if (!('invalid' in form)) return form;
		const explained = (each: InvalidField) =>
			each.invalid[0] === 'headers' ? wrongHeaders(each.invalid, fields) : each;
		return { ...explained(form), also: form.also?.map(explained) ?? [] };
	};

export const ofEndpoint = z.object({ id: z.string().check(z.regex(ID_PATTERN)) });
export type OfEndpoint = z.infer<typeof ofEndpoint>;

/** The URL of an endpoint, as the audit list shows it. Undefined if there is no such endpoint. */
export async function urlOf({ id }: OfEndpoint, { workspace }: Actor, { store }: Pick<Uses, 'store'>) {
	const endpoint = await store.get('webhook_endpoint', { workspace_id: workspace.id, id });
	return endpoint === null ? undefined : withoutQuery(endpoint.url);
}
const changesEndpoint: Audit<OfEndpoint> = { with: ['webhook_endpoint'], about: urlOf };

/**
 * Says what is wrong with the address. If the address is not public, the local stack also says how to reach a receiver on this
 * machine. For every other fault, that would only make the sentence longer.
 */
const wrongUrl = ({ fault, hint }: TargetRefusal): Refusal => ({
	refused: 'webhook_url_not_allowed',
	why: `url_${fault}`,
	...(hint !== undefined && fault === 'not_public' && { hint }),
});

/** Leads to the page of an endpoint. That page says what the action has done. */
export const pageAfter =
	(action: ActionName) =>
	({ id = '' }: Fields) => ({ link: `webhooks?id=${encodeURIComponent(id)}&${savedQuery(wordOf(action))}` });
/** Leads to the page that shows the new secret, once. */
const newSecretPage = (_: Fields, press: string) => ({ link: `webhooks?made=${press}` });

export const createEndpoint = defineAction(explainsHeaders(formOf(z.pipe(asBody, CreateWebhookEndpoint))), {
	limit: asRequest(),
	audit: { with: ['webhook_endpoint'], about: ({ url }) => withoutQuery(url) },
	next: newSecretPage,
	run: async (body, by, deps: Uses<'vault' | 'sender'>): Promise<ActionOutcome> => {
		const { press, workspace, person } = by;
		if (press === null) return { invalid: ['shown'] };
		const made = { workspace_id: workspace.id, made_by: person.address };
		const result = await createWebhookEndpoint(
			{ ...body, ...made, description: body.description ?? null },
			{
				...deps,
				keepResponse: (made) => {
					if (made.outcome !== 'created') return [];
					return [keepToShow(by, press, { secret: made.secret, resource_id: made.endpoint.id }, deps)];
				},
			},
		);
		switch (result.outcome) {
			case 'created':
				return { done: true };
			case 'webhook_url_not_allowed':
				return wrongUrl(result);
			case 'limit_reached':
				return { refused: result.outcome };
		}
	},
});

const changedBody = explainsHeaders(formOf(z.pipe(asBody, ChangeWebhookEndpoint)));
const shownEndpoint = formOf(z.extend(ofEndpoint, { as_of: z.string() }));
type ChangedEndpoint = OfEndpoint & { readonly as_of: string; readonly edit: EndpointChange };
/** Reads the changes of an endpoint, its id, and which state of the endpoint the person has seen (`as_of`). */
const changedEndpoint: FormReader<ChangedEndpoint> = (fields, workspace) => {
	const body = changedBody(fields, workspace);
	if (!('value' in body)) return body;
	const shown = shownEndpoint(fields, workspace);
	return 'value' in shown ? { value: { ...shown.value, edit: body.value } } : shown;
};

export const changeEndpoint = defineAction(changedEndpoint, {
	limit: asRequest(),
	audit: {
		with: ['webhook_endpoint'],
		about: (form, by, deps) => (form.edit.url === undefined ? urlOf(form, by, deps) : withoutQuery(form.edit.url)),
	},
	next: pageAfter('change-endpoint'),
	run: ({ id, as_of, edit }, by, deps: Uses<'vault' | 'sender'>) => change(id, edit, as_of, by, deps),
});

export const enableEndpoint = defineAction(formOf(ofEndpoint), {
	limit: asRequest(),
	audit: changesEndpoint,
	next: pageAfter('enable-endpoint'),
	run: ({ id }, by, deps: Uses<'vault' | 'sender'>) => change(id, { status: 'enabled' }, null, by, deps),
});

export const disableEndpoint = defineAction(formOf(ofEndpoint), {
	limit: asRequest(),
	audit: changesEndpoint,
	next: pageAfter('disable-endpoint'),
	run: ({ id }, by, deps: Uses<'vault' | 'sender'>) => change(id, { status: 'disabled' }, null, by, deps),
});

/**
 * `asOf`: the `updated_at` of the endpoint when the person saw it. If the endpoint has changed since then, the change is
 * refused. Null: any state is accepted.
 */
async function change(
	id: string,
	edit: EndpointChange,
	asOf: string | null,
	{ workspace }: Actor,
	deps: Uses<'vault' | 'sender'>,
): Promise<ActionOutcome> {
	const result = await changeWebhookEndpoint({ workspace_id: workspace.id, id }, edit, {
		...deps,
		hasSeen: (current) => asOf === null || (current.outcome === 'changed' && current.endpoint.updated_at === asOf),
	});
	switch (result.outcome) {
		case 'changed':
			return { done: true };
		case 'webhook_url_not_allowed':
			return wrongUrl(result);
		case 'precondition_failed':
			return { refused: 'changed_meanwhile' };
		case 'not_found':
			return { refused: 'not_found' };
	}
}

export const deleteEndpoint = defineAction(formOf(ofEndpoint), {
	limit: asRequest(),
	audit: changesEndpoint,
	next: () => ({ link: `webhooks?${savedQuery(wordOf('delete-endpoint'))}` }),
	run: async ({ id }, { workspace }, { store }: Uses) => {
		const key = { workspace_id: workspace.id, id };
		const { outcome } = await deleteWebhookEndpoint(key, { store, hasSeen: () => true });
		return outcome === 'deleted' ? { done: true } : { refused: 'not_found' };
	},
});

/**
 * For how many seconds the old secret stays valid: one of the choices. An empty field does not count as 0, because 0 would
 * end the old secret at once.
 */
const rotation = z.extend(ofEndpoint, { overlap: z.enum(['0', '3600', '86400', '604800']) });

export const rotateSecret = defineAction(formOf(rotation), {
	limit: asRequest(),
	audit: changesEndpoint,
	next: newSecretPage,
	run: async ({ id, overlap }, by, deps: Uses<'queues' | 'vault'>) => {
		const { press, workspace, person } = by;
		if (press === null) return { invalid: ['shown'] };
		const about = await urlOf({ id }, by, deps);
		if (about === undefined) return { refused: 'not_found' };
		if (!(await countSecret(workspace.id, deps))) return { refused: 'secrets_enough' };
		const notices = tellOwners(workspace, { what: 'secret_rotated', about, by: person.address }, deps);
		const result = await rotateWebhookSecret({ workspace_id: workspace.id, id }, Number(overlap), {
			...deps,
			keepResponse: (made) => {
				if (made.outcome !== 'rotated') return [];
				return [keepToShow(by, press, { secret: made.secret, resource_id: id }, deps), ...notices.writes];
			},
		});
		if (result.outcome === 'not_found') return { refused: 'not_found' };
		await notices.send();
		return { done: true };
	},
});

const test = z.pipe(
	z.transform(({ id, event }: Fields): object => ({ id, body: { event } })),
	z.extend(ofEndpoint, { body: TestWebhookEndpoint }),
);

/** Sends one event at each press of the button, even if the same form is sent again. */
export const testEndpoint = defineAction(formOf(test), {
	limit: asRequest('test-webhook-endpoint'),
	audit: { with: null, about: urlOf },
	once: false,
	run: async ({ id, body: { event } }, { workspace }, deps: Uses<'vault' | 'sender'>) => {
		const attempt = await testWebhookEndpoint({ workspace_id: workspace.id, id }, event, deps);
		return attempt === null ? { refused: 'not_found' } : { result: { attempt } };
	},
});
