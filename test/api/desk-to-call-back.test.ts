import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Stack } from '../../local/stack.ts';
import { eventually } from '../support/stack/api.ts';
import { deskForms, deskShops } from '../support/stack/desk-shops.ts';
import { formsIn } from '../support/stack/forms-in-page.ts';
import { testStack } from '../support/stack/stack.ts';

let stack: Stack;
beforeAll(async () => {
	stack = await testStack();
});
afterAll(() => stack.stop());

const shops = deskShops(() => stack);
const { newShop, linkTo, leaveNumber } = shops;
const { desk, send, signIn, post } = deskForms(() => stack, { linkTo });
type Session = Awaited<ReturnType<typeof signIn>>;

const today = async ({ cookie }: Session): Promise<string> => (await send(desk('pages/today'), { cookie })).html;
/** Presses the one button of this name, and returns where it leads. */
async function press(session: Session, act: string): Promise<string> {
	const [form] = formsIn(await today(session)).filter((fields) => fields['act'] === act);
	if (form === undefined) throw new Error(`no button: ${act}`);
	const { headers } = await post(session, 'today', form);
	return new URL(headers.get('location') ?? '', desk('pages/today')).href;
}
/** Confirms on the page of a one-time link; returns the page that follows. */
async function ringMe(link: string, { cookie }: Session): Promise<string> {
	const { html } = await send(link, { cookie });
	const [, phone = ''] = /name="phone" value="(\w+)"/.exec(html) ?? [];
	return (await send(link, { cookie, fields: { phone } })).html;
}

it('a callback that reached no one stays on the card, with a button for another one, and its page leads back to the list', async () => {
	const shop = await newShop();
	await leaveNumber(shop, '+12125550103', 'Grace');
	const mia = await signIn(shop.member, shop.id);
	const page = await ringMe(await press(mia, 'lead_called'), mia);
	expect(page).toContain('<a class="button" href="../desk/pages/today">Back to the list</a>');
	const card = await eventually('the card says how the callback ended', async () => {
		const html = await today(mia);
		const [, waits = ''] = /<h2>To call back<\/h2>(.*?)<h2>/s.exec(html) ?? [];
		return waits.includes('The visitor did not answer') ? waits : null;
	});
	expect(card).toMatch(/↩ <time datetime="[^"]+">[^<]+<\/time>: <span>The visitor did not answer<\/span> · Ida Wells/);
	expect(await press(mia, 'lead_called')).toMatch(/\/callback-links\/\w+\./);
});
