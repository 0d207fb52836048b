import { beforeEach, describe, expect, it } from '@jest/globals';
import { isHandover } from '../../../shared/domain/workspaces/handover.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { fingerprintFor } from '../../../shared/http/desk/sections.ts';
import { todayWithNotes } from '../../../shared/http/desk/today/today-with-notes.ts';
import type { Fields } from '../../../shared/http/edge/form-fields.ts';
import { createApiKey, revokeApiKey } from '../../../shared/use-cases/access/api-keys.ts';
import { changePeople } from '../../../shared/use-cases/desk/people.ts';
import { captureLead } from '../../../shared/use-cases/leads/capture-lead.ts';
import { tellOwners } from '../../../shared/use-cases/notices/secret-notice.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { mailedDesks } from '../../support/mailed-desk.ts';
import { samples } from '../../support/sample-records.ts';
import { always, put } from '../../support/writes.ts';

// Tests who gets mail about a desk, and what a former owner can do against a thief who has a session.

const IDA = 'ida@shop.example';
const MIA = 'mia@shop.example';
const TEAM = 'team@shop.example';
const EVE = 'eve@evil.example';
const HOUR_MS = 3_600_000;

let desks: ReturnType<typeof mailedDesks>;
let id: string;
beforeEach(async () => {
	desks = mailedDesks();
	id = await desks.shop({ team_email: TEAM });
	await desks.join(id, IDA);
	await desks.mailed();
	desks.now.ms += 2 * HOUR_MS;
});

const to = (mails: readonly { readonly to: string }[]) => mails.map((mail) => mail.to).sort();
async function notices(as: string, team_email: string) {
	const fields: Fields = { action: 'notices', team_email, tells_missed_calls: 'yes', shown: `${desks.now.ms}` };
	return desks.press(id, as, { ...fields, seen: fingerprintFor(fields, await desks.saved(id)) ?? '' });
}
const invites = (as: string, address: string, role = 'owner') =>
	desks.press(id, as, { action: 'person_invited', address, role, shown: `${desks.now.ms}` });
const removes = (as: string, address: string) =>
	desks.press(id, as, { action: 'person_removed', address, shown: `${desks.now.ms}` });
const owners = async () =>
	(await desks.saved(id)).desk.filter(({ role }) => role === 'owner').map(({ address }) => address);
async function leadMailedTo() {
	const workspace = await desks.saved(id);
	await captureLead(
		{
			origin: 'https://shop.example',
			page_url: 'https://shop.example/',
			phone: '+12025550101',
			name: 'Ada',
			consent: true,
			source_ip: '192.0.2.1',
			workspace,
		},
		desks.rights,
	);
	return to((await desks.mailed()).filter((mail) => 'lead' in mail));
}

describe('the address for notifications', () => {
	it('gets no notifications about visitors before the owner of its mailbox has agreed; until then, the previous address gets them', async () => {
		expect(await notices(IDA, EVE)).toEqual({ done: true });
		expect(await leadMailedTo()).toEqual([TEAM]);
	});

	it('is confirmed by a link in one mail, and the mail says who asks; agreeing moves the notifications to the address, once', async () => {
		await notices(IDA, EVE);
		const mails = await desks.mailed();
		expect(to(mails)).toEqual([EVE]);
		expect(mails[0]).toMatchObject({ reason: 'notices', invited: { by: IDA } });
		expect(desks.textOf(mails[0])).toContain('Nothing is sent here before you agree');
		expect(await desks.use(id, mails[0])).toMatchObject({ served: 'notices' });
		expect(await desks.saved(id)).toMatchObject({ team_email: EVE, team_email_asked: null });
		expect(await desks.use(id, mails[0])).toEqual({ refused: 'link_used' });
		expect(await leadMailedTo()).toEqual([EVE]);
	});

	it.each([
		['another shop', async () => desks.use(await desks.shop(), (await desks.mailed())[0]), 'link_not_valid'],
		['an address that was entered and replaced', afterReplacing, 'link_expired'],
		['three days ago', afterThreeDays, 'link_expired'],
	])('is not confirmed by a link of %s', async (_, use, refused) => {
		await notices(IDA, EVE);
		expect(await use()).toEqual({ refused });
		expect((await desks.saved(id)).team_email).toBe(TEAM);
	});
	async function afterReplacing() {
		const [mail] = await desks.mailed();
		await notices(IDA, 'other@evil.example');
		return desks.use(id, mail);
	}
	async function afterThreeDays() {
		const [mail] = await desks.mailed();
		desks.now.ms += 72 * HOUR_MS;
		return desks.use(id, mail);
	}

	it('counts as an invitation if it is a stranger’s, so a desk may ask at most 20 strangers a day', async () => {
		const outcomes = [];
		for (let nth = 0; nth < 30; nth += 1) {
			outcomes.push(await notices(IDA, `stranger-${nth}@evil.example`));
			desks.now.ms += 15 * 60_000;
		}
		expect(outcomes.filter((outcome) => 'done' in outcome)).toHaveLength(20);
		expect(outcomes.at(-1)).toEqual({ refused: 'desk_invited_enough' });
	});

	it('needs no confirmation if it is of a person who has opened the desk, but needs one if the person was only invited', async () => {
		await desks.invite(id, MIA, 'member', IDA);
		await desks.mailed();
		await notices(IDA, MIA);
		expect((await desks.saved(id)).team_email).toBe(TEAM);
		await desks.mailed();
		await desks.join(id, MIA, 'member');
		await notices(IDA, 'Mia@Shop.example');
		expect((await desks.saved(id)).team_email).toBe('Mia@Shop.example');
	});

	it('needs no confirmation if an operator sets it, which also ends an open confirmation; a stored address counts as confirmed', async () => {
		expect(await leadMailedTo()).toEqual([TEAM]);
		await notices(IDA, EVE);
		const [mail] = (await desks.mailed()).filter((each) => 'reason' in each);
		await changeWorkspace(id, { team_email: MIA }, desks.rights);
		expect(await desks.use(id, mail)).toEqual({ refused: 'link_expired' });
		expect((await desks.saved(id)).team_email).toBe(MIA);
	});
});

describe('a thief with an owner’s session', () => {
	it('causes a mail to those who were owners before and to the previous address, with a link that puts everything back within an hour', async () => {
		await notices(IDA, EVE);
		const [asked] = await desks.mailed();
		await desks.use(id, asked);
		const first = await desks.mailed();
		expect(to(first)).toEqual([IDA, TEAM]);
		await invites(IDA, EVE);
		const second = await desks.mailed();
		const toldOf = second.filter((mail) => 'handover' in mail);
		expect(to(toldOf)).toEqual([IDA, TEAM]);
		for (const part of [`${IDA}: invited ${EVE}`, 'Role: Owner']) expect(desks.textOf(toldOf[0])).toContain(part);
		await desks.use(
			id,
			second.find((mail) => mail.to === EVE),
		);
		await removes(EVE, IDA);
		const third = await desks.mailed();
		expect(to(third)).toEqual([IDA, TEAM]);
		expect(desks.textOf(third[0])).toContain(`${EVE}: removed ${IDA} from the desk`);
		expect(await owners()).toEqual([EVE]);
		const putBack = third.find((mail) => mail.to === IDA);
		expect(await desks.use(id, putBack)).toMatchObject({ served: 'put_back' });
		expect(await owners()).toEqual([IDA]);
		expect(await desks.saved(id)).toMatchObject({ team_email: TEAM, before_handover: null });
		expect(await desks.rights.store.desksOf(IDA)).toHaveLength(1);
		expect(await desks.rights.store.desksOf(EVE)).toEqual([]);
		expect(await leadMailedTo()).toEqual([TEAM]);
		for (const used of [putBack, third.find((mail) => mail.to === TEAM)])
			expect(await desks.use(id, used)).toMatchObject({ refused: 'link_used' });
	});

	it('leaves keys, endpoints and changes that the owner sees after putting the desk back, with links to remove them', async () => {
		const made = async (name: string, made_by?: string) => {
			const input = { workspace_id: id, name, permissions: ['calls:read'] as const, ...(made_by && { made_by }) };
			const key = await createApiKey(input, desks.rights);
			if ('refused' in key) throw new Error(key.refused);
			return key.key;
		};
		const today = async (as: string) => {
			const at = await desks.enter(id, as);
			return (await todayWithNotes(viewOf(at, desks.now.ms), desks.deps)).markup;
		};
		await made('From before');
		desks.now.ms += 25 * HOUR_MS;
		// The thief has the owner's cookie, so the key is made in the owner's name.
		await made('Export', IDA);
		const revoked = await made('Revoked', IDA);
		await revokeApiKey({ id: revoked.id, workspace_id: id }, desks.deps);
		const hook = { ...samples.webhook_endpoint, workspace_id: id, status: 'enabled', disabled_reason: null } as const;
		const created_at = new Date(desks.now.ms).toISOString();
		await desks.deps.store.commit([
			put('webhook_endpoint', { ...hook, url: 'https://evil.example/x?s=1', created_at }),
		]);
		expect(await notices(IDA, 'eve@evil.example')).toEqual({ done: true });
		await desks.press(id, IDA, { action: 'paused', for: 'hour', shown: 'x' });
		await desks.join(id, MIA, 'member');
		await invites(IDA, EVE);
		expect(await today(IDA)).not.toContain('evil.example');
		const [mail] = (await desks.mailed()).filter((each) => 'handover' in each);
		await desks.use(id, mail);
		desks.now.ms += 1000;
		await made('After', IDA);

		const markup = await today(IDA);
		expect(markup).toContain('This was made or changed in the 24 hours before');
		const links = [...markup.matchAll(/<a href="\.\.\/developers\/\w+">\S+( \S+)?: <bdi>([^<]*)<\/bdi>/g)].map(
			(each) => each[2],
		);
		expect(links).toEqual(['Export', 'evil.example/x']);
		expect(markup).toMatch(/invited <bdi>eve@evil\.example.*changed the notifications/s);
		for (const other of ['From before', 'Revoked', 'After', 'paused']) expect(markup).not.toContain(other);
		desks.now.ms += 24 * HOUR_MS;
		expect(await today(IDA)).not.toContain('evil.example');
	});

	it('leaves keys that owners see on Today, and members do not, because they may not remove keys', async () => {
		await desks.join(id, MIA, 'member');
		await createApiKey({ workspace_id: id, name: 'Export', permissions: ['calls:read'] }, desks.rights);
		await invites(IDA, EVE);
		const [mail] = (await desks.mailed()).filter((each) => 'handover' in each);
		await desks.use(id, mail);
		const shown = async (as: string) =>
			(await todayWithNotes(viewOf(await desks.enter(id, as), desks.now.ms), desks.deps)).markup.includes('Export');
		expect([await shown(IDA), await shown(MIA)]).toEqual([true, false]);
	});

	it('is signed out when the desk is put back, with everyone else', async () => {
		await invites(IDA, EVE);
		const [mail] = (await desks.mailed()).filter((each) => 'handover' in each);
		desks.now.ms += 1000;
		await desks.use(id, mail);
		const from = new Date(desks.now.ms).toISOString();
		expect((await desks.saved(id)).desk).toEqual([{ address: IDA, role: 'owner', sessions_from: from }]);
	});

	it('gets no link to put the desk back: an owner of less than an hour cannot undo being removed', async () => {
		await invites(IDA, EVE);
		const [invitation] = (await desks.mailed()).filter((mail) => 'reason' in mail);
		await desks.use(id, invitation);
		await removes(IDA, EVE);
		expect(to(await desks.mailed())).toEqual([IDA, TEAM]);
	});

	it('is stopped by the owner’s link only within an hour; a mail that arrives later has no link, and says to ask the operator', async () => {
		await invites(IDA, EVE);
		const [mail] = (await desks.mailed()).filter((each) => 'handover' in each);
		desks.now.ms += HOUR_MS;
		expect(await desks.use(id, mail)).toEqual({ refused: 'link_expired' });
		await invites(IDA, 'x@evil.example');
		desks.now.ms += HOUR_MS;
		const [late] = (await desks.mailed()).filter((each) => 'handover' in each);
		expect(late).toMatchObject({ put_back: null });
		expect(desks.textOf(late)).toContain('ask your operator at once');
	});

	it('cannot undo an operator’s change, which sends no mail and ends the chance to put the desk back', async () => {
		await invites(IDA, EVE);
		const [mail] = (await desks.mailed()).filter((each) => 'handover' in each);
		await changePeople(id, { change: 'remove', address: EVE }, desks.rights);
		expect(await desks.mailed()).toEqual([]);
		expect(await desks.use(id, mail)).toEqual({ refused: 'link_expired' });
	});

	it('cannot stay for ever: after the desk was put back once, nothing more can be put back for a day', async () => {
		await desks.join(id, MIA);
		desks.now.ms += 2 * HOUR_MS;
		await removes(IDA, MIA);
		const mails = await desks.mailed();
		expect(to(mails)).toEqual([IDA, MIA, TEAM]);
		await desks.use(
			id,
			mails.find((mail) => mail.to === MIA),
		);
		expect((await owners()).sort()).toEqual([IDA, MIA]);
		desks.now.ms += 1000;
		await removes(IDA, MIA);
		expect(await desks.mailed()).toMatchObject([{ put_back: null }, { put_back: null }, { put_back: null }]);
		// The mail to the team about the first handover has a link that was not used. This link is refused, too.
		const unused = mails.find((mail) => mail.to === TEAM);
		expect(await desks.use(id, unused)).toEqual({ refused: 'link_used' });
		expect(await owners()).toEqual([IDA]);
	});

	it.each([
		['a member is invited', () => invites(IDA, MIA, 'member'), false],
		['an owner becomes a member', () => demote(), true],
		['an owner leaves', async () => leave(), true],
		['sessions are ended', () => desks.press(id, IDA, { action: 'sessions_ended', shown: 'x' }), false],
		['missed calls are no longer announced', () => silence(), false],
	])(
		'causes a mail to those who were owners before only if the owners or the address change: %s',
		async (_, act, told) => {
			await desks.join(id, 'jo@shop.example');
			await act();
			expect((await desks.mailed()).some((mail) => 'handover' in mail)).toBe(told);
		},
	);
	const demote = () => invites(IDA, 'jo@shop.example', 'member');
	const leave = () => desks.press(id, 'jo@shop.example', { action: 'desk_left', shown: 'x' });
	async function silence() {
		const fields: Fields = { action: 'notices', team_email: TEAM, tells_missed_calls: '', shown: 'x' };
		return desks.press(id, IDA, { ...fields, seen: fingerprintFor(fields, await desks.saved(id)) ?? '' });
	}
});

describe('a mail with a link to sign in', () => {
	it('names the desk that the person has joined, and not another desk that has only invited the person', async () => {
		const neighbour = await desks.shop({ name: 'Win a prize', language: 'de', team_email: EVE });
		await desks.invite(neighbour, IDA, 'owner', EVE);
		await desks.mailed();
		await desks.signIn(IDA);
		const [mail] = await desks.mailed();
		expect(mail).toMatchObject({ workspace_name: 'Shop', team_email: TEAM, locale: { language: 'en' } });
		expect(desks.textOf(mail)).not.toContain('Win a prize');
	});

	it.each([
		['a person who has joined two desks', true],
		['a person who has only been invited', false],
	])('to %s names no desk and has no reply address', async (_, joins) => {
		const other = await desks.shop({ name: 'Other shop', team_email: EVE });
		const address = joins ? IDA : 'new@shop.example';
		if (joins) await desks.join(other, address);
		else await desks.invite(other, address, 'owner', EVE);
		await desks.mailed();
		desks.now.ms += HOUR_MS;
		await desks.signIn(address);
		const [mail] = await desks.mailed();
		expect(mail).toMatchObject({ workspace_name: '', team_email: null });
		expect(desks.textOf(mail)).not.toMatch(/Other shop|undefined|\{0\}/);
		expect(desks.textOf(mail)).toContain('Your link to sign in');
	});

	it('to a person who was stored before invitations existed names the desk', async () => {
		const stored = { address: MIA, role: 'owner', sessions_from: '' } as const;
		const shop = await desks.shop({ name: 'Old shop', desk: [stored] });
		await desks.rights.store.commit([put('desk_address', { address: MIA, workspace_id: shop }, always)]);
		await desks.signIn(MIA);
		expect(await desks.mailed()).toMatchObject([{ workspace_name: 'Old shop' }]);
	});

	it('also accepts an open invitation when its link is used', async () => {
		await desks.invite(id, MIA, 'member', IDA);
		await desks.mailed();
		expect((await desks.saved(id)).desk.at(-1)).toHaveProperty('invited_at');
		await desks.signIn(MIA);
		await desks.use(id, (await desks.mailed())[0]);
		expect((await desks.saved(id)).desk.at(-1)).toEqual({
			address: MIA,
			role: 'member',
			sessions_from: expect.any(String),
		});
	});
});

it('an owner who was only invited gets no mail about keys that others make', async () => {
	await desks.invite(id, EVE, 'owner', IDA);
	await desks.mailed();
	const workspace = await desks.saved(id);
	const told = tellOwners(workspace, { what: 'key_created', about: 'Win', by: IDA }, desks.rights);
	await createApiKey(
		{ workspace_id: id, name: 'Win', permissions: ['calls:read'] },
		{ ...desks.rights, keepResponse: () => told.writes },
	);
	await told.send();
	expect(to(await desks.mailed())).toEqual([IDA]);
});

it.each([
	['leaves', () => desks.press(id, IDA, { action: 'desk_left', shown: 'x' })],
	['removes herself', () => removes(IDA, IDA)],
	['becomes a member', () => invites(IDA, IDA, 'member')],
])(
	'an owner who %s is refused like the last owner while the only other owner has not opened the desk',
	async (_, act) => {
		await invites(IDA, MIA);
		const [invitation] = (await desks.mailed()).filter((mail) => 'reason' in mail);
		expect(await act()).toEqual({ refused: 'last_owner' });
		await desks.use(id, invitation);
		expect(await act()).not.toHaveProperty('refused');
		expect(await owners()).toEqual([MIA]);
	},
);

it('a person can leave the desk without an owner’s help, and the last owner cannot leave', async () => {
	await desks.join(id, MIA, 'member');
	const leave = (address: string) => desks.press(id, address, { action: 'desk_left', shown: 'x' });
	expect(await leave(MIA)).toEqual({ link: '../sign-in' });
	expect((await desks.saved(id)).desk.map(({ address }) => address)).toEqual([IDA]);
	expect(await leave(IDA)).toEqual({ refused: 'last_owner' });
	await desks.signIn(MIA);
	expect(await desks.mailed()).toEqual([]);
});

it('a handover is a change of owners or of the address, whatever the order in which the owners are stored', () => {
	const person = (address: string, role: 'owner' | 'member' = 'owner') => ({ address, role, sessions_from: '' });
	const before = { desk: [person(IDA), person(MIA)], team_email: TEAM };
	expect(isHandover(before, { ...before, desk: before.desk.toReversed() })).toBe(false);
	expect(isHandover(before, { ...before, desk: [...before.desk, person(EVE, 'member')] })).toBe(false);
	expect(isHandover(before, { ...before, desk: [person(IDA), person(MIA, 'member')] })).toBe(true);
	expect(isHandover(before, { ...before, desk: [person(IDA), person(EVE)] })).toBe(true);
	expect(isHandover(before, { ...before, team_email: null })).toBe(true);
});
