import type { Bench } from '../bench/bench.ts';
import type { PastCalls } from './calls.ts';
import type { Leads } from './leads.ts';
import { form, type People, type Session } from './people.ts';
import type { Shops } from './shops.ts';
import type { Endpoints } from './webhooks.ts';

/** Signs people in at the desk, where they change settings. */
export async function openDesk(bench: Bench, people: People, { full }: Shops) {
	const { ops, signIn, press } = people;
	for (const role of ['owner', 'member', 'developer']) {
		await ops('desk', 'invite', '--workspace', full.id, '--address', `${role}@shop.example`, '--role', role);
	}
	await bench.settle();
	const owner = await signIn('owner@shop.example', full.id);
	const member = await signIn('member@shop.example', full.id);
	const developer = await signIn('developer@shop.example', full.id, 'developers/keys');
	// Two members are removed, one of them while away, and another member is away.
	await press(owner, 'pages/team', 'member_off', { back: '2026-12-24' }, { member_id: 'm3' });
	for (const member_id of ['m3', 'm4']) await press(owner, 'pages/team', 'member_removed', {}, { member_id });
	await press(owner, 'pages/team', 'member_off', { back: '2026-12-20' }, { member_id: 'm2' });
	return { owner, member, developer };
}
export type Desk = Awaited<ReturnType<typeof openDesk>>;

/** What the team does at the desk after calls and leads: it requests and uses links, and marks leads and calls as handled. */
export async function workAtDesk(bench: Bench, people: People, desk: Desk, calls: PastCalls, old: Leads) {
	const { press, phone, must } = people;
	const { owner, member, developer } = desk;
	await press(member, 'pages/today', 'lead_handled', {}, { id: calls.missedAgain.id });
	await press(member, 'pages/today', 'lead_handled', {}, { id: old.handled.id });
	// The first call back to the lead is not answered, so the member presses the button again. The lead then has a used link and
	// a second one.
	for (let time = 0; time < 2; time += 1) {
		const { id } = await callBack(member, old.called.id, 'callback_lead');
		if (time === 0) await people.miss(id);
	}
	const { id: of_missed } = await callBack(member, calls.missed.id, 'call');
	await people.miss(of_missed);
	const tested = await press(owner, 'pages/team', 'test_called', {}, { member_id: 'm1' });
	await bench.settle();
	const test = bench.phones.dials.at(-1);
	if (test === undefined || tested.status !== 303) throw new Error('no test call');
	await phone(test).ends('no_answer');
	await press(developer, 'developers/keys', 'key_created', { key_name: 'from the desk', 'calls:read': 'yes' });
	const url = 'https://desk-made.example/200';
	await press(developer, 'developers/webhooks', 'endpoint_created', { url, 'call.failed': 'yes' });
	await bench.settle();

	async function callBack(session: Session, id: string, of: string) {
		const pressed = await press(session, 'pages/today', 'lead_called', {}, of === 'call' ? { id, of } : { id });
		const link = new URL(pressed.headers['location'] ?? '', 'https://api.example/v1/desk/pages/').pathname;
		const { body } = await must({ method: 'GET', path: link });
		const phoneValue = /name="phone" value="([^"]+)"/.exec(body)?.[1] ?? '';
		await must(form(link, { phone: phoneValue }));
		await bench.settle();
		const dial = bench.phones.dials.at(-1);
		if (dial === undefined) throw new Error('no call back');
		return { id: dial.call_id, link };
	}
}

/** Makes what people have open in the browser or in their mailbox when the snapshot is made. */
export async function openPages(
	bench: Bench,
	people: People,
	shops: Shops,
	desk: Desk,
	endpoints: Endpoints,
	calls: PastCalls,
	old: Leads,
) {
	const { press, formOn, must, ops, mailedLink } = people;
	const { full } = shops;
	const { owner, member, developer } = desk;
	// Mailed links that were not used yet: to a desk, and for calling back a lead and missed calls.
	await ops('desk', 'invite', '--workspace', full.id, '--address', 'invited@shop.example', '--role', 'member');
	await ops('desk', 'invite', '--workspace', shops.usual.id, '--address', 'owner@usual.example', '--role', 'owner');
	const asked = await must(form('/v1/desk/sign-in', { address: 'owner@plain.example' }));
	const [asking] = (asked.cookies[0] ?? '').split(';');
	await bench.settle();
	// The mail service refuses this mail for now.
	bench.mailbox.throttle(true);
	await must(form('/v1/desk/sign-in', { address: 'developer@shop.example' }));
	await bench.settle();
	bench.mailbox.throttle(false);
	await bench.pass(5000);
	const open = async (session: Session, path: string, action: string, typed: Record<string, string> = {}, holds = {}) =>
		form(`/v1/desk/${path}`, { ...(await formOn(session, path, action, holds)), ...typed }, session.cookie);
	const forms = {
		hours: await open(owner, 'pages/hours', 'hours', { holidays: '12/25/2026\n12/26/2026' }),
		look: await open(owner, 'pages/site?look', 'look', { greeting: 'Good day!' }),
		notices: await open(owner, 'pages/notices', 'notices', { team_email: 'all@shop.example' }),
		member_on: await open(owner, 'pages/team', 'member_on', {}, { member_id: 'm2' }),
		paused: await open(member, 'pages/today', 'paused', { for: 'hour' }),
		lead_dismissed: await open(member, 'pages/today', 'lead_dismissed', {}, { id: old.bare.id }),
		endpoint_changed: await open(developer, `developers/webhooks?id=${endpoints.rotated.id}`, 'endpoint_changed', {
			description: 'changed in an open page',
		}),
	};
	// A new signing secret, which the next page shows once.
	const rotated = await press(developer, `developers/webhooks?id=${endpoints.good.id}`, 'secret_rotated');
	await press(owner, 'pages/people', 'person_invited', { address: 'second@shop.example', role: 'member' });
	const usual_owner = await people.signIn('owner@usual.example', shops.usual.id);
	const pressed = await press(member, 'pages/today', 'lead_called', {}, { id: calls.keyed_id, of: 'call' });
	const links = {
		invitation: mailedLink('desk/links', 'invited@shop.example'),
		sign_in: mailedLink('desk/links', 'owner@plain.example'),
		lead: mailedLink('callback-links', 'team@shop.example'),
		missed: new URL(pressed.headers['location'] ?? '', 'https://api.example/v1/desk/pages/').pathname,
	};
	const phoneOn = async (path: string): Promise<string> =>
		/name="phone" value="([^"]+)"/.exec((await must({ method: 'GET', path })).body)?.[1] ?? '';
	return {
		usual_owner,
		asking,
		phones: { lead: await phoneOn(links.lead), missed: await phoneOn(links.missed) },
		forms,
		shown_once: new URL(rotated.headers['location'] ?? '', 'https://api.example/v1/desk/developers/').href,
		links,
	};
}
