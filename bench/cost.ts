import { type CallUnits, unitsOfACall } from '../test/support/calls/metered-call.ts';
import { costOfAMillion, total } from './cost-of-calls.ts';
import { PRICES_OF } from './prices.ts';

// `npm run cost`: what a million calls cost at AWS, from metered units. The telephone provider comes on top.

const GOAL_DOLLARS = 116;

function bill(title: string, units: CallUnits): string {
	const lines = costOfAMillion(units).map(
		({ what, amount, dollars }) => `  ${what.padEnd(24)} ${amount.padStart(20)} ${dollars.toFixed(2).padStart(9)}`,
	);
	const sum = total(costOfAMillion(units)).toFixed(2);
	return [title, ...lines, `  ${'total'.padEnd(45)} ${sum.padStart(9)}`].join('\n');
}

const { without, withOne } = await unitsOfACall();
console.log(
	`A million calls of four events each; prices of us-east-1, ${PRICES_OF}, in dollars. Amounts are of one call.\n`,
);
console.log(`${bill('without a webhook endpoint', without)}\n`);
console.log(`${bill('with one webhook endpoint', withOne)}\n`);
console.log(`goal: at most ${GOAL_DOLLARS}`);
