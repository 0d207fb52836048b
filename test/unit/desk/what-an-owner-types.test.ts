import { describe, expect, it } from '@jest/globals';
import { memberOwner } from '../../../shared/domain/kernel/phone-number.ts';
import { eventKinds } from '../../../shared/domain/webhooks/event.ts';
import { consentText } from '../../../shared/domain/workspaces/consent-text.ts';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import { whatToCheck } from '../../../shared/http/desk/kit/frame.ts';
import { refusedAddress, signInPage } from '../../../shared/http/desk/sign-in/sign-in-pages.ts';
import { deskTextsIn } from '../../../shared/presentation/desk-texts.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';

// Tests what owners may type, and how the desk responds to what it cannot read.

const { newShop, developedShop, pageAt, send, signIn, post, store, deps } = deskInMemory();
type Session = Awaited<ReturnType<typeof signIn>>;

/** Sends the form of a page after changing some of its fields. */
async function save(ida: Session, page: string, action: string, typed: Readonly<Record<string, string>>) {
	const form = formsIn((await send(pageAt(page), ida)).html).find((each) => each['action'] === action) ?? {};
	return post(ida, page, { ...form, ...typed });
}
async function shopIn(region: string, language: 'en' | 'de' | 'ar') {
	const allowed_regions = [region];
	const shop = await newShop(region, { allowed_regions, team: [] });
	await changeWorkspace(shop.id, { language }, deps);
	const current = async () => {
		const workspace = await store.get('workspace', { id: shop.id });
		if (workspace === null) throw new Error('the shop is gone');
		return workspace;
	};
	return { ...shop, ida: await signIn(shop.owner, shop.id), current };
}

it.each([
	['US', 'en', '(202) 555-0110', '+1********10'],
	['DE', 'de', '030 / 901 820', '+49******20'],
	['EG', 'ar', '٠٢ ٢٥٧٤ ٩٦٦٦', '+20*******66'],
] as const)(
	'a form in %s (%s) accepts a site without https, a date, and a phone number as people dial it in that region',
	async (region, language, phone, masked) => {
		const { ida, current, id, allowed_origin } = await shopIn(region, language);
		const saves = [
			await save(ida, 'site', 'site', {
				origins: `www.shop.example\r\nhttps://shop.example/cart\r\n${allowed_origin}`,
			}),
			await save(ida, 'hours', 'hours', { when: 'hours', holidays: '25.12.2026', holiday: '2026-12-24' }),
			await save(ida, 'team', 'member_added', { member: 'Mia', phone }),
		];
		expect(saves.map(({ status }) => status)).toEqual([303, 303, 303]);
		const { origins, business_hours, team } = await current();
		expect([origins, business_hours?.holidays, team.map(({ phone_masked }) => phone_masked)]).toEqual([
			['https://www.shop.example', 'https://shop.example', allowed_origin],
			['2026-12-24', '2026-12-25'],
			[masked],
		]);
		expect((await store.get('team_number', { owner: memberOwner(id, team[0]?.id ?? '') }))?.region).toBe(region);
	},
);

it.each([
	['site', 'site', { origins: 'shop.example\r\nhttp://my shop' }, 'origins', '“http://my shop” as the address'],
	['site', 'site', { name: '' }, 'name', 'Enter the name of the shop'],
	['site?consent', 'consent', { privacy_links: 'privacy page' }, 'privacy_links', 'begins with https'],
	['hours', 'hours', { when: 'hours', holidays: '2026-12-25\r\n31/02/2026' }, 'holidays', '“31/02/2026” as a date'],
	['hours', 'hours', { when: 'hours', holidays: '31.2.2027' }, 'holidays', '“31.2.2027” as a date'],
	['hours', 'hours', { when: 'hours', 'from-2-0': '09:30', 'to-2-0': '' }, 'to-2-0', 'Tuesday: enter when'],
	['hours', 'hours', { when: 'hours', 'from-2-0': '', 'to-2-0': '17:30' }, 'from-2-0', 'Tuesday: enter when'],
	['notices', 'notices', { team_email: 'info at shop' }, 'team_email', 'not an email address'],
	['people', 'person_invited', { address: 'mia', role: 'member' }, 'address', 'not an email address'],
	['people', 'person_invited', { address: '', role: 'member' }, 'address', 'Enter an email address.'],
	['people', 'person_invited', { address: ' ', role: 'member' }, 'address', 'Enter an email address.'],
	['team', 'member_off', { back: '2020-01-01' }, 'back', 'has begun already'],
	['team', 'member_off', { back: 'tomorrow' }, 'back', 'Choose a date'],
] as const)(
	'on the page %s, the form %s shows beside the field what is wrong with %j, and keeps it',
	async (page, action, typed, name, why) => {
		const shop = await newShop();
		const ida = await signIn(shop.owner, shop.id);
		const member = action === 'member_off' ? { member_id: 'm1' } : {};
		const { status, html } = await save(ida, page, action, { ...member, ...typed });
		expect([409, 422]).toContain(status);
		expect(new RegExp(`<p class="missed" id="${name}-wrong">([^<]*)</p>`).exec(html)?.[1]).toContain(why);
		expect(html.split(why)).toHaveLength(2);
		expect(html).toContain(`<a href="#${name}-wrong">This was not saved`);
		expect(html.match(/aria-invalid="true"/g)).toHaveLength(1);
		expect(html).toMatch(new RegExp(`name="${name}"[^>]* aria-describedby="[^"]*${name}-wrong" aria-invalid="true"`));
		// A page may have several forms with this action, such as one in each person's row. The form that was sent is the first
		// one that has all typed fields.
		const shown = formsIn(html).find(
			(form) => form['action'] === action && Object.keys(typed).every((key) => key in form),
		);
		expect(shown).toMatchObject(
			Object.fromEntries(Object.entries(typed).map(([key, value]) => [key, value.replaceAll('\r', '')])),
		);
	},
);

it('the consent is changed in each language of the widget, and the page stays at that language', async () => {
	const { ida, current } = await shopIn('DE', 'de');
	const formOf = (html: string) => formsIn(html).find(({ action }) => action === 'consent') ?? {};
	const show = async (language: string) => (await send(pageAt(`site?consent=${language}`), ida)).html;
	expect(formOf(await show('tlh'))['language']).toBe('de');
	const french = await show('fr');
	expect([formOf(french)['language'], french]).toEqual(['fr', expect.stringContaining('Auf Französisch. Leer')]);
	const privacy_links = 'https://shop.example/vie-privee';
	const answer = await post(ida, 'site', { ...formOf(french), call: 'Oui.', privacy_links });
	const where = 'site?consent=fr&saved=consent#said';
	expect([answer.status, answer.headers.get('location')]).toEqual([303, where]);
	expect(await current()).toMatchObject({
		consent_texts: { fr: { call: 'Oui.' } },
		privacy_links: { fr: privacy_links },
	});
	expect(formOf(await show('fr'))).toMatchObject({ call: 'Oui.', lead: '', privacy_links });
	const covers = await post(ida, 'site', { ...formOf(await show('fr')), covers: 'yes' });
	expect([covers.status, formOf(await show('fr'))['covers']]).toEqual([303, 'yes']);
	expect((await current()).call_back_texts).toEqual([consentText(await current(), 'fr', 'call').id]);
	const none = await post(ida, 'site', { ...formOf(await show('nl')), covers: 'yes' });
	expect([none.status, (await current()).call_back_texts?.length]).toEqual([303, 1]);
	// The texts of another language are a separate form. It is not refused because the French form was changed, and it does not
	// change the French texts.
	const spanish = await post(ida, 'site?consent=es', { ...formOf(await show('es')), lead: 'Sí.' });
	expect(spanish.status).toBe(303);
	const late = await post(ida, 'site', { ...formOf(french), call: 'Non.' });
	expect([late.status, formOf(late.html)]).toEqual([409, expect.objectContaining({ language: 'fr', call: 'Oui.' })]);
	expect((await current()).consent_texts).toEqual({ fr: { call: 'Oui.' }, es: { lead: 'Sí.' } });
});

describe('a site that a form leaves out', () => {
	const asksOf = (html: string) => /id="origins-wrong">([^<]*)</.exec(html)?.[1];
	const formIn = (html: string) => formsIn(html).find(({ action }) => action === 'site') ?? {};

	it('causes one question: pressing the button again removes that site, and asks about the next site', async () => {
		const { ida, current, allowed_origin } = await shopIn('US', 'en');
		const more = 'https://shop.example';
		const other = 'https://other.example';
		const all = [allowed_origin, more, other];
		await save(ida, 'site', 'site', { origins: all.join('\n') });
		const asked = await save(ida, 'site', 'site', { origins: [allowed_origin, other].join('\n') });
		expect([asked.status, asksOf(asked.html)]).toEqual([
			409,
			'The widget then stops working on https://shop.example. Press “Save” again to remove it.',
		]);
		expect((await current()).origins).toEqual(all);
		const again = await post(ida, 'site', { ...formIn(asked.html), origins: allowed_origin });
		expect([again.status, asksOf(again.html)]).toEqual([
			409,
			expect.stringContaining('on https://shop.example https://other.example.'),
		]);
		expect((await post(ida, 'site', formIn(again.html))).status).toBe(303);
		expect((await current()).origins).toEqual([allowed_origin]);
	});

	it('and that is the last one closes the shop, and the question says so first', async () => {
		const { ida, current, allowed_origin } = await shopIn('US', 'en');
		const asked = await save(ida, 'site', 'site', { origins: '' });
		expect([asked.status, asksOf(asked.html)]).toEqual([409, expect.stringContaining('This closes the shop')]);
		expect((await current()).origins).toEqual([allowed_origin]);
		const kept = await post(ida, 'site', { ...formIn(asked.html), origins: allowed_origin, name: 'Kept' });
		expect([kept.status, (await current()).origins]).toEqual([303, [allowed_origin]]);
		const again = await save(ida, 'site', 'site', { origins: '' });
		expect((await post(ida, 'site', formIn(again.html))).status).toBe(303);
		expect((await current()).origins).toEqual([]);
	});

	it('and that is replaced closes nothing, and the question does not speak of closing', async () => {
		const { ida, current, allowed_origin } = await shopIn('US', 'en');
		const asked = await save(ida, 'site', 'site', { origins: 'https://new.example' });
		expect([asked.status, asksOf(asked.html)]).toEqual([
			409,
			`The widget then stops working on ${allowed_origin}. Press “Save” again to remove it.`,
		]);
		expect((await post(ida, 'site', formIn(asked.html))).status).toBe(303);
		expect((await current()).origins).toEqual(['https://new.example']);
	});

	it('causes no question if something else is wrong, or if another person has changed the sites', async () => {
		const { ida, id, current } = await shopIn('US', 'en');
		const wrong = await save(ida, 'site', 'site', { name: ' ', origins: '' });
		expect([wrong.status, formIn(wrong.html)['removes']]).toEqual([422, undefined]);
		const form = formIn((await send(pageAt('site'), ida)).html);
		const origins = ['https://shop.example'];
		await changeWorkspace(id, { origins }, deps);
		const late = await post(ida, 'site', { ...form, origins: '' });
		expect([late.status, formIn(late.html)['removes']]).toEqual([409, undefined]);
		expect((await current()).origins).toEqual(origins);
	});
});

it('a week without an opening gets an error beside the choice of the hours; an invalid number is not shown again', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const form = formsIn((await send(pageAt('hours'), ida)).html).find(({ action }) => action === 'hours') ?? {};
	const none = Object.fromEntries(Object.entries(form).filter(([name]) => !/^(from|to|open)-/.test(name)));
	const empty = await post(ida, 'hours', { ...none, when: 'hours' });
	expect([empty.status, empty.html]).toEqual([422, expect.stringContaining('id="weekly-wrong">Enter the times of at')]);
	const refused = await save(ida, 'team', 'member_added', { member: 'Jonas <b>', phone: '(202) 555-01' });
	expect([refused.status, refused.html]).toEqual([
		409,
		expect.stringContaining('id="phone-wrong">This number isn’t complete'),
	]);
	expect([refused.html.includes('555-01'), refused.html.includes('Jonas &lt;b&gt;')]).toEqual([false, true]);
});

it.each(['', ' '])('the form of a new member asks for the number if it is %j, and keeps the name', async (phone) => {
	const shop = await newShop();
	const { status, html } = await save(await signIn(shop.owner, shop.id), 'team', 'member_added', {
		member: 'Mia',
		phone,
	});
	expect([status, /id="phone-wrong">([^<]*)</.exec(html)?.[1]]).toEqual([422, 'Enter a phone number.']);
	expect(formsIn(html).find(({ action }) => action === 'member_added')).toMatchObject({ member: 'Mia' });
});

describe('the form that asks for a link to sign in', () => {
	const request = { headers: { 'accept-language': 'en' } };

	it.each([
		['', 'Enter an email address.'],
		['  ', 'Enter an email address.'],
		['mia', 'This is not an email address. Write it as in info@shop.example.'],
	])('says beside the field what is wrong with %j, and keeps it', (address, words) => {
		const { statusCode, body = '' } = refusedAddress(request, address) ?? {};
		expect([statusCode, /id="address-wrong">([^<]*)</.exec(body)?.[1]]).toEqual([422, words]);
		expect(body).toContain(`aria-describedby="hint address-wrong" aria-invalid="true" autofocus value="${address}"`);
	});

	it('is not checked by the browser, and accepts each mail address', () => {
		expect(signInPage(request).body).toContain('class="card" novalidate>');
		expect(refusedAddress(request, ' mia@shop.example ')).toBeNull();
	});
});

describe('a form with several wrong fields', () => {
	const wrongIn = (html: string) =>
		[...html.matchAll(/id="([^"]*)-wrong">([^<]*)/g)].map(([, name, words]) => [name, words]);

	it('of a new API key says what is wrong beside each of them, leads to the first one, and names all', async () => {
		const { dev } = await developedShop();
		const { status, html } = await save(dev, 'keys', 'key_created', { key_name: '' });
		expect([status, wrongIn(html)]).toEqual([
			422,
			[
				['key_name', 'Enter a name.'],
				['permissions', 'Choose at least one permission.'],
			],
		]);
		expect(html).toContain(
			'<a href="#key_name-wrong">This was not saved: please check “Name of the key”, “Permissions”.</a>',
		);
		expect([html.match(/aria-invalid="true"/g)?.length, html.match(/ autofocus/g)?.length]).toEqual([2, 1]);
	});

	it('of a new endpoint says what is wrong beside each of them, also with its headers', async () => {
		const { dev } = await developedShop();
		const none = Object.fromEntries(eventKinds.map((kind) => [kind, '']));
		const typed = { ...none, url: '', headers: 'Host: x', description: 'x'.repeat(201) };
		const { html } = await save(dev, 'webhooks', 'endpoint_created', typed);
		expect(wrongIn(html).map(([name]) => name)).toEqual(['url', 'description', 'events', 'headers']);
		expect(html).toContain('“Host” is set by us');
	});

	it('of the site says what is wrong beside each of them', async () => {
		const shop = await newShop();
		const ida = await signIn(shop.owner, shop.id);
		const { html } = await save(ida, 'site', 'site', { name: '', origins: 'my shop\nyour shop' });
		expect(wrongIn(html)).toEqual([
			['name', 'Enter the name of the shop.'],
			['origins', expect.stringContaining('“my shop”')],
		]);
	});

	it('of the opening hours says it beside each day', async () => {
		const shop = await newShop();
		const ida = await signIn(shop.owner, shop.id);
		const typed = { when: 'hours', 'to-1-0': '', 'from-2-0': '', holidays: '31.2.2027' };
		const { html } = await save(ida, 'hours', 'hours', typed);
		expect(wrongIn(html).map(([name]) => name)).toEqual(['to-1-0', 'from-2-0', 'holidays']);
	});

	it.each(languages)('names each field in quotation marks of its own: %s', (language) => {
		const words = whatToCheck(['A', 'B'], deskTextsIn(language));
		expect(words).toMatch(/[“„«]\s?A\s?[”“»], [“„«]\s?B\s?[”“»]/);
		expect(words).not.toContain('{0}');
	});
});
