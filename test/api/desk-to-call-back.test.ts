import { expect, it } from '@jest/globals';
import { consentText, PLAIN_CONSENT } from '../../shared/domain/workspaces/consent-text.ts';
import { call, eventually, visitorBody } from '../support/stack/api.ts';
import { deskForms, deskShops } from '../support/stack/desk-shops.ts';
import { formsIn } from '../support/stack/forms-in-page.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';

const stack = suiteStack();

const shops = deskShops(() => stack);
const { newShop, linkTo, leaveNumber } = shops;
const { desk, send, signIn, post } = deskForms(() => stack, { linkTo });
type Session = Awaited<ReturnType<typeof signIn>>;

const today = async ({ cookie }: Session): Promise<string> => (await send(desk('pages/today'), { cookie })).html;
const toCallBack = async (session: Session): Promise<string> =>
	/<h2>To call back<\/h2>(.*?)<h2>/s.exec(await today(session))?.[1] ?? '';
/** Presses the only button for this action. Returns the page to which it leads. */
async function press(session: Session, action: string): Promise<string> {
	const [form] = formsIn(await today(session)).filter((fields) => fields['action'] === action);
	if (form === undefined) throw new Error(`no button: ${action}`);
	const { headers } = await post(session, 'today', form);
	return new URL(headers.get('location') ?? '', desk('pages/today')).href;
}
/** Confirms the call back on the page of a one-time link. Returns the page that follows. */
async function ringMe(link: string, { cookie }: Session): Promise<string> {
	const { html } = await send(link, { cookie });
	const [, phone = ''] = /name="phone" value="(\w+)"/.exec(html) ?? [];
	return (await send(link, { cookie, fields: { phone } })).html;
}

it('a callback request whose visitor was not reached stays in the list with a button that calls back again, and the page of the call links back to the list', async () => {
	const shop = await newShop();
	await leaveNumber(shop, '+12125550103', 'Grace');
	const mia = await signIn(shop.member, shop.id);
	const page = await ringMe(await press(mia, 'lead_called'), mia);
	expect(page).toContain('<a class="button" href="../desk/pages/today">Back to the list</a>');
	const card = await eventually('the card says how the callback ended', async () => {
		const waits = await toCallBack(mia);
		return waits.includes('>No answer<') ? waits : null;
	});
	expect(card).toMatch(
		/↩ <time datetime="[^"]+">[^<]+<\/time>: <span class="chip">No answer<\/span><span class="soft extra"> · <bdi>Ida Wells/,
	);
	expect(await press(mia, 'lead_called')).toMatch(/\/callback-links\/\w+\./);
});

it('a missed call can be called back from the list, if the visitor’s consent covers it', async () => {
	const shop = await newShop('US', { team: ['Ida Wells:+13125550103'] });
	const mia = await signIn(shop.member, shop.id);
	const { id: consent_text_id } = consentText({ consent_text: PLAIN_CONSENT, consent_texts: {} }, 'en', 'call');
	for (const [phone, name, text] of [
		['+12125550110', 'Grace', { consent_text_id }],
		['+13125550110', 'Ada', {}],
	] as const) {
		const body = visitorBody(shop, { phone, name, ...text });
		const asked = await call(stack.base_url, '/widget/call-requests', {
			headers: { origin: shop.allowed_origin },
			body,
		});
		expect(asked.status).toBe(202);
	}
	const waits = await eventually('both are missed', async () => {
		const html = await toCallBack(mia);
		return html.match(/>Missed</g)?.length === 2 ? html : null;
	});
	expect(waits.match(/value="lead_called"/g)).toHaveLength(1);
	expect(waits).toMatch(/>Ada<.*What this visitor agreed to does not cover a call back/s);
	const link = await press(mia, 'lead_called');
	expect((await send(link, mia)).html).toContain('Grace asked for a call that no one answered');
	await ringMe(link, mia);
	await eventually('the card has the attempt', async () =>
		/Grace.*↩ <time[^>]+>[^<]+<\/time>: <span class="chip missed">Missed/s.test(await toCallBack(mia)) ? true : null,
	);
	// The call back ended before the phone of the visitor Grace rang: only the phone of the member Ida rang. So the desk still
	// offers to call Grace back.
	expect((await toCallBack(mia)).match(/value="lead_called"/g)).toHaveLength(1);
	for (const name of ['Grace', 'Ada']) {
		await press(mia, 'lead_handled');
		expect(await toCallBack(mia)).not.toContain(`>${name}<`);
	}
	expect((await send(desk('pages/log'), { cookie: (await signIn(shop.owner, shop.id)).cookie })).html).toContain(
		'called <bdi>Grace</bdi> back',
	);
});
