import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { memberOwner } from '../../../shared/domain/kernel/phone-number.ts';
import { readMember, type TeamMember } from '../../../shared/domain/workspaces/workspace.ts';
import { changeTeam } from '../../../shared/use-cases/workspaces/change-team.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { put } from '../../support/writes.ts';

/** This sealer does not encrypt, so that the test can see which number a member has. */
const sealer = { sealNumber: (number: string) => `sealed ${number}` as never };

/** A shop without team members, and what its owner does with the team. */
async function shop() {
	const store = memoryStore();
	const { deps, workspace: fresh } = frontDesk(store);
	const { id } = fresh({}, { team: [], members_added: 0 });
	const all = { ...deps, sealer };
	await store.commit([put('workspace', { ...fresh(), id, team: [], members_added: 0 })]);
	const team = async () => (await store.get('workspace', { id }))?.team ?? [];
	return {
		team,
		add: (member: string) => changeTeam(id, { change: 'add', member: readMember(member) }, all),
		remove: (member: string) => changeTeam(id, { change: 'remove', id: member }, all),
		moveUp: (member: string) => changeTeam(id, { change: 'move_up', id: member }, all),
		write: (members: readonly string[]) => changeWorkspace(id, { team: [...members] }, all),
		allow: (allowedRegions: readonly string[]) => changeWorkspace(id, { allowed_regions: [...allowedRegions] }, all),
		numberOf: async (member: string) =>
			(await store.get('team_number', { owner: memberOwner(id, member) }))?.sealed.slice('sealed '.length),
		named: async () => (await team()).map(({ id: member, name = '' }) => `${member} ${name}`),
	};
}

type Mine = { readonly id: string; readonly name: string; readonly number: string };
const nth = fc.nat({ max: 30 });
const change = fc.oneof(
	fc.record({ change: fc.constantFrom('add' as const, 'rename' as const, 'change the number' as const), n: nth }),
	fc.record({
		change: fc.constantFrom('remove' as const, 'move_up' as const, 'remove and add' as const),
		n: nth,
	}),
);
const numberOf = (n: number): string => `+120255501${String(10 + n).padStart(2, '0')}`;

it('a member keeps the id and the number through every change, a phone belongs to one member, and no id is given twice', async () => {
	const property = async (changes: readonly { change: string; n: number }[]): Promise<void> => {
		const { team, add, remove, moveUp, write, numberOf: stored } = await shop();
		let mine: Mine[] = [];
		const given = new Set<string>();
		const replace = async (one: Mine, changes: Partial<Mine>): Promise<void> => {
			mine = mine.map((member) => (member === one ? { ...one, ...changes } : member));
			await write(mine.map(({ name, number }) => `${name}:${number}`));
		};
		async function touch(one: Mine, how: string, name: string, number: string): Promise<void> {
			if (how === 'rename') return replace(one, { name });
			if (how === 'change the number') return replace(one, { number });
			const place = mine.indexOf(one);
			if (how === 'move_up') {
				await moveUp(one.id);
				mine = mine.toSpliced(place, 1).toSpliced(Math.max(0, place - 1), 0, one);
			}
			if (!how.startsWith('remove')) return;
			await remove(one.id);
			expect(await stored(one.id)).toBeUndefined();
			mine = mine.toSpliced(place, 1);
			if (how === 'remove') return;
			await add(`${name}:${one.number}`);
			mine.push({ id: '', name, number: one.number });
		}
		for (const [turn, { change: how, n }] of changes.entries()) {
			const number = numberOf(n);
			const one = mine[n % Math.max(1, mine.length)];
			const isTaken = mine.some((member) => member.number === number);
			if (how === 'add') {
				const outcome = await add(`N${turn}:${number}`);
				if (isTaken) expect(outcome).toEqual({ refused: 'team_number_twice' });
				else if (mine.length < 20) mine.push({ id: '', name: `N${turn}`, number });
			}
			if (one !== undefined) await touch(one, how, `N${turn}`, isTaken ? one.number : number);
			const ids = (await team()).map(({ id }) => id);
			mine = mine.map((member, place) => {
				if (member.id !== '') return member;
				expect(given).not.toContain(ids[place]);
				return { ...member, id: ids[place] ?? '' };
			});
			for (const { id } of mine) given.add(id);
		}
		const seen = await team();
		expect(seen.map(({ id, name = '' }) => [id, name])).toEqual(mine.map(({ id, name }) => [id, name]));
		expect(await Promise.all(seen.map(({ id }) => stored(id)))).toEqual(mine.map(({ number }) => number));
	};
	await fc.assert(fc.asyncProperty(fc.array(change, { maxLength: 25 }), property), { numRuns: 100 });
});

it('a member who does not exist is not moved or removed, and a team has at most 20 members', async () => {
	const { add, remove, moveUp, team } = await shop();
	expect(await remove('m1')).toEqual({ refused: 'member_unknown' });
	for (let n = 0; n < 20; n += 1) await add(numberOf(n));
	expect(await add('+12025550199')).toEqual({ refused: 'team_full' });
	for (const id of ['', '0', 'm0', 'm21', 'undefined']) {
		expect([await remove(id), await moveUp(id)]).toEqual([
			{ refused: 'member_unknown' },
			{ refused: 'member_unknown' },
		]);
	}
	expect(await team()).toHaveLength(20);
});

it('the removal of a member deletes the number and changes no other member', async () => {
	const { write, remove, named, numberOf: stored } = await shop();
	await write(['Ida:+12025550101', 'Jonas:+12025550102']);
	await remove('m2');
	expect(await named()).toEqual(['m1 Ida']);
	expect([await stored('m1'), await stored('m2')]).toEqual(['+12025550101', undefined]);
});

describe('a team that is replaced as a whole', () => {
	it('keeps the id of a member who has the same number under another name, or another number under the same name', async () => {
		const { write, named, numberOf: stored } = await shop();
		await write(['Ida:+12025550101', 'Jonas:+12025550102']);
		await write(['Jonas:+12025550103', 'Ida Berg:+12025550101']);
		expect(await named()).toEqual(['m2 Jonas', 'm1 Ida Berg']);
		expect([await stored('m2'), await stored('m1')]).toEqual(['+12025550103', '+12025550101']);
	});

	it('keeps each id with its phone number if two members swap their phones', async () => {
		const { write, named, numberOf: stored } = await shop();
		await write(['Ida:+12025550101', 'Jonas:+12025550102']);
		await write(['Ida:+12025550102', 'Jonas:+12025550101']);
		expect(await named()).toEqual(['m2 Ida', 'm1 Jonas']);
		expect([await stored('m2'), await stored('m1')]).toEqual(['+12025550102', '+12025550101']);
	});

	it('gives a new id to a new number without a name, or with a name that several members had', async () => {
		const { write, named } = await shop();
		await write(['Ida:+12025550101', 'Ida:+12025550102', '+12025550103']);
		await write(['Ida:+12025550104', '+12025550105']);
		expect(await named()).toEqual(['m4 Ida', 'm5 ']);
	});

	it('is refused if it has a phone twice, however the number is written', async () => {
		const { write, named } = await shop();
		await write(['Ida:+12025550101']);
		const twice = await write(['Ida:+12025550102', 'Jo:+1 (202) 555-0102']);
		expect(twice).toEqual({ refused: 'team_number_twice' });
		expect(await named()).toEqual(['m1 Ida']);
	});
});

it('two owners who add the same phone at the same time add it once', async () => {
	const { add, team } = await shop();
	const outcomes = await Promise.all([add('Ida:+12025550101'), add('Ida W:+12025550101')]);
	expect(outcomes.map((outcome) => ('refused' in outcome ? outcome.refused : 'added')).sort()).toEqual([
		'added',
		'team_number_twice',
	]);
	expect((await team()).map(({ id }: TeamMember) => id)).toEqual(['m1']);
});

describe('a number that the rules against toll fraud refuse cannot be a member’s', () => {
	const COSTLY = [
		['premium', '+19005550101'],
		['satellite', '+8816512345678'],
		['a Caribbean region that is not called', '+18765550101'],
		['an exchange that attracts calls for money', '+16054750101'],
		['another region', '+4930123456'],
	] as const;
	it.each(COSTLY)('%s: %s', async (_name, number) => {
		const { add, write, team } = await shop();
		const refused = [await add(`Mallory:${number}`), await write(['Ida:+12025550101', `Mallory:${number}`])];
		for (const outcome of refused) expect(outcome).toHaveProperty('refused', expect.stringMatching(/^team_number_/));
		expect(await team()).toEqual([]);
	});

	it('but a mobile or other number of another region can be, if the workspace calls that region', async () => {
		const { allow, add, named } = await shop();
		expect(await add('Ida:+4930123456')).toEqual({ refused: 'team_number_not_callable' });
		await allow(['US', 'DE']);
		await add('Ida:+4930123456');
		await add('Mei:+4915123456789');
		expect(await named()).toEqual(['m1 Ida', 'm2 Mei']);
	});
});

describe('a number that calls show cannot be a member’s, because no phone can be called by its own number', () => {
	const DEPLOYED = '+13125550100';
	const OWN = '+13125550142';
	const refused = { refused: 'team_number_calls_itself' };

	async function shopThatShows(own: string | null, deployed: string | null) {
		const store = memoryStore();
		const { deps, workspace: fresh } = frontDesk(store);
		const item = fresh({}, { team: [], members_added: 0, caller_number: own });
		await store.commit([put('workspace', item)]);
		const all = { ...deps, sealer, caller_number: deployed };
		const { id } = item;
		return {
			...{ store, id },
			add: (number: string) => changeTeam(id, { change: 'add', member: { name: null, number }, home: 'US' }, all),
		};
	}

	it.each([
		['the deployment’s caller number', null, DEPLOYED, DEPLOYED],
		['the deployment’s caller number in national format', null, DEPLOYED, '(312) 555-0100'],
		['the workspace’s own caller number', OWN, DEPLOYED, OWN],
		['the workspace’s own caller number, without a provider', OWN, null, OWN],
	])('%s', async (_, own, deployed, number) => {
		const { add, store, id } = await shopThatShows(own, deployed);
		expect(await add(number)).toEqual(refused);
		expect((await store.get('workspace', { id }))?.team).toEqual([]);
	});

	it.each([
		['the deployment’s caller number, if the workspace shows its own', OWN, DEPLOYED, DEPLOYED],
		['another number', null, DEPLOYED, OWN],
		['any number, if the deployment shows none', null, null, DEPLOYED],
	])('but %s can be', async (_, own, deployed, number) => {
		const { add } = await shopThatShows(own, deployed);
		expect(await add(number)).toHaveProperty('workspace');
	});
});
