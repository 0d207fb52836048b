import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { numberGuides } from '../../../shared/adapters/numbering-plans/number-guides.ts';
import { phoneNumbers } from '../../../shared/adapters/numbering-plans/phone-number.ts';
import { ringPlan } from '../../../shared/domain/calls/call.ts';
import { memberOwner } from '../../../shared/domain/kernel/phone-number.ts';
import { mayBeRung } from '../../../shared/domain/workspaces/callable-number.ts';
import { isSilenced, rulesPrint } from '../../../shared/domain/workspaces/silenced-members.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import type { TeamNumber } from '../../../shared/ports/registry.ts';
import { beginningHashes, numberHash } from '../../../shared/use-cases/access/keyed-hash.ts';
import { testCall } from '../../../shared/use-cases/desk/test-call.ts';
import { widgetConfig } from '../../../shared/use-cases/widget/widget-config.ts';
import { changeTeam } from '../../../shared/use-cases/workspaces/change-team.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { createWorkspace } from '../../../shared/use-cases/workspaces/create-workspace.ts';
import { judgeNumber, newlySilenced } from '../../../shared/use-cases/workspaces/judge-team.ts';
import { switchMember } from '../../../shared/use-cases/workspaces/switch-member.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { always, put } from '../../support/writes.ts';

// Tests changes of a workspace's rules after which the phone of a team member may no longer ring. The operator's command names
// that member. If no phone of the team may ring, the service accepts no call.

const IDA = 'Ida:+12025550101';
const BEN = 'Ben:+13125550102';
const VISITOR = '+14155550123';
const CALL = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

let desk: ReturnType<typeof frontDesk>;
let id: string;
beforeEach(async () => {
	desk = frontDesk(memoryStore());
	await newShop([IDA, BEN]);
});

async function newShop(team: readonly string[]): Promise<void> {
	const made = await createWorkspace(
		{ name: 'Shop', region: 'US', time_zone: 'Europe/Berlin', origins: ['https://shop.example'], team: [...team] },
		desk.deps,
	);
	if ('refused' in made) throw new Error(made.refused);
	id = made.workspace.id;
}
async function current(): Promise<Workspace> {
	const workspace = await desk.deps.store.get('workspace', { id });
	if (workspace === null) throw new Error('the workspace is gone');
	return workspace;
}
const set = (settings: Parameters<typeof changeWorkspace>[1]) => changeWorkspace(id, settings, desk.deps);
const names = (members: readonly { readonly name?: string }[]) => members.map(({ name }) => name);
const rung = async () => ringPlan(await current(), CALL, desk.now.ms).members;
const config = async () => {
	const deps = { ...desk.deps, caller_number: null, guides: numberGuides };
	return (await widgetConfig(await current(), undefined, deps)).config;
};
const numberOf = async (member: string) => {
	const number = await desk.deps.store.get('team_number', { owner: memberOwner(id, member) });
	if (number === null) throw new Error('no number');
	return number;
};
/** Stores a member's number as it was before the record had `beginnings`. */
async function forgetBeginnings(member: string): Promise<void> {
	const { beginnings: _, ...older } = await numberOf(member);
	await desk.deps.store.commit([put('team_number', older, always)]);
}

describe('a change of the shop’s calling rules', () => {
	it.each([
		['another region', { region: 'GB', allowed_regions: ['GB'] }, ['Ida', 'Ben']],
		['a refused prefix', { refused_prefixes: ['+1202'] }, ['Ida']],
		['a refused prefix with an exception', { refused_prefixes: ['+1202'], allowed_prefixes: ['+1202555'] }, []],
		['a refused whole number', { refused_prefixes: ['+13125550102'] }, ['Ben']],
		['a refused country', { refused_prefixes: ['+1'] }, ['Ida', 'Ben']],
		['another refused country', { refused_prefixes: ['+49'] }, []],
		['another allowed region', { allowed_regions: ['GB'] }, []],
	])('names whom it silences: %s', async (_, rules, expected) => {
		const verdict = await newlySilenced(await current(), rules, desk.deps);
		expect([names(verdict.silenced), verdict.unknown]).toEqual([expected, []]);
		await set(rules);
		const workspace = await current();
		expect(names(workspace.team.filter((member) => isSilenced(member, workspace)))).toEqual(expected);
	});

	it('no longer silences a member who is given another number, even if both numbers have the same mask', async () => {
		await set({ refused_prefixes: ['+1202'] });
		const edit = { change: 'edit', id: 'm1', name: 'Ida', number: '+13125550101' } as const;
		const edited = await changeTeam(id, edit, { ...desk.deps, caller_number: null });
		if ('refused' in edited) throw new Error(edited.refused);
		expect(await rung()).toEqual(['m1', 'm2']);
	});

	it('that silences all members closes the widget with its own reason, and undoing it opens the widget again', async () => {
		expect(await config()).toMatchObject({ open: true, unavailable: null });
		await set({ refused_prefixes: ['+1202', '+1312'] });
		expect(await config()).toMatchObject({ open: false, unavailable: 'no_agent_callable' });
		const refused = { outcome: 'refused', refused: 'calls_unavailable', reason: 'no_agent_callable' };
		expect(await desk.requestCall(await current(), VISITOR)).toMatchObject(refused);
		expect(await desk.captureLead(await current(), VISITOR)).toMatchObject({ outcome: 'captured' });
		await set({ refused_prefixes: [] });
		expect(await config()).toMatchObject({ open: true, unavailable: null });
	});

	it('leaves the other members in the plans of calls, and closes the shop while they are off', async () => {
		await set({ refused_prefixes: ['+1202'] });
		expect(await rung()).toEqual(['m2']);
		await switchMember(id, ({ name }) => name === 'Ben', { on: false, back: null }, desk.deps);
		expect(await config()).toMatchObject({ open: false, next_open_at: expect.any(String), unavailable: null });
	});

	it('refuses a test call to a silenced phone', async () => {
		await set({ refused_prefixes: ['+1312'] });
		expect(await testCall(id, 'm2', desk.deps)).toEqual({ refused: 'team_number_not_callable' });
	});

	it('that replaces the team, too, is checked with the typed numbers', async () => {
		expect(await set({ refused_prefixes: ['+1202'], team: [IDA, BEN] })).toEqual({
			refused: 'team_number_not_callable',
		});
		await set({ refused_prefixes: ['+1202'] });
		await set({ refused_prefixes: [], team: [IDA, BEN] });
		expect(await rung()).toEqual(['m1', 'm2']);
	});
});

describe('the verdict on whether a phone may ring', () => {
	it('counts only for the rules that it was made for, and is ignored once a release without verdicts has changed the rules', async () => {
		await set({ refused_prefixes: ['+1202'] });
		await desk.deps.store.commit([put('workspace', { ...(await current()), refused_prefixes: [] }, always)]);
		expect(await rung()).toEqual(['m1', 'm2']);
	});

	it('does not count for a member whose number has changed since the verdict', async () => {
		await set({ refused_prefixes: ['+1202'] });
		const workspace = await current();
		const team = workspace.team.map((member) => ({ ...member, phone_masked: '+1********99' }));
		await desk.deps.store.commit([put('workspace', { ...workspace, team }, always)]);
		expect(await rung()).toEqual(['m1', 'm2']);
	});

	it('for numbers that were stored without their beginnings depends on the region, and is unknown if a rule names a prefix', async () => {
		for (const member of ['m1', 'm2']) await forgetBeginnings(member);
		const silenced = async (rules: Partial<Workspace>) => {
			const verdict = await newlySilenced(await current(), rules, desk.deps);
			return [names(verdict.silenced), names(verdict.unknown)];
		};
		expect(await silenced({ region: 'GB', allowed_regions: ['GB'] })).toEqual([['Ida', 'Ben'], []]);
		expect(await silenced({ refused_prefixes: ['+1202'] })).toEqual([[], ['Ida', 'Ben']]);
	});

	it('is made for a shop whose rules were changed before verdicts existed, at its next change', async () => {
		const changed = { ...(await current()), region: 'GB', allowed_regions: ['GB'] };
		await desk.deps.store.commit([put('workspace', changed, always)]);
		await set({ paused_until: null });
		expect(await config()).toMatchObject({ unavailable: 'no_agent_callable' });
	});

	it('on a stored number is the same as on the number itself, for any rules', async () => {
		const digit = fc.constantFrom(...'0123456789');
		const tail = fc.array(digit, { minLength: 0, maxLength: 4 }).map((digits) => digits.join(''));
		const beginning = fc.tuple(fc.constantFrom('+1', '+1202', '+1212', '+1202976', '+1605', '+1605475', '+44'), tail);
		const prefixes = fc.array(
			beginning.map(([head, rest]) => head + rest),
			{ maxLength: 4 },
		);
		const numbers = ['+12025550101', '+12129765010', '+16054755010', '+16055550101', '+442079460101'];
		const rules = fc.record({
			region: fc.constantFrom('US', 'GB'),
			allowed_regions: fc.array(fc.constantFrom('US', 'GB', 'DE')),
			allowed_prefixes: prefixes,
			refused_prefixes: prefixes,
		});
		await fc.assert(
			fc.asyncProperty(fc.constantFrom(...numbers), rules, async (e164, given) => {
				const phone = phoneNumbers.parse(e164);
				if ('refused' in phone) return;
				const number = await stored(phone);
				const verdict = await judgeNumber(number, given, desk.deps.macs);
				expect(verdict).toBe(mayBeRung(phone, given) ? 'rings' : 'silenced');
			}),
		);
	});
});

async function stored(phone: { readonly e164: string; readonly region: string; readonly type: TeamNumber['type'] }) {
	const { e164, region, type } = phone;
	const number_hash = await numberHash(desk.deps.macs, id, e164);
	const beginnings = await beginningHashes(desk.deps.macs, number_hash, e164);
	const premium = /^\+1\d{3}976/.test(e164) && ({ premium_exchange: true } as const);
	return {
		owner: memberOwner(id, 'm1'),
		sealed: 'sealed',
		number_hash,
		region,
		type,
		beginnings,
		...premium,
		expires_at_epoch_s: null,
	};
}

it('the stored beginnings of a number cannot be read, or compared with those of another member', async () => {
	await newShop(['Ida:+12025550101', 'Ben:+12025550102']);
	const ida = await numberOf('m1');
	const ben = await numberOf('m2');
	expect(ida.beginnings).toHaveLength(11);
	expect(ida.beginnings?.filter((hash) => /^\+?\d+$/.test(hash))).toEqual([]);
	expect(ida.beginnings?.filter((hash) => ben.beginnings?.includes(hash))).toEqual([]);
});

it('a member is silenced only by the current rules, and only with the phone that the rules silence', () => {
	const rules = { region: 'US', allowed_regions: [], allowed_prefixes: [], refused_prefixes: ['1202'] };
	const ida = { id: 'm1', phone_masked: '+1******01' };
	const silencing = { ...rules, silenced: { by: rulesPrint(rules), members: [ida] } };
	expect(isSilenced(ida, silencing)).toBe(true);
	expect(isSilenced({ ...ida, id: 'm2' }, silencing)).toBe(false);
	expect(isSilenced({ ...ida, phone_masked: '+1******02' }, silencing)).toBe(false);
	expect(isSilenced(ida, { ...silencing, refused_prefixes: [] })).toBe(false);
	expect(isSilenced(ida, rules)).toBe(false);
});
