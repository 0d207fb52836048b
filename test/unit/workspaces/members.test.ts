import { describe, expect, it } from '@jest/globals';
import { numberGuides } from '../../../shared/adapters/numbering-plans/number-guides.ts';
import { ringPlan } from '../../../shared/domain/calls/call.ts';
import { teamState } from '../../../shared/domain/workspaces/business-hours.ts';
import type { BusinessHours, TeamMember, Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { widgetConfig } from '../../../shared/use-cases/widget/widget-config.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { type MemberSwitch, switchMember } from '../../../shared/use-cases/workspaces/switch-member.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { always, put } from '../../support/writes.ts';

const NOW = '2026-11-23T10:00:00.000Z';
const nowMs = Date.parse(NOW);
const BERLIN = 'Europe/Berlin';
/** Mondays and Fridays from 9 to 17. */
const hours: BusinessHours = {
	weekly: [1, 5].map((weekday) => ({ weekday: weekday as 1 | 5, from_minute: 540, to_minute: 1020 })),
	holidays: [],
};
const off = (off_until: string): TeamMember => ({ id: 'm1', phone_masked: '+1********01', off_until });
const on: TeamMember = { id: 'm2', phone_masked: '+1********02' };

const RULES = { region: 'US', allowed_regions: ['US'], allowed_prefixes: [], refused_prefixes: [] };

describe('a team', () => {
	const state = (team: readonly TeamMember[], business_hours: BusinessHours | null = null) =>
		teamState({ ...RULES, time_zone: BERLIN, team, business_hours, paused_until: null }, nowMs);

	it('takes calls while at least one member is on, and again as soon as a member who was off is back', () => {
		expect(state([off('2026-11-24T00:00:00.000Z'), on])).toEqual({ open: true });
		expect(state([off(NOW)])).toEqual({ open: true });
		expect(state([])).toEqual({ open: true });
	});

	it('whose members are all off is closed until the first of them is on again within the shop’s hours', () => {
		const both = [off('2026-11-25T23:00:00.000Z'), off('2026-11-24T23:00:00.000Z')];
		expect(state(both)).toEqual({ open: false, next_open_at: '2026-11-24T23:00:00.000Z' });
		// The first member comes back on a Wednesday, and the shop next opens on a Friday.
		expect(state(both, hours)).toEqual({ open: false, next_open_at: '2026-11-27T08:00:00.000Z' });
		expect(state([on], hours)).toEqual({ open: true });
	});
});

it('a call plan rings the members who are on, by their ids', () => {
	const team = [on, off('2026-11-24T00:00:00.000Z'), { ...on, id: 'm3' }];
	for (const ring_strategy of ['simultaneous', 'sequential', 'round_robin'] as const) {
		const workspace = { ...frontDesk(memoryStore()).workspace(), team, ring_strategy };
		const { members } = ringPlan(workspace, '01ARZ3NDEKTSV4RRFFQ69G5FAV', nowMs);
		expect([...members].sort()).toEqual(['m2', 'm3']);
	}
});

describe('a member', () => {
	async function shop(changes: Partial<Workspace> = {}) {
		const desk = frontDesk(memoryStore(), nowMs);
		const ida = { id: 'm1', name: 'Ida', phone_masked: '+1********01' };
		const workspace = desk.workspace(
			{},
			{ team: [ida, { ...ida, id: 'm2', name: 'Bo' }], business_hours: hours, ...changes },
		);
		await desk.deps.store.commit([put('workspace', workspace, always)]);
		const turn = (name: string, given: MemberSwitch) =>
			switchMember(workspace.id, (member) => member.name === name, given, desk.deps);
		const current = async () => (await desk.deps.store.get('workspace', { id: workspace.id })) ?? workspace;
		return { ...desk, workspace, turn, current };
	}

	it('is off until tomorrow or until the start of a date, in the time zone of the shop, and can be switched on again', async () => {
		const { turn, current } = await shop();
		expect(await turn('Ida', { on: false, back: null })).toHaveProperty('workspace');
		expect((await current()).team).toMatchObject([{ off_until: '2026-11-23T23:00:00.000Z' }, { name: 'Bo' }]);
		await turn('Ida', { on: false, back: '2027-07-01' });
		expect((await current()).team[0]?.off_until).toBe('2027-06-30T22:00:00.000Z');
		await turn('Ida', { on: true });
		expect((await current()).team[0]).not.toHaveProperty('off_until');
	});

	it('can be switched on or off only by a name that no other member has, and off only until a future date', async () => {
		const { turn, current } = await shop();
		expect(await turn('Eve', { on: true })).toEqual({ refused: 'member_unknown' });
		expect(await turn('Ida', { on: false, back: '2026-11-23' })).toEqual({ refused: 'date_passed' });
		const twice = await shop({ team: [on, on].map((each) => ({ ...each, name: 'Ida' })) });
		expect(await twice.turn('Ida', { on: true })).toEqual({ refused: 'member_unknown' });
		expect((await current()).version).toBe(1);
	});

	it('who is switched off still rings in a call in progress, and in no later call', async () => {
		const { turn, current, requestCall, deps } = await shop({
			business_hours: null,
			team: [
				{ ...on, id: 'm1', name: 'Ida' },
				{ ...on, id: 'm2', name: 'Bo' },
			],
		});
		const plannedFor = async (phone: string) => {
			const outcome = await requestCall(await current(), phone);
			if (!('call' in outcome)) throw new Error(outcome.refused);
			return outcome.call.id;
		};
		const members = async (id: string) => (await deps.store.get('call', { id }))?.plan.members;
		const live = await plannedFor('+12025550101');
		await turn('Ida', { on: false, back: null });
		expect(await members(live)).toEqual(['m1', 'm2']);
		expect(await members(await plannedFor('+12025550110'))).toEqual(['m2']);
	});

	it('stays off when the whole team is replaced', async () => {
		const { workspace, turn, current, deps } = await shop({ team: [] });
		const team = ['Ida:+13125550101', 'Bo:+13125550102'];
		await changeWorkspace(workspace.id, { team }, deps);
		await turn('Ida', { on: false, back: null });
		await changeWorkspace(workspace.id, { team: team.toReversed() }, deps);
		expect((await current()).team.map(({ off_until }) => off_until !== undefined)).toEqual([false, true]);
	});

	it('who is off does not switch off another member with the same name and mask when the team is replaced', async () => {
		const { workspace, turn, current, deps } = await shop({ team: [] });
		await changeWorkspace(workspace.id, { team: ['Ida:+13125550102'] }, deps);
		await turn('Ida', { on: false, back: null });
		await changeWorkspace(workspace.id, { team: ['Ida:+13125550102', 'Ida:+13125551102'] }, deps);
		expect((await current()).team.map(({ off_until }) => off_until !== undefined)).toEqual([true, false]);
	});

	it('who is the only one and is off closes the shop for calls: the widget says so, and takes callbacks', async () => {
		const { turn, current, requestCall, captureLead, deps } = await shop({
			business_hours: null,
			team: [{ ...on, name: 'Ida' }],
		});
		const config = async () =>
			(await widgetConfig(await current(), undefined, { ...deps, caller_number: null, guides: numberGuides })).config;
		expect(await config()).toMatchObject({ open: true });
		await turn('Ida', { on: false, back: null });
		expect(await config()).toMatchObject({ open: false, next_open_at: '2026-11-23T23:00:00.000Z', unavailable: null });
		expect(await requestCall(await current(), '+12025550101')).toMatchObject({
			refused: 'outside_business_hours',
			next_open_at: '2026-11-23T23:00:00.000Z',
		});
		expect(await captureLead(await current(), '+12025550101')).toMatchObject({ outcome: 'captured' });
	});
});
