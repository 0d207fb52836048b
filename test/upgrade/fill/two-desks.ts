import type { Bench } from '../bench/bench.ts';
import { form, type People } from './people.ts';
import type { Shops } from './shops.ts';

/**
 * A person of two desks who has switched from one to the other. The first release candidate has no switch and refuses the
 * request.
 */
export async function switchDesks(
	bench: Bench,
	{ ops, must, mailedLink }: People,
	{ usual, plain }: Shops,
): Promise<void> {
	const address = 'both@shop.example';
	for (const { id } of [usual, plain])
		await ops('desk', 'invite', '--workspace', id, '--address', address, '--role', 'owner');
	await bench.settle();
	await bench.pass(1000);
	const asked = await must(form('/v1/desk/sign-in', { address }));
	await bench.settle();
	const [asking = ''] = (asked.cookies[0] ?? '').split(';');
	const opened = await must(form(mailedLink('desk/links', address), { workspace: usual.id }, asking));
	const [cookie = ''] = (opened.cookies[0] ?? '').split(';');
	const { body } = await must({ method: 'GET', path: '/v1/desk/pages/today', cookies: [cookie] });
	const [, token = ''] = /name="token" value="([^"]+)"/.exec(body) ?? [];
	await bench.ask(form('/v1/desk/pages/today', { token, action: 'desk_switched', desk: plain.id }, cookie));
}
