import { meteredCalls, TALK_MINUTES } from '../test/support/calls/metered-call.ts';
import type { CallCounts } from '../test/support/calls/metered-world.ts';
import { costOfAMillion, requestsOf, total } from './cost-of-calls.ts';
import { PRICES_OF, type Price, prices } from './prices.ts';

// `npm run cost`: what a million calls cost at AWS, counted from calls in virtual time. The phone provider costs extra.

/** Goals in dollars for a million calls with one endpoint, by minutes of conversation. */
const goals: Readonly<Record<number, number>> = { 1: 105, 10: 120 };
/** Number of KMS keys, one for each purpose; their monthly price does not depend on use. */
const KEYS = ['phone numbers', 'webhook secrets', 'look-ups', 'cursors', 'the table'] as const;

const right = (text: string): string => text.padStart(11);
const amountOf = (amount: number): string => (amount >= 1000 ? amount.toFixed(0) : `${Number(amount.toPrecision(3))}`);

function row(what: string, cells: readonly string[]): string {
	return `  ${what.padEnd(34)}${cells.map(right).join('')}`.trimEnd();
}

/** Prints a column of dollars for each length of conversation, and the quantities for one call of the first. */
function table(title: string, calls: readonly CallCounts[]): string {
	const bills = calls.map((call) => costOfAMillion(call));
	const [first = []] = bills;
	const lines = first.map(({ what, of, amount }, position) => {
		const each = bills.map((bill) => (bill[position]?.dollars ?? 0).toFixed(2));
		return row(what, [...each, ...bills.map((bill) => amountOf(bill[position]?.amount ?? 0)), ` ${of}`]).concat(
			amount === 0 ? ' (none in a call)' : '',
		);
	});
	const minutes = TALK_MINUTES.map((each) => `${each} min`);
	const sums = bills.map((bill) => total(bill).toFixed(2));
	const alone = calls.map((call, position) => (total(costOfAMillion(call, 1)) - Number(sums[position])).toFixed(2));
	return [
		title,
		row('dollars, then amounts of one call', [...minutes, ...minutes]),
		...lines,
		row('total', sums),
		row('more if no message shares a batch', alone),
		row(
			'requests at the gateway',
			calls.map((call) => String(requestsOf(call))),
		),
	].join('\n');
}

/** Prints the write units by record. */
function writes(call: CallCounts): string {
	const shares = Object.entries(call.shares).sort(([, a], [, b]) => b.table + b.index - a.table - a.index);
	const rows = shares.map(([kind, { writes, table, index }]) =>
		row(kind, [String(writes), String(table), String(index), String(table + index)]),
	);
	const head = row('write units by kind of record', ['writes', 'table', 'indexes', 'units']);
	return [head, ...rows, row('together', ['', '', '', String(call.written)])].join('\n');
}

function sources(): string {
	const all: readonly Price[] = Object.values(prices);
	const rows = Object.entries(prices).map(
		([name, { dollars, of, source }]) =>
			`  ${name.padEnd(20)}${String(Number(dollars.toPrecision(6))).padStart(13)} a ${of.padEnd(12)} ${source}`,
	);
	return [`prices of us-east-1 in dollars, ${all.length} of them, as known on ${PRICES_OF}`, ...rows].join('\n');
}

const calls = await meteredCalls();
const withOne = calls.map((call) => call.withOne);
console.log('A million calls of four events each, by the minutes of the talk.\n');
console.log(
	`${table(
		'without a webhook endpoint',
		calls.map(({ without }) => without),
	)}\n`,
);
console.log(`${table('with one webhook endpoint', withOne)}\n`);
for (const { minutes, withOne: call } of calls.filter(({ minutes }) => minutes === 1)) {
	console.log(`${writes(call)}  (a talk of ${minutes} minute)\n`);
}
const monthly = KEYS.length * prices.kms_key_month.dollars;
console.log(`each month, with or without calls: KMS keys for ${KEYS.join(', ')}: ${monthly} dollars\n`);
console.log(`${sources()}\n`);
for (const { minutes, withOne: call } of calls) {
	const goal = goals[minutes];
	const spent = total(costOfAMillion(call));
	if (goal === undefined) continue;
	console.log(`${minutes} min: ${spent.toFixed(2)}, goal at most ${goal}: ${spent <= goal ? 'met' : 'missed'}`);
}
