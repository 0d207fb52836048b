import { expect, it } from '@jest/globals';
import { DEMO_TEAM, subscribe } from '../../local/demo.ts';
import { isFiction } from '../../local/phone-network/fiction-ranges.ts';
import { scriptOf } from '../../local/phone-network/scripts.ts';
import { maskPhone } from '../../shared/domain/kernel/phone-mask.ts';
import { says, startScripted } from '../support/scripted-server.ts';

const BUSY = JSON.stringify({
	type: 'about:blank',
	title: 'Busy',
	status: 503,
	detail: 'Again.',
	code: 'service_busy',
});
const MADE = JSON.stringify({ data: { id: '1', secret: 'whsec_made' } });

it('a start on a slow machine repeats its request for a webhook endpoint with the same Idempotency-Key while the API is busy', async () => {
	const api = await startScripted((response, asked) => {
		const answer = api.asked.length < 6 ? says(503, BUSY, { 'retry-after': '0' }) : says(201, MADE);
		answer(response, asked);
	});
	try {
		const addresses = {
			base_url: `${api.url}/v1`,
			allowed_origin: 'http://shop.test',
			inbox_url: 'https://inbox.test',
		};
		expect(await subscribe(addresses, 'key')).toBe('whsec_made');
		expect(api.asked).toHaveLength(6);
		expect(new Set(api.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
	} finally {
		await api.stop();
	}
});

it('the members of the demo shop answer, and their masked numbers differ', () => {
	const numbers = DEMO_TEAM.map((member) => member.split(':')[1] ?? '');
	expect(new Set(numbers.map(maskPhone)).size).toBe(numbers.length);
	expect(numbers.filter((number) => !isFiction(number))).toEqual([]);
	expect(numbers.map(scriptOf)).toEqual(numbers.map(() => scriptOf('+12025550101')));
});
