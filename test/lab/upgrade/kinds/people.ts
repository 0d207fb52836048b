import assert from 'node:assert/strict';
import { holds, type NewKind } from './held.ts';

// Checks persons whose data was erased, and numbers that must never be called again.

export const people: NewKind = (site, shop) => ({
	name: 'people',
	async early() {
		const { ops } = site.stack();
		const of = (phone: string) => ['--workspace', shop.id, '--phone', phone];
		const erased = site.number('06');
		const suppressed = site.number('01');
		const known = site.number('06');
		const [{ id }] = await Promise.all([
			site.ask(shop, 'call-requests', erased, { name: 'Edith' }),
			site.ask(shop, 'call-requests', known),
		]);
		await site.reach(shop, id, 'failed');
		await ops('erase', ...of(erased));
		await ops('suppress', 'add', ...of(suppressed));
		const shown = await ops('consent', 'show', ...of(known));
		const read = async () => (await site.asServer(shop, `/calls/${id}`)).json;
		const record = await read();
		return [
			holds('erased', async () => {
				assert.deepEqual(await read(), record);
				const { consents } = await site.stack().ops('consent', 'show', ...of(erased));
				assert.deepEqual(consents, []);
			}),
			holds('never called again', async () => {
				await assert.rejects(site.ask(shop, 'call-requests', suppressed), /phone_not_callable|rate_limited/);
				assert.equal((await site.stack().ops('suppress', 'check', ...of(suppressed))).suppressed, true);
			}),
			holds('evidence of consent', async () => {
				assert.deepEqual(await site.stack().ops('consent', 'show', ...of(known)), shown);
			}),
		];
	},
});
