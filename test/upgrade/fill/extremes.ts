import { formsIn } from '../../support/stack/forms-in-page.ts';
import type { Bench } from '../bench/bench.ts';
import type { Request } from '../bench/functions.ts';
import { COUNTRIES, SETTINGS, settingsOf, widestSettings } from './extreme-settings.ts';
import { api, form, type People, type Session, type Shop, visitor, widget } from './people.ts';

// Shops with extreme settings: in every language, with every text as long as possible, and with no setting at all.

/** In this many shops, every form of the desk is sent. In the others, only the forms that change settings are. */
const WHOLE_DESKS = 4;
const PAGES = [
	'today',
	'numbers',
	'hours',
	'team',
	'team?edit=m1',
	'site',
	'site?look',
	'site?consent',
	'notices',
	'people',
	'calls',
	'log',
];
const DEVELOPERS = ['webhooks', 'deliveries', 'keys'];
/** After one of these forms, the person or the session no longer exists. */
const AT_LAST = ['person_removed', 'sessions_ended', 'desk_left', 'signed_out'];

/** What a person types into each empty form. */
const typedFor = (origin: string, number: string): Readonly<Record<string, Readonly<Record<string, string>>>> => ({
	member_added: { member: 'Zoë Ünal', phone: `${number}7` },
	member_off: { back: '2026-12-31' },
	person_invited: { address: 'guest@extremes.example', role: 'developer' },
	endpoint_created: { url: `${origin.replace('https://', 'https://hooks.')}/200`, 'call.failed': 'yes' },
	key_created: { key_name: 'typed', 'calls:read': 'yes' },
	paused: { for: 'day' },
});

/** An open form of the desk, with the request that the browser will send. */
export type OpenForm = { readonly name: string; readonly action: string; readonly request: Request };
/** A shop, the forms that its people have open, and its owner's session. */
export type ExtremeShop = { readonly shop: Shop; readonly session: Session; readonly forms: readonly OpenForm[] };

export async function openExtremes(bench: Bench, people: People): Promise<readonly ExtremeShop[]> {
	const { ops, signIn, page, must, press } = people;
	async function open(name: string, origin: string, settings: readonly string[]) {
		const owner = `owner@${name}.example`;
		const about = ['--name', `Shop ${name}`, '--origin', origin, '--owner', owner, ...settings];
		const made = await ops('workspace', 'create', ...about);
		await bench.settle();
		const permitted = ['webhooks:read', 'webhooks:write'].flatMap((permission) => ['--permission', permission]);
		const key = await ops('api-key', 'create', '--workspace', made.id, '--name', 'server', ...permitted);
		const shop = { id: made.id, workspace_key: made.workspace_key, origin, api_key: key.secret ?? key.api_key };
		return { shop, session: await signIn(owner, made.id) };
	}
	/** The first form of each kind on the pages. `paths`: further pages, such as the one that follows a form. */
	async function formsOf(name: string, session: Session, typed: ReturnType<typeof typedFor>, paths: readonly string[]) {
		const found = new Map<string, OpenForm>();
		for (const path of [
			...PAGES.map((each) => `pages/${each}`),
			...DEVELOPERS.map((each) => `developers/${each}`),
			...paths,
		]) {
			for (const fields of formsIn((await page(session, path)).body)) {
				const { action = '' } = fields;
				const target = path.split('?')[0] ?? '';
				const request = form(`/v1/desk/${target}`, { ...fields, ...typed[action] }, session.cookie);
				if (action !== '' && !found.has(action)) found.set(action, { name: `${name}: ${action}`, action, request });
			}
		}
		return [...found.values()];
	}
	const all: ExtremeShop[] = [];
	for (const [n, country] of COUNTRIES.entries()) {
		const [language, , , number] = country;
		const origin = `https://${language}.example`;
		const { shop, session } = await open(language, origin, settingsOf(country, origin, n));
		if (n >= WHOLE_DESKS) {
			const forms = await formsOf(language, session, typedFor(origin, number), []);
			all.push({ shop, session, forms: forms.filter(({ action }) => SETTINGS.includes(action)) });
			continue;
		}
		const url = `https://${language}-hooks.example/500`;
		const endpoint = async (body: object): Promise<string> =>
			JSON.parse(
				(await must(api(shop, 'POST', '/webhook-endpoints', { events: ['callback.requested'], ...body }))).body,
			).data.id;
		const failing = await endpoint({ url });
		const disabled = await endpoint({ url: `${url}?off` });
		await must(api(shop, 'PATCH', `/webhook-endpoints/${disabled}`, { status: 'disabled' }));
		const leave = async () => {
			const sent = visitor(shop, people.nextNumber());
			const { body } = await must(widget(shop, 'POST', '/callback-leads', { ...sent, phone: `${number}${n + 4}` }));
			return JSON.parse(body).data.id as string;
		};
		const handled = await leave();
		// This lead stays unhandled.
		await leave();
		await bench.settle();
		const undoLead = await press(session, 'pages/today', 'lead_handled', {}, { id: handled });
		const undoMember = await press(session, 'pages/team', 'member_removed', {}, { member_id: 'm3' });
		await press(session, 'pages/team', 'member_off', { back: '2027-01-01' }, { member_id: 'm2' });
		await press(session, 'pages/people', 'person_invited', { address: `new@${language}.example`, role: 'member' });
		const after = [undoLead, undoMember].map(({ headers }) => `pages/${headers['location'] ?? ''}`);
		const forms = await formsOf(language, session, typedFor(origin, number), [
			'pages/today?leave',
			...after,
			...[failing, disabled].map((id) => `developers/webhooks?id=${id}`),
		]);
		// Each shop begins with another form, because a form that changes the team makes other open forms about the team invalid.
		const turn = n * 3;
		const first = forms.filter(({ action }) => !AT_LAST.includes(action));
		const last = forms.filter(({ action }) => AT_LAST.includes(action));
		all.push({ shop, session, forms: [...first.slice(turn), ...first.slice(0, turn), ...last] });
	}
	all.push(await widest());
	return all;

	async function widest(): Promise<ExtremeShop> {
		const origin = 'https://widest.example';
		const { shop, session } = await open('widest', origin, widestSettings('9999-12-31T23:59:59Z'));
		const forms = await formsOf('widest', session, typedFor(origin, '+1312555019'), []);
		return { shop, session, forms: forms.filter(({ action }) => SETTINGS.includes(action)) };
	}
}
