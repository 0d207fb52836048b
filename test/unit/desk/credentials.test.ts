import { describe, expect, it } from '@jest/globals';
import { newSession, SESSION_COOKIE } from '../../../shared/domain/desk/session-cookie.ts';
import { formatSecret } from '../../../shared/domain/kernel/link-token.ts';
import type { DeskRole } from '../../../shared/domain/workspaces/desk-person.ts';
import { keysPage } from '../../../shared/http/desk/keys/keys-page.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { peoplePage } from '../../../shared/http/desk/people/people-page.ts';
import { runShopAction } from '../../../shared/http/desk/shop-actions.ts';
import { createApiKey } from '../../../shared/use-cases/access/api-keys.ts';
import { enterDesk } from '../../../shared/use-cases/desk/enter-desk.ts';
import { changePeople } from '../../../shared/use-cases/desk/people.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { operatorAt } from '../../support/operator.ts';
import { idOf, samples } from '../../support/sample-records.ts';
import { put } from '../../support/writes.ts';

const IDA = 'ida@shop.example';
const DEV = 'dev@agency.example';

/**
 * The desk of an owner, where a developer has created two API keys and two endpoints: one endpoint by hand, one with the second
 * key.
 */
async function deskOfADeveloper() {
	const store = memoryStore();
	const { now, deps, workspace: fresh } = frontDesk(store);
	const workspace = fresh();
	const workspace_id = workspace.id;
	await store.commit([put('workspace', workspace)]);
	await changePeople(workspace_id, { change: 'invite', address: IDA, role: 'owner' }, deps);
	await changePeople(workspace_id, { change: 'invite', address: DEV, role: 'developer' }, deps);
	const key = async (name: string, made_by?: string) => {
		const input = { workspace_id, name, permissions: ['calls:read'] as const, ...(made_by && { made_by }) };
		const made = await createApiKey(input, deps);
		if ('refused' in made) throw new Error(made.refused);
		return made.key.id;
	};
	const keys = { booking: await key('Booking', DEV), crm: await key('CRM', DEV), of_operator: await key('Server') };
	const enabled = { ...samples.webhook_endpoint, workspace_id, status: 'enabled', disabled_reason: null } as const;
	const byHand = { ...enabled, id: idOf(71), url: 'https://a.example/hook?token=secret', made_by: DEV };
	const withKey = { ...enabled, id: idOf(72), url: 'https://b.example/hook', made_with: keys.crm };
	const older = { ...enabled, id: idOf(73), url: 'https://c.example/hook' };
	await store.commit([byHand, withKey, older].map((item) => put('webhook_endpoint', item)));
	const secret = new Uint8Array(32).fill(1);
	await store.commit([put('desk_session', newSession(secret, { workspace_id, address: IDA }, now.ms))]);
	const enter = async () => {
		const at = await enterDesk([`${SESSION_COOKIE}=${formatSecret(secret)}`], deps);
		if (at === null) throw new Error('the session does not live');
		return at;
	};
	return {
		deps,
		keys,
		endpoints: { by_hand: byHand.id, with_key: withKey.id, older: older.id },
		async people(entered: Readonly<Record<string, string>> | null = null) {
			return (await peoplePage({ ...viewOf(await enter(), now.ms), entered }, deps)).markup;
		},
		async makes(role: DeskRole, fields: Readonly<Record<string, string>> = {}, address = DEV) {
			return runShopAction(await enter(), { action: 'person_invited', address, role, ...fields }, deps);
		},
		async roleNow() {
			const saved = await store.get('workspace', { id: workspace_id });
			return saved?.desk.find(({ address }) => address === DEV)?.role;
		},
		async keysShown() {
			return (await keysPage(viewOf(await enter(), now.ms), { ...deps, public_base_url: 'https://api.example/v1' }))
				.markup;
		},
		async remove(fields: Readonly<Record<string, string>>, address = DEV) {
			return runShopAction(await enter(), { action: 'person_removed', address, ...fields }, deps);
		},
		enter,
		async works() {
			const stored = await Promise.all(
				Object.entries(keys).map(async ([name, id]) => ({ name, key: await store.get('api_key', { id }) })),
			);
			const live = stored.filter(({ key: each }) => each?.revoked_at === null).map(({ name }) => name);
			const on = (await store.endpointsOf(workspace_id))
				.filter(({ status }) => status === 'enabled')
				.map(({ id }) => id);
			return { live, on };
		},
		async isOnDesk() {
			const saved = await store.get('workspace', { id: workspace_id });
			return saved?.desk.some(({ address }) => address === DEV);
		},
	};
}
type Desk = Awaited<ReturnType<typeof deskOfADeveloper>>;

/**
 * What the form that removes the developer contains: the ticked checkboxes with their values, and the ids of the credentials
 * that the form showed.
 */
async function shownBy(desk: Desk) {
	const markup = await desk.people();
	const ticks = [...markup.matchAll(/name="(ends_\w+)" value="yes" checked/g)].map(
		([, name = '']) => [name, 'yes'] as const,
	);
	const [, seen = ''] = /value="dev@agency\.example".*?"seen_credentials" value="([^"]*)"/s.exec(markup) ?? [];
	return { ticks: Object.fromEntries(ticks), seen_credentials: seen };
}

describe('removing a person from the desk', () => {
	it('asks which of the person’s keys and endpoints shall end, and ends all that are ticked', async () => {
		const desk = await deskOfADeveloper();
		const { ticks, seen_credentials } = await shownBy(desk);
		const made = [desk.keys.booking, desk.keys.crm, desk.endpoints.by_hand, desk.endpoints.with_key];
		expect(Object.keys(ticks).sort()).toEqual(made.map((id) => `ends_${id}`).sort());
		expect(await desk.people()).not.toContain('token=secret');
		expect(await desk.remove({ seen_credentials, ...ticks })).toEqual({ done: true });
		expect(await desk.works()).toEqual({ live: ['of_operator'], on: [desk.endpoints.older] });
		expect(await desk.isOnDesk()).toBe(false);
		const changes = await desk.deps.store.list('desk_change', (await desk.enter()).workspace.id, {
			from_id: null,
			before_id: null,
			limit: 10,
		});
		expect(changes.map(({ change, about }) => `${change} ${about}`).sort()).toEqual([
			'endpoint_disabled a.example/hook',
			'endpoint_disabled b.example/hook',
			'key_revoked Booking',
			'key_revoked CRM',
			`person_removed ${DEV}`,
		]);
	});

	it('leaves the keys and endpoints that are not ticked', async () => {
		const desk = await deskOfADeveloper();
		const { seen_credentials } = await shownBy(desk);
		const fields = { seen_credentials, [`ends_${desk.keys.crm}`]: 'yes' };
		expect(await desk.remove(fields)).toEqual({ done: true });
		const { by_hand, with_key, older } = desk.endpoints;
		expect(await desk.works()).toEqual({ live: ['booking', 'of_operator'], on: [by_hand, with_key, older] });
		expect(await desk.keysShown()).toContain(`made by ${DEV}`);
	});

	it.each([
		['a page that lists no keys', {}],
		['a page that was open when a key was made', { seen_credentials: idOf(71) }],
	])('is refused, and revokes and deletes nothing, by %s', async (_, fields) => {
		const desk = await deskOfADeveloper();
		const before = await desk.works();
		const outcome = await desk.remove(fields);
		expect(outcome).toEqual({
			refused: 'credentials_asked',
			words: expect.stringMatching(/^(Booking, CRM|CRM, Booking), a\.example\/hook, b/),
		});
		expect([await desk.works(), await desk.isOnDesk()]).toEqual([before, true]);
	});

	it('ends only keys and endpoints that the person made, whatever the form ticks', async () => {
		const desk = await deskOfADeveloper();
		const { ticks, seen_credentials } = await shownBy(desk);
		await desk.remove({
			seen_credentials,
			...ticks,
			[`ends_${desk.keys.of_operator}`]: 'yes',
			[`ends_${desk.endpoints.older}`]: 'yes',
		});
		expect(await desk.works()).toEqual({ live: ['of_operator'], on: [desk.endpoints.older] });
	});

	it('ends nothing if the person cannot be removed, or if the owner who asks has lost the right to do so', async () => {
		const desk = await deskOfADeveloper();
		const { store } = desk.deps;
		const key = await createApiKey(
			{ workspace_id: (await desk.enter()).workspace.id, name: 'Hers', permissions: ['calls:read'], made_by: IDA },
			desk.deps,
		);
		if ('refused' in key) throw new Error(key.refused);
		const { id } = key.key;
		expect(await desk.remove({ seen_credentials: id, [`ends_${id}`]: 'yes' }, IDA)).toEqual({ refused: 'last_owner' });
		expect(await store.get('api_key', { id })).toMatchObject({ revoked_at: null });
		const at = await desk.enter();
		const { ticks, seen_credentials } = await shownBy(desk);
		await changePeople(at.workspace.id, { change: 'invite', address: 'mia@shop.example', role: 'owner' }, desk.deps);
		await changePeople(at.workspace.id, { change: 'invite', address: IDA, role: 'member' }, desk.deps);
		const before = await desk.works();
		const fields = { action: 'person_removed', address: DEV, seen_credentials, ...ticks };
		expect(await runShopAction(at, fields, desk.deps)).toEqual({ refused: 'owners_only' });
		expect(await desk.works()).toEqual(before);
	});

	it('asks nothing about a person who made nothing', async () => {
		const desk = await deskOfADeveloper();
		await changePeople(
			(await desk.enter()).workspace.id,
			{ change: 'invite', address: 'mia@shop.example', role: 'member' },
			desk.deps,
		);
		expect(await desk.remove({}, 'mia@shop.example')).toEqual({ done: true });
	});
});

describe('making a developer or an owner a member, who may not make keys', () => {
	it('asks, in the form that was sent, which of the person’s keys and endpoints shall end, and ends those with a tick', async () => {
		const desk = await deskOfADeveloper();
		const before = await desk.works();
		expect(await desk.people()).not.toContain('value="member"><fieldset>');
		expect(await desk.makes('member')).toMatchObject({ refused: 'credentials_asked' });
		expect([await desk.works(), await desk.roleNow()]).toEqual([before, 'developer']);

		const form = /<form method="post" class="card" name="person_invited"[^>]*>.*?<\/form>/s.exec(
			await desk.people({ action: 'person_invited', address: ` ${DEV.toUpperCase()}`, role: 'member' }),
		)?.[0];
		const ticks = [...(form ?? '').matchAll(/name="(ends_\w+)" value="yes" checked/g)].map(([, name = '']) => name);
		const [, seen_credentials = ''] = /"seen_credentials" value="([^"]*)"/.exec(form ?? '') ?? [];
		expect(ticks).toHaveLength(4);
		const fields = { seen_credentials, [`ends_${desk.keys.booking}`]: 'yes' };
		expect(await desk.makes('member', fields)).toEqual({ done: true });
		const { by_hand, with_key, older } = desk.endpoints;
		expect(await desk.works()).toEqual({ live: ['crm', 'of_operator'], on: [by_hand, with_key, older] });
		expect(await desk.roleNow()).toBe('member');
		// Another invitation does not ask about the credentials again.
		expect(await desk.makes('member')).toEqual({ done: true });
	});

	it.each([
		['a developer becomes an owner', DEV, 'owner'],
		['a stranger is invited', 'new@shop.example', 'member'],
	] as const)('asks nothing if %s', async (_, address, role) => {
		const desk = await deskOfADeveloper();
		const before = await desk.works();
		expect(await desk.makes(role, {}, address)).toEqual({ done: true });
		expect(await desk.works()).toEqual(before);
	});

	it('ends nothing if it would remove the last owner', async () => {
		const desk = await deskOfADeveloper();
		const input = { workspace_id: (await desk.enter()).workspace.id, name: 'Hers', made_by: IDA };
		const key = await createApiKey({ ...input, permissions: ['calls:read'] }, desk.deps);
		if ('refused' in key) throw new Error(key.refused);
		const { id } = key.key;
		const fields = { seen_credentials: id, [`ends_${id}`]: 'yes' };
		expect(await desk.makes('member', fields, IDA)).toEqual({ refused: 'last_owner' });
		expect(await desk.deps.store.get('api_key', { id })).toMatchObject({ revoked_at: null });
	});
});

it.each([
	['desk remove', ['desk', 'remove']],
	['desk invite --role member', ['desk', 'invite', '--role', 'member']],
])('%s asks an operator what happens to the person’s keys, and does it', async (_, command) => {
	const desk = await deskOfADeveloper();
	const operator = operatorAt({ ...desk.deps, mail_sender: null });
	const workspace = (await desk.enter()).workspace.id;
	const change = (...fate: readonly string[]) =>
		operator(...command, '--workspace', workspace, '--address', DEV, ...fate);
	const asked = await change();
	expect([asked.code, asked.err]).toEqual([1, expect.stringContaining('--credentials end, or --credentials keep')]);
	expect([(await desk.works()).live, await desk.roleNow()]).toEqual([['booking', 'crm', 'of_operator'], 'developer']);
	expect((await change('--credentials', 'end')).code).toBe(0);
	expect(await desk.works()).toEqual({ live: ['of_operator'], on: [desk.endpoints.older] });
	expect(await desk.roleNow()).not.toBe('developer');
});
