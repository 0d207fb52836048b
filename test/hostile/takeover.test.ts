import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toldOfHandover } from '../../shared/domain/workspaces/handover.ts';
import { viewOf } from '../../shared/http/desk/kit/view.ts';
import { fingerprintFor } from '../../shared/http/desk/sections.ts';
import { todayWithNotes } from '../../shared/http/desk/today/today-with-notes.ts';
import type { Fields } from '../../shared/http/edge/form-fields.ts';
import { createApiKey } from '../../shared/use-cases/access/api-keys.ts';
import { captureLead } from '../../shared/use-cases/leads/capture-lead.ts';
import { findCallbackLink } from '../../shared/use-cases/leads/find-callback-link.ts';
import { SEED } from '../support/jest/seed.ts';
import { mailedDesks } from '../support/mailed-desk.ts';

// A thief who has an owner's session does everything that owners may do, in any order and as often as possible.

const IDA = 'ida@shop.example';
const MIA = 'mia@shop.example';
const DEV = 'dev@agency.example';
const TEAM = 'team@shop.example';
const HOUR_MS = 3_600_000;
/** How many mails a desk may send per day to addresses that have not agreed to its mails. */
const MOST_TO_STRANGERS = 20;
/** How many forms a person may send per minute. */
const MOST_FORMS = 120;
const PRIZE = 'Win a prize';
const isStranger = ({ to }: { readonly to: string }): boolean => to.endsWith('@evil.example');

type Act =
	| { readonly act: 'redirect' | 'invite' | 'remove' | 'demote'; readonly nth: number }
	/**
	 * `neighbour`: the thief owns an older shop, which invites an owner of this shop. `hammer`: the thief sends many forms in one
	 * second.
	 */
	| { readonly act: 'agree' | 'call_back' | 'make_key' | 'neighbour' | 'sign_in' | 'hammer' }
	/**
	 * Takes away the developer's rights. The form lists the first `shown` of the developer's two keys, and ticks the first
	 * `ticked`.
	 */
	| { readonly act: 'dismiss'; readonly how: 'remove' | 'demote'; readonly shown: number; readonly ticked: number }
	| { readonly act: 'wait'; readonly minutes: number };

const upTo = (max: number) => fc.nat({ max });
const anyAct = fc.oneof<fc.Arbitrary<Act>[]>(
	fc.record({ act: fc.constantFrom('redirect', 'invite', 'remove', 'demote'), nth: upTo(40) }),
	fc.record({ act: fc.constantFrom('agree', 'call_back', 'make_key', 'neighbour', 'sign_in', 'hammer') }),
	fc.record({ act: fc.constant('dismiss'), how: fc.constantFrom('remove', 'demote'), shown: upTo(2), ticked: upTo(2) }),
	fc.record({ act: fc.constant('wait'), minutes: fc.integer({ min: 1, max: 30 }) }),
);

async function attacked() {
	const desks = mailedDesks();
	const id = await desks.shop({ team_email: TEAM });
	for (const owner of [IDA, MIA]) await desks.join(id, owner);
	await desks.join(id, DEV, 'developer');
	const keys: string[] = [];
	for (const name of ['Booking', 'CRM']) {
		const made = await createApiKey(
			{ workspace_id: id, name, permissions: ['calls:read'], made_by: DEV },
			desks.rights,
		);
		if ('refused' in made) throw new Error(made.refused);
		keys.push(made.key.id);
	}
	const asked = await captureLead(
		{
			origin: 'https://shop.example',
			page_url: 'https://shop.example/',
			source_ip: '192.0.2.1',
			phone: '+12025550101',
			name: 'Ada',
			consent: true,
			workspace: await desks.saved(id),
		},
		desks.rights,
	);
	if (!('lead' in asked)) throw new Error(asked.refused);
	const link = (await desks.mailed()).flatMap((mail) => ('lead' in mail ? [mail.link.url] : []))[0] ?? '';
	const neighbour = await desks.shop({ name: PRIZE, language: 'de', team_email: 'eve@evil.example' });
	desks.now.ms += 2 * HOUR_MS;
	return { ...desks, id, neighbour, keys, lead_id: asked.lead.id, link: link.split('/').at(-1) ?? '' };
}
type Attacked = Awaited<ReturnType<typeof attacked>>;
type Mail = Awaited<ReturnType<Attacked['mailed']>>[number];

/** Who controls the desk: its owners, and the address for notifications. */
async function handsOf({ saved, id }: Attacked) {
	const { desk, team_email } = await saved(id);
	const owners = desk.flatMap(({ address, role }) => (role === 'owner' ? [address] : [])).sort();
	return { owners, team_email, told: [...toldOfHandover({ desk, team_email })].sort() };
}
type Hands = Awaited<ReturnType<typeof handsOf>>;
const isSame = (one: Hands, other: Hands) =>
	one.team_email === other.team_email && one.owners.join() === other.owners.join();

/** Sends a form with the session of Ida, or of another owner if Ida is no longer an owner. */
async function press(desks: Attacked, fields: Fields) {
	const { owners } = await handsOf(desks);
	const as = owners.find((address) => address === IDA) ?? owners[0] ?? '';
	const seen = fingerprintFor(fields, await desks.saved(desks.id));
	return desks.press(desks.id, as, { ...fields, ...(seen && { seen }), shown: `${desks.now.ms}` });
}

/**
 * Removes or demotes a developer. After that, each of the developer's keys must have ended, unless the form listed the key and
 * the person chose to keep it.
 */
async function dismiss({ how, shown, ticked }: Extract<Act, { readonly act: 'dismiss' }>, desks: Attacked) {
	const isDeveloper = (await desks.saved(desks.id)).desk.some(({ role }) => role === 'developer');
	const seen = desks.keys.slice(0, shown);
	const ended = desks.keys.slice(0, ticked);
	const ends = Object.fromEntries(ended.map((id) => [`ends_${id}`, 'yes']));
	const outcome = await press(desks, {
		...ends,
		...(how === 'remove' ? { action: 'person_removed' } : { action: 'person_invited', role: 'member' }),
		address: DEV,
		seen_credentials: seen.join(' '),
	});
	const keys = await Promise.all(desks.keys.map((id) => desks.rights.store.get('api_key', { id })));
	const live = keys.flatMap((key) => (key?.revoked_at === null ? [key.id] : []));
	if ('done' in outcome && isDeveloper)
		expect(live.filter((id) => !seen.includes(id) || ended.includes(id))).toEqual([]);
	return 'done' in outcome && isDeveloper ? `${how === 'remove' ? 'dismissed' : 'made a member'}` : outcome;
}

async function play(act: Act, desks: Attacked, links: readonly Mail[]): Promise<unknown> {
	switch (act.act) {
		case 'wait':
			desks.now.ms += act.minutes * 60_000;
			return;
		case 'agree':
			return desks.use(desks.id, links.at(-1));
		case 'redirect': {
			const team_email = `stranger-${act.nth}@evil.example`;
			return press(desks, { action: 'notices', team_email, tells_missed_calls: 'yes' });
		}
		case 'invite':
			return press(desks, { action: 'person_invited', address: `eve-${act.nth}@evil.example`, role: 'owner' });
		case 'remove':
			return press(desks, { action: 'person_removed', address: [MIA, IDA][act.nth % 2] ?? '' });
		case 'demote':
			return press(desks, { action: 'person_invited', address: [MIA, IDA][act.nth % 2] ?? '', role: 'member' });
		case 'call_back':
			for (let nth = 0; nth < 40; nth += 1)
				await press(desks, { action: 'lead_called', of: 'callback_lead', id: desks.lead_id });
			return;
		case 'dismiss':
			return dismiss(act, desks);
		case 'make_key':
			return makeKey(desks);
		case 'neighbour':
			return desks.invite(desks.neighbour, IDA, 'owner', 'eve@evil.example');
		case 'sign_in':
			return desks.signIn(IDA);
		case 'hammer':
			return hammer(desks);
	}
}

/** Creates an API key in the name of Ida, because the thief uses her session. */
async function makeKey({ id, rights, now }: Attacked) {
	const made = await createApiKey(
		{ workspace_id: id, name: 'Export', permissions: ['calls:read'], made_by: IDA },
		rights,
	);
	if ('refused' in made) throw new Error(made.refused);
	now.ms += 1;
}

async function hammer(desks: Attacked) {
	const atMs = desks.now.ms;
	let accepted = 0;
	for (let nth = 0; nth < 2 * MOST_FORMS; nth += 1) {
		const outcome = await press(desks, { action: 'paused', for: 'hour', nth: `${nth}` });
		if (!('refused' in outcome)) accepted += 1;
		desks.now.ms = atMs;
	}
	expect(accepted).toBeLessThanOrEqual(MOST_FORMS);
	desks.now.ms += 60_000;
	return 'hammered';
}

/**
 * If a shop has only invited a person, the person's sign-in mail must not contain the shop's name or any other text of the
 * shop.
 */
function lookAtSignIns(desks: Attacked, sent: readonly Mail[]): readonly string[] {
	const texts = sent.filter((mail) => 'reason' in mail && mail.reason === 'sign_in').map((mail) => desks.textOf(mail));
	for (const text of texts) expect(text).not.toMatch(new RegExp(`${PRIZE}|Melden Sie sich|eve@evil`));
	return texts.map(() => 'signs in');
}

/** A person who has taken the desk back must see each new key that still works. */
async function lookAtToday(desks: Attacked, as: string): Promise<void> {
	desks.now.ms += 1;
	const at = await desks.enter(desks.id, as);
	const { markup } = await todayWithNotes(viewOf(at, desks.now.ms), desks.deps);
	const keys = await desks.deps.store.list('api_key', desks.id, { from_id: null, before_id: null, limit: 100 });
	const made = keys.filter(({ name }) => name === 'Export').length;
	expect(markup.split('<bdi>Export</bdi>').length - 1).toBe(made);
}

/** Plays a takeover, checks each step, and lets a former owner take the desk back. Returns the names of what happened. */
async function takeover(acts: readonly Act[]): Promise<readonly string[]> {
	const desks = await attacked();
	const begunMs = desks.now.ms;
	const seen: string[] = [];
	const links: Mail[] = [];
	let before = await handsOf(desks);
	let untilMs = 0;
	let putBack: Mail | undefined;
	for (const act of acts) {
		const hands = await handsOf(desks);
		const outcome = await play(act, desks, links);
		if (typeof outcome === 'string') seen.push(outcome);
		const sent = await desks.mailed();
		seen.push(...lookAtSignIns(desks, sent));
		links.push(...sent.filter((mail) => 'desk_link' in mail && isStranger(mail)));
		// Mails about the neighbour's own desk are left out: its people are told about the new owner whom the thief invited
		// there.
		const told = sent.filter((mail) => 'handover' in mail && mail.workspace_name !== PRIZE);
		if (isSame(hands, await handsOf(desks))) {
			expect(told).toEqual([]);
			continue;
		}
		// Changes that follow one another within an hour form one series. The people who controlled the desk before the first
		// change of a series are told about every change in it.
		if (desks.now.ms >= untilMs) before = hands;
		untilMs = desks.now.ms + HOUR_MS;
		expect([act, told.map(({ to }) => to).sort()]).toEqual([act, before.told]);
		seen.push(act.act === 'agree' ? 'redirected' : act.act);
		putBack = told[0];
	}
	const days = Math.ceil((desks.now.ms - begunMs) / (24 * HOUR_MS)) + 1;
	expect(links.length).toBeLessThanOrEqual(MOST_TO_STRANGERS * days);
	if (links.length === MOST_TO_STRANGERS) seen.push('most mails to strangers');
	expect(await findCallbackLink(desks.link, desks.rights)).toHaveProperty('link');
	if (putBack === undefined || desks.now.ms >= untilMs) return seen;
	expect(await desks.use(desks.id, putBack)).toMatchObject({ served: 'put_back' });
	expect(isSame(before, await handsOf(desks))).toBe(true);
	await lookAtToday(desks, before.owners[0] ?? '');
	return [...seen, 'put back'];
}

/** Sequences that are always played, whatever the seed is. */
const PLAYED: readonly (readonly [readonly Act[]])[] = [
	[Array.from({ length: 30 }, (_, nth): Act => ({ act: 'redirect', nth }))],
	[
		[
			{ act: 'redirect', nth: 0 },
			{ act: 'agree' },
			{ act: 'invite', nth: 0 },
			{ act: 'agree' },
			{ act: 'wait', minutes: 30 },
			{ act: 'demote', nth: 0 },
			{ act: 'make_key' },
			{ act: 'hammer' },
			{ act: 'dismiss', how: 'demote', shown: 0, ticked: 0 },
			{ act: 'dismiss', how: 'demote', shown: 2, ticked: 1 },
			{ act: 'call_back' },
			{ act: 'wait', minutes: 30 },
			{ act: 'remove', nth: 1 },
		],
	],
	[[{ act: 'neighbour' }, { act: 'sign_in' }, { act: 'dismiss', how: 'remove', shown: 2, ticked: 2 }]],
];

it('a thief of an owner’s session can mail few strangers, and the real owners get a mail about each step and can undo all steps', async () => {
	const seen = new Set<string>();
	const acts = fc.array(anyAct, { maxLength: 25 });
	const property = fc.asyncProperty(acts, async (played) => {
		for (const kind of await takeover(played)) seen.add(kind);
	});
	const examples = PLAYED.map(([played]): [Act[]] => [[...played]]);
	await fc.assert(property, { numRuns: 40, seed: SEED, examples });
	expect([...seen].sort()).toEqual([
		'demote',
		'dismissed',
		'hammered',
		'invite',
		'made a member',
		'most mails to strangers',
		'put back',
		'redirected',
		'remove',
		'signs in',
	]);
});
