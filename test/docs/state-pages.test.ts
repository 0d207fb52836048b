import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { callStatuses, failureReasons } from '../../shared/domain/calls/call.ts';
import { isLater } from '../../shared/domain/calls/call-aggregation.ts';
import { DEADLINE_SECONDS } from '../../shared/domain/calls/deadlines.ts';
import { legRanks } from '../../shared/domain/calls/leg.ts';
import { deliveryStatuses } from '../../shared/domain/webhooks/delivery.ts';
import { endpointStatuses } from '../../shared/domain/webhooks/webhook-endpoint.ts';

const read = (file: string): string => readFileSync(file, 'utf8');

/** The inputs that a state machine's type names, such as `readonly input: 'claim' | 'wait'`. */
function inputsOf(file: string): readonly string[] {
	const named = [...read(file).matchAll(/\breadonly input: ((?:'[a-z_]+'[ |]*)+)/g)].map(([, names = '']) => names);
	return [...new Set(named.flatMap((names) => [...names.matchAll(/[a-z_]+/g)].map(([name]) => name)))];
}

const pages = [
	{
		page: 'docs/call-states.md',
		states: [...callStatuses, ...failureReasons, ...legRanks],
		inputs: 'shared/domain/calls/call-input.ts',
	},
	{ page: 'docs/delivery-states.md', states: deliveryStatuses, inputs: 'shared/domain/webhooks/delivery-machine.ts' },
	{ page: 'docs/endpoint-states.md', states: endpointStatuses, inputs: 'shared/domain/webhooks/endpoint-machine.ts' },
] as const;

it.each(pages)('$page names every state and every input of the code', ({ page, states, inputs }) => {
	const names = [...states, ...inputsOf(inputs)];
	expect(names.length).toBeGreaterThan(states.length + 1);
	expect(names.filter((name) => !read(page).includes(`\`${name}\``))).toEqual([]);
});

describe('docs/call-states.md', () => {
	const text = read('docs/call-states.md');

	it('gives every deadline its seconds', () => {
		const rows = Object.entries(DEADLINE_SECONDS).map(([name, seconds]) => `| \`${name}\` | ${seconds} |`);
		expect(rows.filter((row) => !text.includes(row))).toEqual([]);
	});

	it('draws every transition that the code allows, except that a cancel completes a connected call', () => {
		const drawn = [...text.matchAll(/^ +(\w+ --> \w+)$/gm)].map(([, arrow = '']) => arrow);
		const allowed = callStatuses.flatMap((from) =>
			callStatuses.filter((to) => isLater(to, from)).map((to) => `${from} --> ${to}`),
		);
		expect(drawn.sort()).toEqual(allowed.filter((arrow) => arrow !== 'connected --> canceled').sort());
	});
});
