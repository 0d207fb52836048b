import { systemClock } from '../../shared/adapters/clock.ts';
import { ulidIds } from '../../shared/adapters/ids.ts';
import { phoneNumbers } from '../../shared/adapters/numbering-plans/phone-number.ts';
import { permissions } from '../../shared/domain/access/permission.ts';
import { formToken } from '../../shared/domain/desk/csrf-token.ts';
import { newDeskLink } from '../../shared/domain/desk/desk-link.ts';
import { newSession } from '../../shared/domain/desk/session-cookie.ts';
import { formatSecret, formatToken, SECRET_BYTES } from '../../shared/domain/kernel/link-token.ts';
import { withSecret } from '../../shared/domain/notices/callback-link.ts';
import { HEALTHY } from '../../shared/domain/webhooks/circuit-breaker.ts';
import { type EventKind, eventKinds } from '../../shared/domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../shared/domain/webhooks/webhook-endpoint.ts';
import type { Workspace } from '../../shared/domain/workspaces/workspace.ts';
import { fingerprintFor } from '../../shared/http/desk/sections.ts';
import type { Store } from '../../shared/ports/store.ts';
import type { Macs, NumberSealer, SecretVault } from '../../shared/ports/vault.ts';
import { createApiKey } from '../../shared/use-cases/access/api-keys.ts';
import { cancelSecrets } from '../../shared/use-cases/access/keyed-hash.ts';
import { suppressNumber } from '../../shared/use-cases/calls/suppress-number.ts';
import { changePeople } from '../../shared/use-cases/desk/people.ts';
import { captureLead } from '../../shared/use-cases/leads/capture-lead.ts';
import { requestCall } from '../../shared/use-cases/widget/request-call.ts';
import { createWorkspace } from '../../shared/use-cases/workspaces/create-workspace.ts';
import { everyLimit } from '../support/every-limit.ts';
import { memoryLog } from '../support/memory-log.ts';
import { put } from '../support/writes.ts';

// A world to attack: two customers with calls, leads, endpoints and deliveries. Requests name its values by `{{name}}`, so a
// recorded request can be sent to another world.

export const ORIGIN = 'https://shop.example';
export const FOREIGN_ORIGIN = 'https://other.example';
/** A text in everything that belongs to the other customer. No one but that customer may ever read it. */
export const CANARY = 'canary-of-the-other-customer';
/** The numbers of existing visitors, in every spelling. No response may contain one. */
export const VISITOR_NUMBER = /202\D{0,3}555\D{0,3}010[1-4]/;
/** The number of each shop's team member, in every spelling. A response may show only the masked number. */
export const TEAM_NUMBER = /312\D{0,3}555\D{0,3}0101/;
/** A number that may never be called, in both workspaces. */
export const SUPPRESSED = '+1 (202) 555-0104';

/** The values that replace `{{name}}` in requests, by name. */
export type World = Readonly<Record<string, string>>;

type Deps = {
	readonly store: Store;
	readonly sealer: NumberSealer;
	readonly macs: Macs;
	readonly sealSecret: SecretVault['sealSecret'];
};

const UNLIMITED = 1_000_000_000;
const unlimited = everyLimit(UNLIMITED);
const silent = { send: async () => ({ sent: 0, failed: 0 }) };

async function customer(name: string, origin: string, deps: Deps): Promise<Workspace> {
	const input = {
		name,
		region: 'US',
		time_zone: 'America/New_York',
		origins: [origin],
		team: ['+13125550101'],
		limits: unlimited,
		consent_text: name,
	};
	const made = await createWorkspace(input, { ...deps, clock: systemClock, ids: ulidIds, numbers: phoneNumbers });
	if ('refused' in made) throw new Error(made.refused);
	return made.workspace;
}

/** An endpoint to which no POST is ever sent: the check of addresses refuses it at every attempt. */
async function endpoint({ id: workspace_id, name }: Workspace, deps: Deps): Promise<WebhookEndpoint> {
	const now = new Date().toISOString();
	const id = ulidIds.next();
	const item: WebhookEndpoint = {
		id,
		version: 1,
		workspace_id,
		url: `https://localhost/${name}`,
		description: null,
		events: [...eventKinds] satisfies EventKind[],
		status: 'enabled',
		disabled_reason: null,
		secrets: [
			{
				sealed: await deps.sealSecret('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', { workspace_id, id }),
				expires_at: null,
			},
		],
		header_names: [],
		sealed_headers: null,
		health: HEALTHY,
		created_at: now,
		updated_at: now,
	};
	await deps.store.commit([put('webhook_endpoint', item)]);
	return item;
}

function visitor(workspace: Workspace, origin: string, number: number) {
	const phone = `+1202555${String(100 + number).padStart(4, '0')}`;
	return {
		phone,
		name: workspace.name,
		consent: true,
		page_url: `${origin}/?utm_source=${workspace.name}`,
		workspace,
		origin,
		source_ip: '127.0.0.1',
	};
}

const rest = {
	...memoryLog(),
	queues: silent,
	clock: systemClock,
	ids: ulidIds,
	numbers: phoneNumbers,
	can_dial: true,
	caller_number: null,
	speed: 1,
};

async function call(workspace: Workspace, origin: string, number: number, deps: Deps): Promise<string> {
	const made = await requestCall(visitor(workspace, origin, number), { ...deps, ...rest });
	if ('refused' in made) throw new Error(made.refused);
	return made.call.id;
}

async function lead(workspace: Workspace, origin: string, number: number, deps: Deps): Promise<string> {
	const made = await captureLead(visitor(workspace, origin, number), { ...deps, ...rest });
	if ('refused' in made) throw new Error(made.refused);
	return made.lead.id;
}

/** Creates a one-time link for a lead, as the team gets it by mail. Returns the link's token. */
async function link(workspace_id: string, lead_id: string, deps: Deps): Promise<string> {
	const secret = ulidIds.random(SECRET_BYTES);
	const item = withSecret(null, { lead_id, workspace_id }, secret, Date.now());
	await deps.store.commit([put('callback_link', item)]);
	return formatToken(lead_id, secret);
}

/**
 * Invites an owner to the desk. Returns the token of an unused link, the cookie of a session, and the token of the session's
 * forms.
 */
async function deskOf({ id: workspace_id, name }: Workspace, deps: Deps): Promise<Record<string, string>> {
	const address = name === CANARY ? `${CANARY}@shop.example` : 'owner@shop.example';
	const rights = { ...deps, queues: silent, clock: systemClock, ids: ulidIds };
	const invited = await changePeople(workspace_id, { change: 'invite', address, role: 'owner' }, rights);
	if ('refused' in invited) throw new Error(invited.refused);
	const linkSecret = ulidIds.random(SECRET_BYTES);
	const secret = ulidIds.random(SECRET_BYTES);
	const unused = newDeskLink({ address, reason: 'invitation', workspace_id }, linkSecret, Date.now());
	const session = newSession(secret, { workspace_id, address }, Date.now());
	const guard = { if: 'absent' } as const;
	await deps.store.commit([put('desk_link', unused, guard), put('desk_session', session, guard)]);
	return { desk_token: formatSecret(linkSecret), desk_cookie: formatSecret(secret), form_token: formToken(secret) };
}

async function apiKey(workspace_id: string, deps: Deps): Promise<string> {
	const input = { workspace_id, name: 'everything', permissions };
	const made = await createApiKey(input, { ...deps, clock: systemClock, ids: ulidIds });
	if ('refused' in made) throw new Error(made.refused);
	return made.secret;
}

async function belongings(prefix: string, workspace: Workspace, origin: string, deps: Deps): Promise<World> {
	const endpoint_id = (await endpoint(workspace, deps)).id;
	const test_endpoint_id = (await endpoint(workspace, deps)).id;
	const doomed_endpoint_id = (await endpoint(workspace, deps)).id;
	const call_id = await call(workspace, origin, 1, deps);
	const canceled_id = await call(workspace, origin, 2, deps);
	const lead_id = await lead(workspace, origin, 3, deps);
	await suppressNumber({ workspace_id: workspace.id, e164: '+12025550104' }, true, { ...deps, clock: systemClock });
	const deliveries = await deps.store.list('delivery', workspace.id, { from_id: null, before_id: null, limit: 9 });
	// The delivery must not belong to the endpoint that a request deletes.
	const delivery = deliveries.find((each) => each.endpoint_id === endpoint_id);
	if (delivery === undefined) throw new Error('the call has no deliveries');
	// The delivery has ended, so that it can be retried.
	const item = {
		...delivery,
		version: delivery.version + 1,
		status: 'failed',
		due_at: null,
		next_attempt_at: null,
	} as const;
	const guard = { if: 'version', version: delivery.version } as const;
	await deps.store.commit([put('delivery', item, guard)]);
	const stored = await deps.store.get('call', { id: call_id });
	return Object.fromEntries(
		Object.entries({
			workspace_id: workspace.id,
			workspace_key: workspace.workspace_key,
			api_key: await apiKey(workspace.id, deps),
			origin,
			call_id,
			canceled_id,
			cancel_secret: (await cancelSecrets(deps.macs, call_id))[0] ?? '',
			leg_id: stored?.legs[0]?.id ?? '',
			lead_id,
			token: await link(workspace.id, lead_id, deps),
			...(await deskOf(workspace, deps)),
			endpoint_id,
			test_endpoint_id,
			doomed_endpoint_id,
			delivery_id: delivery.id,
			event_id: delivery.event_id,
		}).map(([name, value]) => [`${prefix}${name}`, value]),
	);
}

/**
 * A shop that no request changes, with the stolen sessions of an owner, a member and a developer, and the values that its forms
 * show.
 */
async function stolenSessions(deps: Deps): Promise<World> {
	const { id } = await customer('Stolen', 'https://stolen.example', deps);
	const rights = { ...deps, queues: silent, clock: systemClock, ids: ulidIds };
	const sessions = await Promise.all(
		(['owner', 'member', 'developer'] as const).map(async (role) => {
			const address = `stolen-${role}@shop.example`;
			const secret = ulidIds.random(SECRET_BYTES);
			const invited = await changePeople(id, { change: 'invite', address, role }, rights);
			if ('refused' in invited) throw new Error(invited.refused);
			const item = newSession(secret, { workspace_id: id, address }, Date.now());
			await deps.store.commit([put('desk_session', item)]);
			return [
				[`stolen_${role}`, address],
				[`stolen_${role}_cookie`, formatSecret(secret)],
				[`stolen_${role}_token`, formToken(secret)],
			] as const;
		}),
	);
	const workspace = await deps.store.get('workspace', { id });
	if (workspace === null) throw new Error('no shop');
	const sections = ['consent', 'ringing', 'site', 'notices', 'hours'] as const;
	const shown = sections.map(
		(action) => [`stolen_seen_${action}`, fingerprintFor({ action }, workspace) ?? ''] as const,
	);
	return Object.fromEntries([
		...sessions.flat(),
		...shown,
		['stolen_seen_team', fingerprintFor({ action: 'member_added' }, workspace) ?? ''] as const,
	]);
}

/** A public IP address. It receives nothing, because no worker runs in this process. */
const PUBLIC_ADDRESS = '93.184.215.14';

/**
 * Creates two customers and the shop of the stolen sessions. The names of the other customer's values begin with `other_`, and
 * those of the shop's values with `stolen_`.
 */
export async function createWorld(deps: Deps): Promise<World> {
	const mine = await customer('Shop', ORIGIN, deps);
	const other = await customer(CANARY, FOREIGN_ORIGIN, deps);
	return {
		...(await belongings('', mine, ORIGIN, deps)),
		...(await belongings('other_', other, FOREIGN_ORIGIN, deps)),
		...(await stolenSessions(deps)),
		webhook_host: PUBLIC_ADDRESS,
		unknown_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
	};
}

/** Replaces the names in a text with the world's values. */
export function inWorld(text: string, world: World): string {
	return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => world[name] ?? whole);
}
