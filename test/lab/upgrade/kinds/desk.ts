import assert from 'node:assert/strict';
import { call } from '../../../support/stack/api.ts';
import { formsIn } from '../../../support/stack/forms-in-page.ts';
import { bearer } from '../../../support/webhooks/customers.ts';
import { API_KEY, type Shop, type Site } from '../around/site.ts';
import { type Held, holds, type NewKind } from './held.ts';

// Checks what a person has open at the desk while the stack changes: the session, forms, buttons that were pressed, secrets that
// were not read yet.

const PAGES = ['today', 'calls', 'numbers', 'hours', 'team', 'site', 'notices', 'people', 'log'];
const DEVELOPERS = ['webhooks', 'deliveries', 'keys'];

type Fields = Readonly<Record<string, string>>;

async function page(site: Site, { session }: Shop, name: string): Promise<string> {
	const { status, html } = await site.send(site.pageAt(name), session);
	assert.equal(status, 200, `the page ${name} answered ${status}`);
	return html;
}

/** The form for an action on a page, with its current values. */
async function formOf(site: Site, shop: Shop, name: string, action: string): Promise<Fields> {
	const form = formsIn(await page(site, shop, name)).find((fields) => fields['action'] === action);
	assert.ok(form !== undefined, `the page ${name} has no form for ${action}`);
	return form;
}

/** Sends a form. Returns the page to which the response redirects. */
async function saves(site: Site, { session }: Shop, name: string, fields: Fields): Promise<string> {
	const { status, headers, html } = await site.post(session, name, fields);
	assert.equal(status, 303, `${fields['action']} answered ${status} ${site.codeOf({ html }) ?? ''}`);
	return headers.get('location') ?? '';
}

/** Open forms. Each can be saved, although its page comes from the former release. */
async function openForms(site: Site, shop: Shop): Promise<Held> {
	const changes: readonly (readonly [string, string, Fields])[] = [
		['hours', 'hours', { when: 'always', holidays: '2027-12-25' }],
		['site', 'site', {}],
		['site?look', 'look', { accent: '#1c3d8f', greeting: 'Shall we ring you?' }],
		['site?consent', 'consent', { call: 'Call me now.', lead: 'Call me later.', covers: 'yes' }],
		['notices', 'notices', { tells_missed_calls: 'yes' }],
		['team', 'ringing', { ring_strategy: 'round_robin' }],
		['team', 'member_added', { member: 'Lea Roth', phone: '+12165550101' }],
		['webhooks', 'endpoint_created', { url: site.receivers.open('healthy'), description: 'By a form' }],
	];
	const open = await Promise.all(
		changes.map(async ([name, action, typed]) => ({
			name,
			fields: { ...(await formOf(site, shop, name, action)), ...typed },
		})),
	);
	return holds('forms that are open', async () => {
		for (const { name, fields } of open) await saves(site, shop, name, fields);
		const team = await page(site, shop, 'team');
		assert.ok(team.includes('Lea Roth'));
		assert.ok((await page(site, shop, 'site?look')).includes('Shall we ring you?'));
	});
}

/** An API key that was created, but whose page was not opened yet. */
async function newKey(site: Site, shop: Shop): Promise<readonly Held[]> {
	const form = { ...(await formOf(site, shop, 'keys', 'key_created')), key_name: 'Booking', 'calls:read': 'yes' };
	const location = await saves(site, shop, 'keys', form);
	const later = { ...(await formOf(site, shop, 'keys', 'key_created')), key_name: 'Later', 'calls:read': 'yes' };
	const works = async (where: string) => {
		const [key = ''] = API_KEY.exec(await page(site, shop, where)) ?? [];
		assert.equal((await call(site.stack().base_url, '/calls', { headers: bearer(key) })).status, 200);
		assert.ok(!API_KEY.test(await page(site, shop, where)), 'the key is shown twice');
	};
	return [
		holds('a form that is sent again, and its secret', async () => {
			assert.equal(await saves(site, shop, 'keys', form), location);
			await works(location);
		}),
		holds('a form for a key', async () => works(await saves(site, shop, 'keys', later))),
	];
}

/** Buttons that undo an action. */
async function undo(site: Site, shop: Shop): Promise<readonly Held[]> {
	const { id } = await site.ask(shop, 'callback-leads', site.number('01'), { name: 'Undone' });
	const handled = { ...(await formOf(site, shop, 'today', 'lead_handled')), id };
	const back = await saves(site, shop, 'today', handled);
	const reopen = await formOf(site, shop, back, 'lead_reopened');
	const forms = formsIn(await page(site, shop, 'team')).filter(({ action }) => action === 'member_removed');
	const removed = await saves(site, shop, 'team', forms.at(-1) ?? {});
	// Only the release 28086779 has a button that puts a removed member back.
	const putBack = formsIn(await page(site, shop, removed)).find(({ action }) => action === 'member_put_back');
	return [
		holds('a handled lead is put back', async () => {
			await saves(site, shop, 'today', reopen);
			assert.equal((await site.asServer(shop, `/callback-leads/${id}`)).json.data.status, 'pending');
		}),
		...(putBack === undefined
			? []
			: [
					holds('a removed member is put back', async () => {
						await saves(site, shop, 'team', putBack);
						assert.ok((await page(site, shop, 'team')).includes('Jonas Berg'));
					}),
				]),
	];
}

export const desk: NewKind = (site, shop) => {
	let own: Shop = shop;
	return {
		name: 'desk',
		async early() {
			own = await site.openShop(
				['Ida Wells:+13125550101', 'Jonas Berg:+14155550101'],
				['--language', 'tr', '--hours', 'mon-fri 09:00-17:00', '--hours', 'sat 22:00-02:00', '--holiday', '2027-01-01'],
			);
			const putBack = await undo(site, own);
			const held = [await openForms(site, own), ...(await newKey(site, own))];
			return [
				holds('a session, each page', async () => {
					for (const name of [...PAGES, ...DEVELOPERS]) await page(site, shop, name);
				}),
				// The checks run one after another, because some of them change the team.
				holds(
					`${held.map(({ what }) => what).join(', ')}; then ${putBack.map(({ what }) => what).join(', ')}`,
					async () => {
						for (const { check } of [...held, ...putBack]) await check();
					},
				),
			];
		},
	};
};
