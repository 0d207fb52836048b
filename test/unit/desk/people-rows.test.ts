import { expect, it } from '@jest/globals';
import { operatorAt } from '../../support/operator.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';

// Tests what an owner can do with a person in that person's row.

const { newShop, signIn, send, pageAt, post, store, invite, deps } = deskInMemory();
const MIA = 'mia@shop.example';

async function shopWithMia() {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const show = async () => (await send(pageAt('people'), ida)).html;
	const formOf = async (action: string, address: string) =>
		formsIn(await show()).find((form) => form['action'] === action && form['address'] === address);
	const desk = async () => (await store.get('workspace', { id: shop.id }))?.desk ?? [];
	const roleOf = async (address: string) => (await desk()).find((each) => each.address === address)?.role;
	await post(ida, 'people', { action: 'person_invited', address: MIA, role: 'member' });
	return { ...shop, ida, show, formOf, roleOf, desk };
}

it('an unused invitation can be sent again with its role, or withdrawn', async () => {
	const { ida, show, formOf, roleOf } = await shopWithMia();
	expect((await show()).match(/Send the invitation again</g)).toHaveLength(1);
	const again = await formOf('person_invited', MIA);
	expect(again).toMatchObject({ role: 'member' });
	expect([(await post(ida, 'people', { ...again })).status, await roleOf(MIA)]).toEqual([303, 'member']);
	const html = await show();
	expect(html).toMatch(/Take the invitation back …<\/summary><p class="soft">The link in the email then opens nothing/);
	const back = await formOf('person_removed', MIA);
	expect([(await post(ida, 'people', { ...back })).status, await roleOf(MIA)]).toEqual([303, undefined]);
});

it('a role is changed in its row, and the last owner stays an owner', async () => {
	const { ida, id, owner, show, roleOf } = await shopWithMia();
	await invite(id, 'jo@shop.example', 'member');
	const formFor = async (address: string) =>
		formsIn(await show())
			.filter((form) => form['action'] === 'person_invited' && form['address'] === address)
			.at(-1) ?? {};
	const answer = await post(ida, 'people', { ...(await formFor('jo@shop.example')), role: 'developer' });
	expect([answer.status, await roleOf('jo@shop.example')]).toEqual([303, 'developer']);
	const own = await formFor(owner);
	expect(own).toMatchObject({ role: 'owner' });
	const last = await post(ida, 'people', { ...own, role: 'member' });
	expect([last.status, await roleOf(owner)]).toEqual([409, 'owner']);
	expect(last.html).toContain('A desk needs an owner.');
});

it('a desk has at most 20 people; a person of a full desk may still get another role', async () => {
	const { id, owner } = await newShop();
	const ida = await signIn(owner, id);
	const desk = async () => (await store.get('workspace', { id }))?.desk ?? [];
	const some = (nth: number) => `person-${nth}@shop.example`;
	const give = (role: string, nth: number) =>
		post(ida, 'people', { action: 'person_invited', address: some(nth), role });
	for (let nth = (await desk()).length; nth < 20; nth += 1) await invite(id, some(nth), 'member');
	expect([(await give('member', 20)).status, (await desk()).length]).toEqual([409, 20]);
	expect([(await give('developer', 19)).status, (await desk()).length]).toEqual([303, 20]);
	expect((await desk()).find(({ address }) => address === some(19))?.role).toBe('developer');
});

it('the form that adds to a list stands behind a button, is open for an empty list, and stays open when it is refused', async () => {
	const { ida } = await shopWithMia();
	const { html: people } = await send(pageAt('people'), ida);
	const cancel = '</button> <a class="button quiet" href="people">Cancel</a>';
	expect(people).toContain(cancel);
	expect(people).toMatch(/<details class="add"><summary class="button">Invite a person<\/summary><form/);
	const refused = await post(ida, 'people', { action: 'person_invited', address: 'mia@', role: 'member' });
	expect(refused.html).toMatch(/<details class="add" open>.*value="mia@"/s);
	expect(refused.html).toContain(cancel);
	const empty = await newShop('US', { team: [] });
	const { html: team } = await send(pageAt('team'), await signIn(empty.owner, empty.id));
	expect(team).toMatch(/<h2>Add a member<\/h2><form/);
	expect(team).not.toContain('class="add"');
	expect(team).not.toContain('>Cancel<');
});

it('the pages Team and People each say what they are for, and link to each other', async () => {
	const { ida } = await shopWithMia();
	expect((await send(pageAt('team'), ida)).html).toContain('under <a href="people">People</a>.');
	expect((await send(pageAt('people'), ida)).html).toContain('under <a href="team">Team</a>.');
});

it('a person is invited with a name, the row shows it above the address, and it is changed or removed in the row', async () => {
	const { ida, show, formOf, desk } = await shopWithMia();
	const note = (html: string) => /role="status"><p>(.*?)<\/p>/.exec(html)?.[1]?.replaceAll(/<[^>]+>/g, '');
	const ZOE = 'zoe@shop.example';
	const nameOf = async () => (await desk()).find(({ address }) => address === ZOE)?.name;
	const invited = await post(ida, 'people', {
		action: 'person_invited',
		address: ZOE,
		role: 'member',
		member: '\u202eZoë\u0000 <b>\nWells',
	});
	const { html } = await send(pageAt(invited.headers.get('location') ?? ''), ida);
	expect(await nameOf()).toBe('Zoë <b> Wells');
	expect(note(html)).toBe('Zoë &lt;b&gt; Wells was invited; the mail is on its way.');
	expect(html).toContain('<strong><bdi>Zoë &lt;b&gt; Wells</bdi></strong> <span class="soft"><bdi dir="ltr">zoe@');
	// An invitation that is sent again, also by a page of the former release, keeps the name.
	const again = await formOf('person_invited', ZOE);
	expect(again).not.toHaveProperty('member');
	await post(ida, 'people', { ...again });
	expect(await nameOf()).toBe('Zoë <b> Wells');
	const before = await desk();
	const form = await formOf('person_renamed', ZOE);
	expect(form).toMatchObject({ member: 'Zoë <b> Wells' });
	const renamed = await post(ida, 'people', { ...form, member: 'زوي' });
	expect(note((await send(pageAt(renamed.headers.get('location') ?? ''), ida)).html)).toBe('زوي: the name is saved.');
	// Nothing but the name has changed.
	expect(await desk()).toEqual(before.map((each) => (each.address === ZOE ? { ...each, name: 'زوي' } : each)));
	expect((await post(ida, 'people', { ...form, member: 'W'.repeat(41) })).status).toBe(422);
	expect((await post(ida, 'people', { ...form, member: ' \u200b' })).status).toBe(303);
	expect((await desk()).find(({ address }) => address === ZOE)).not.toHaveProperty('name');
	expect((await post(ida, 'people', { ...form, address: 'nobody@shop.example' })).status).toBe(409);
	expect(await show()).not.toContain('زوي');
});

it('an operator invites a person with a name, which an invitation without a name keeps, and the list has it', async () => {
	const { id, show, desk } = await shopWithMia();
	const ops = operatorAt({ ...deps, mail_sender: null });
	const invites = (...more: readonly string[]) =>
		ops('desk', 'invite', '--workspace', id, '--address', MIA, '--role', 'member', ...more);
	const nameOf = async () => (await desk()).find(({ address }) => address === MIA)?.name;
	expect((await invites('--name', ' Mia \u202eKlein\n')).code).toBe(0);
	expect([await nameOf(), (await invites()).code, await nameOf()]).toEqual(['Mia Klein', 0, 'Mia Klein']);
	expect(await show()).toContain('<strong><bdi>Mia Klein</bdi></strong>');
	const { out } = await ops('desk', 'list', '--workspace', id);
	expect(JSON.parse(out)).toContainEqual({ address: MIA, role: 'member', name: 'Mia Klein' });
	const long = await invites('--name', 'M'.repeat(41));
	expect([long.code, long.err]).toEqual([1, '--name: at most 40 characters']);
	expect(await nameOf()).toBe('Mia Klein');
});

it('a label says that a name may stay empty, and the label of an address does not', async () => {
	const { show } = await shopWithMia();
	const html = await show();
	expect(html).toContain('<label for="member">Name (optional)</label>');
	expect(html).toContain('<label for="address">Email address</label>');
});
