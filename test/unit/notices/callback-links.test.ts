import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ulidIds } from '../../../shared/adapters/ids.ts';
import { newLeg } from '../../../shared/domain/calls/leg.ts';
import { formatToken, parseToken } from '../../../shared/domain/kernel/link-token.ts';
import type { CallbackLead } from '../../../shared/domain/leads/callback-lead.ts';
import { withSecret } from '../../../shared/domain/notices/callback-link.ts';
import { rulesPrint } from '../../../shared/domain/workspaces/silenced-members.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { askPage } from '../../../shared/http/leads/callback-pages.ts';
import type { Store } from '../../../shared/ports/store.ts';
import type { DialRequest, Telephony } from '../../../shared/ports/telephony.ts';
import { html } from '../../../shared/presentation/markup.ts';
import { dialLeg } from '../../../shared/use-cases/calls/dial-leg.ts';
import { confirmCallback } from '../../../shared/use-cases/leads/confirm-callback.ts';
import { findCallbackLink } from '../../../shared/use-cases/leads/find-callback-link.ts';
import { sealedNumber, teamOf } from '../../support/calls/sealed-number.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples, WORKSPACE } from '../../support/sample-records.ts';

const START_MS = Date.parse('2026-11-21T10:00:00Z');
const always = { if: 'always' } as const;
const TEAM = teamOf(2);

/** A team with a callback link in a message, and a process that can be killed before or after a commit. */
async function world(changes: { lead?: Partial<CallbackLead>; workspace?: Partial<Workspace> } = {}) {
	const now = { ms: START_MS };
	const truth = memoryStore();
	const lead: CallbackLead = { ...samples.callback_lead, number_hash: 'hash', name: 'Ada', ...changes.lead };
	const workspace: Workspace = {
		...samples.workspace,
		team: TEAM,
		limits: { ...samples.workspace.limits, calls_per_day: 100 },
		...changes.workspace,
	};
	const secret = randomBytes(32);
	const about = { lead_id: lead.id, workspace_id: WORKSPACE };
	await truth.commit([
		{ op: 'put', record: 'callback_lead', item: lead, guard: always },
		{ op: 'put', record: 'workspace', item: workspace, guard: always },
		{ op: 'put', record: 'callback_link', item: withSecret(null, about, secret, START_MS), guard: always },
		sealedNumber(`lead#${lead.id}`, 'the visitor'),
		...TEAM.map(({ id }) => sealedNumber(`team#${WORKSPACE}#${id}`, `member ${id}`)),
	]);
	const killed = { at: null as 'before' | 'after' | null };
	const store: Store = {
		...truth,
		async commit(writes) {
			if (killed.at === 'before') throw new Error('killed');
			const outcome = await truth.commit(writes);
			if (killed.at === 'after') throw new Error('killed');
			return outcome;
		},
	};
	const sent: { readonly queue: string; readonly message: object }[] = [];
	const queues = {
		async send(queue: string, messages: readonly { readonly message: object }[]) {
			for (const { message } of messages) sent.push({ queue, message });
			return { sent: messages.length, failed: 0 };
		},
	};
	const deps = {
		store,
		queues,
		clock: { now: () => now.ms },
		ids: ulidIds,
		speed: 1,
		can_dial: true,
		log: memoryLog().log,
	};
	const token = formatToken(lead.id, secret);
	const calls = () => truth.list('call', WORKSPACE, { from_id: null, before_id: null, limit: 100 });
	const confirm = (phone = workspace.team[0]?.id ?? '') => confirmCallback({ token, phone }, deps);
	return { deps, now, killed, truth, sent, token, lead, workspace, calls, confirm };
}

describe('a token', () => {
	it('is parsed back unchanged, for every secret', () => {
		fc.assert(
			fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (secret) => {
				const token = formatToken(samples.callback_lead.id, secret);
				const parsed = parseToken(token);
				expect(parsed?.id).toBe(samples.callback_lead.id);
				expect(Buffer.from(parsed?.secret ?? []).equals(secret)).toBe(true);
				// Mail programs cut a dash or an underscore off the end of a link.
				expect(token).toMatch(/[A-Za-z0-9]$/);
			}),
		);
	});

	it('that differs in any character opens nothing, and gets the same answer as an unknown token', async () => {
		const { token, deps } = await world();
		expect(await findCallbackLink(token, deps)).toHaveProperty('link');
		for (let at = 0; at < token.length; at += 1) {
			const changed = token.slice(0, at) + (token[at] === 'A' ? 'E' : 'A') + token.slice(at + 1);
			expect(await findCallbackLink(changed, deps)).toEqual({ refused: 'link_not_valid' });
		}
		for (const other of [
			'',
			'x',
			token.slice(0, -1),
			`${token}A`,
			token.slice(27),
			formatToken(WORKSPACE, randomBytes(32)),
		]) {
			expect(await findCallbackLink(other, deps)).toEqual({ refused: 'link_not_valid' });
		}
	});
});

describe('opening a link', () => {
	it('shows a visitor’s text as plain text', async () => {
		const { lead, workspace, deps, token } = await world({
			lead: { name: '"><script>alert(1)</script>', source_url: 'https://a.b/\'"><b>' },
		});
		const found = await findCallbackLink(token, deps);
		if ('refused' in found) throw new Error(found.refused);
		const { body } = askPage({ ...found, lead, workspace }, { cookies: [] });
		expect(body).not.toMatch(/<script|<b>|'"/);
		expect(body).toContain('&quot;›‹script›');
		expect(html`<a title="${'"\'&<>'}">`.markup).toBe('<a title="&quot;&#x27;&amp;&lt;&gt;">');
	});
});

describe('confirming', () => {
	it('rings only the chosen member, and before the visitor, even if the workspace rings the visitor first and all members at once', async () => {
		const { confirm } = await world({ workspace: { ring_order: 'visitor_first', ring_strategy: 'simultaneous' } });
		const outcome = await confirm('m2');
		if ('refused' in outcome) throw new Error(outcome.refused);
		expect(outcome.call.plan).toEqual({ strategy: 'sequential', order: 'agent_first', members: ['m2'] });
		expect(outcome.call.legs.map(({ role, member }) => [role, member])).toEqual([['agent', 'm2']]);
		expect(outcome).toMatchObject({
			member: { phone_masked: '+1********02' },
			call: { visitor_name: 'Ada', status: 'requested' },
		});
	});

	it('uses up both secrets of a link that gets another secret at that moment', async () => {
		const { deps, truth, lead, token, workspace } = await world();
		const later = randomBytes(32);
		let commits = 0;
		const store: Store = {
			...truth,
			async commit(writes) {
				commits += 1;
				const link = await truth.get('callback_link', { lead_id: lead.id });
				if (commits === 1 && link !== null) {
					const item = withSecret(link, link, later, START_MS);
					await truth.commit([{ op: 'put', record: 'callback_link', item, guard: always }]);
				}
				return truth.commit(writes);
			},
		};
		expect(await confirmCallback({ token, phone: workspace.team[0]?.id ?? '' }, { ...deps, store })).toHaveProperty(
			'call',
		);
		for (const one of [token, formatToken(lead.id, later)]) {
			expect(await findCallbackLink(one, deps)).toMatchObject({ refused: 'link_used' });
		}
	});

	it('reports the link as used if another confirmation wins between its reads', async () => {
		const { deps, truth, token, workspace, confirm } = await world();
		let won = false;
		const store = { ...truth };
		store.get = async (record, key) => {
			if (record === 'number_usage' && !won) {
				won = true;
				expect(await confirm()).toHaveProperty('call');
			}
			return truth.get(record, key);
		};
		const late = confirmCallback({ token, phone: workspace.team[0]?.id ?? '' }, { ...deps, store });
		expect(await late).toMatchObject({ refused: 'link_used' });
		expect(won).toBe(true);
	});

	it.each(['before', 'after'] as const)('that is killed %s its commit leaves all changes or none', async (at) => {
		const { confirm, calls, killed, truth, lead } = await world();
		killed.at = at;
		await expect(confirm()).rejects.toThrow('killed');
		killed.at = null;
		const link = await truth.get('callback_link', { lead_id: lead.id });
		const [call] = await calls();
		expect([link?.call_id ?? null, link?.used_at === null]).toEqual([call?.id ?? null, at === 'before']);
		expect(await confirm()).toMatchObject(
			at === 'before' ? { call: { status: 'requested' } } : { refused: 'link_used' },
		);
		expect(await calls()).toHaveLength(1);
		// If the messages of the call are lost, the sweep finds it.
		expect((await calls())[0]?.due_at).not.toBeNull();
	});

	it.each([
		['the team has dealt with', { lead: { status: 'handled' } }, { refused: 'lead_closed', lead_status: 'handled' }],
		['the team has dismissed', { lead: { status: 'dismissed' } }, { refused: 'lead_closed', lead_status: 'dismissed' }],
		['of a workspace that is off', { workspace: { calls_enabled: false } }, { refused: 'calls_unavailable' }],
		[
			'of a workspace whose day is full',
			{ workspace: { limits: samples.workspace.limits } },
			{ refused: 'calls_unavailable' },
		],
	] as const)('the link of a lead %s rings no phone, and leaves the link valid', async (_, changes, refusal) => {
		const { confirm, calls, truth, lead } = await world(changes);
		expect(await confirm()).toMatchObject(refusal);
		expect(await calls()).toEqual([]);
		expect((await truth.get('callback_link', { lead_id: lead.id }))?.used_at).toBeNull();
	});

	it('places no call without a provider', async () => {
		const { deps, token, workspace } = await world();
		const phone = workspace.team[0]?.id ?? '';
		expect(await confirmCallback({ token, phone }, { ...deps, can_dial: false })).toMatchObject({
			refused: 'calls_unavailable',
		});
	});

	it('rings no member whose phone was not chosen, or is no longer in the team', async () => {
		const { confirm, calls } = await world();
		for (const phone of ['m3', 'm0', 'M1', ' m1', '0', '1', '+1********01', '', '__proto__']) {
			expect(await confirm(phone)).toMatchObject({ refused: 'member_unknown' });
		}
		expect(await calls()).toEqual([]);
	});

	it('rings the chosen member, even if the member’s position, name and number have changed since the page was opened', async () => {
		const team = [
			{ id: 'm2', name: 'Jonas Berg', phone_masked: '+1********01' },
			{ id: 'm1', name: 'Ida Berg', phone_masked: '+1********77' },
		];
		const { confirm } = await world({ workspace: { team } });
		const outcome = await confirm('m1');
		expect(outcome).toMatchObject({ member: { name: 'Ida Berg' }, call: { plan: { members: ['m1'] } } });
	});

	it('calls no suppressed number, no number in a call, and none at its daily limit', async () => {
		// The workspace allows three calls a day to a number, and three more by links.
		const usage = { ...samples.number_usage, number_hash: 'hash', day: '2026-11-21', day_count: 5 };
		const put = async (given: Awaited<ReturnType<typeof world>>, item: typeof usage) =>
			given.truth.commit([{ op: 'put', record: 'number_usage', item, guard: always }]);
		const suppressed = await world();
		await put(suppressed, { ...usage, suppressed: true });
		expect(await suppressed.confirm()).toMatchObject({ refused: 'suppressed' });
		const live = await world();
		await live.truth.commit([{ op: 'put', record: 'call', item: samples.call, guard: always }]);
		await put(live, { ...usage, live_call_id: samples.call.id });
		expect(await live.confirm()).toMatchObject({ refused: 'in_a_call' });
		const often = await world();
		await put(often, { ...usage, day_count: 6 });
		expect(await often.confirm()).toMatchObject({ refused: 'called_enough', retry_after_seconds: 50_400 });
		await put(often, usage);
		expect(await often.confirm()).toHaveProperty('call');
	});

	it('calls no visitor whose data was erased, and the link is not valid any more', async () => {
		const { confirm, calls, truth, lead } = await world();
		const { number_hash: _, ...erased } = lead;
		await truth.commit([{ op: 'put', record: 'callback_lead', item: erased, guard: always }]);
		expect(await confirm()).toEqual({ outcome: 'refused', refused: 'link_not_valid' });
		expect(await calls()).toHaveLength(0);
	});

	it('rings no member whose phone the rules of the workspace silence', async () => {
		const rules = { region: 'US', allowed_regions: [], allowed_prefixes: [], refused_prefixes: ['1202'] };
		const silenced = { by: rulesPrint(rules), members: TEAM.slice(0, 1) };
		const { confirm, calls } = await world({ workspace: { ...rules, silenced } });
		expect(await confirm()).toMatchObject({ refused: 'member_not_callable' });
		expect(await calls()).toHaveLength(0);
		expect(await confirm(TEAM[1]?.id)).toHaveProperty('call');
	});

	it('dials the number of the lead, which no other function can read', async () => {
		const { confirm, deps } = await world();
		const outcome = await confirm();
		if ('refused' in outcome) throw new Error(outcome.refused);
		const dialed: string[] = [];
		const telephony = {
			dial: async ({ to }: DialRequest) => {
				dialed.push(to);
				return { dial: 'accepted', provider_id: to } as const;
			},
		} as unknown as Telephony;
		const engine = { ...deps, telephony, opener: { openNumber: async (sealed: string) => sealed } };
		const [agent] = outcome.call.legs;
		await dialLeg({ call_id: outcome.call.id, leg_id: agent?.id ?? '' }, engine);
		const visitor = newLeg(outcome.call.id, 'visitor', null, START_MS);
		const call = await deps.store.get('call', { id: outcome.call.id });
		if (call === null) throw new Error('no call');
		await deps.store.commit([
			{ op: 'put', record: 'call', item: { ...call, legs: [...call.legs, visitor] }, guard: always },
		]);
		await dialLeg({ call_id: call.id, leg_id: visitor.id }, engine);
		expect(dialed).toEqual(['member m1', 'the visitor']);
	});
});
