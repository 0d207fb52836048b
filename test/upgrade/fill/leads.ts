import type { Bench } from '../bench/bench.ts';
import { type People, visitor, widget } from './people.ts';
import type { Shops } from './shops.ts';

/** Makes requests for a callback. Some of them are handled, and one visitor's data is erased. */
export async function leads(bench: Bench, people: People, { full, plain, usual }: Shops) {
	const { must, ops, nextNumber } = people;
	async function leave(shop: typeof full, more: object = {}, headers: Record<string, string> = {}) {
		const number = nextNumber();
		const request = widget(shop, 'POST', '/callback-leads', visitor(shop, number, more));
		const keyed = { ...request, headers: { ...request.headers, ...headers } };
		const response = await must(keyed);
		await bench.settle();
		return { id: JSON.parse(response.body).data.id as string, shop, number, request: keyed };
	}
	const noted = await leave(
		full,
		{ note: 'after five', reference: 'order 19' },
		{ 'idempotency-key': 'leave it once' },
	);
	const bare = await leave(full, { name: null });
	const handled = await leave(full);
	const called = await leave(full);
	const plainLead = await leave(plain);
	// The team's address of this shop returns mails. After the first returned mail, the service knows the address as blocked.
	await leave(usual);
	await bench.pass(60_000);
	await leave(usual);
	const erased = await leave(plain);
	await ops('erase', '--workspace', plain.id, '--phone', erased.number);
	const suppressed = await leave(plain);
	await ops('suppress', 'add', '--workspace', plain.id, '--phone', suppressed.number);
	return { noted, bare, handled, called, plainLead, erased, suppressed };
}
export type Leads = Awaited<ReturnType<typeof leads>>;
