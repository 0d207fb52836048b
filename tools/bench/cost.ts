import { meteredCalls } from '../../test/support/stack/metered-calls.ts';
import { costOfAMillion, PRICES_OF, pollsOf, SOURCES, total } from './cost-of-calls.ts';

// `npm run cost`: what a million calls cost at AWS, counted on a call of the local stack. The phone provider costs extra.

const TALK_MINUTES = [1, 3, 10] as const;
const row = (what: string, cells: readonly (string | number)[]): string =>
	`  ${what.padEnd(38)}${cells.map((cell) => String(cell).padStart(10)).join('')}`;

const calls = await meteredCalls();
for (const [title, use] of [
	['with one webhook endpoint', calls.withOne],
	['without a webhook endpoint', calls.without],
] as const) {
	const bills = TALK_MINUTES.map((minutes) => costOfAMillion(use, minutes));
	console.log(`A million calls of four events each, ${title}: dollars by the minutes of the talk`);
	console.log(
		row(
			'',
			TALK_MINUTES.map((minutes) => `${minutes} min`),
		),
	);
	for (const [n, { what }] of (bills[0] ?? []).entries()) {
		console.log(
			row(
				what,
				bills.map((bill) => (bill[n]?.dollars ?? 0).toFixed(2)),
			),
		);
	}
	console.log(
		row(
			'total',
			bills.map((bill) => total(bill).toFixed(2)),
		),
	);
	console.log(row('polls of a call', TALK_MINUTES.map(pollsOf)));
	console.log(row('write units, read units without polls', [use.written, use.read]));
	console.log('');
}
console.log(`Prices of us-east-1 as known on ${PRICES_OF}:\n  ${SOURCES.join('\n  ')}`);
process.exit(0);
