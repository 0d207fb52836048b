import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { callStatuses, failureReasons } from '../../shared/domain/calls/call.ts';
import { isLater } from '../../shared/domain/calls/call-aggregation.ts';
import { DEADLINE_SECONDS } from '../../shared/domain/calls/deadlines.ts';
import { legRanks } from '../../shared/domain/calls/leg.ts';
import { deliveryStatuses } from '../../shared/domain/webhooks/delivery.ts';
import { endpointStatuses } from '../../shared/domain/webhooks/webhook-endpoint.ts';
import { problemsPage } from '../../tools/generate/problems-page.ts';
import { playOut } from '../support/calls/call-run.ts';
import { faultless, faulty } from '../support/calls/call-scenarios.ts';

const read = (file: string): string => readFileSync(file, 'utf8');

/** The inputs that a machine's type names, such as `readonly input: 'claim' | 'wait'`. */
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
	{
		page: 'docs/delivery-states.md',
		states: deliveryStatuses,
		inputs: 'shared/domain/webhooks/delivery-machine.ts',
	},
	{
		page: 'docs/endpoint-states.md',
		states: endpointStatuses,
		inputs: 'shared/domain/webhooks/endpoint-machine.ts',
	},
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

	it('draws every transition that calls make, for all failures, and none that the code forbids', () => {
		const drawn = [...text.matchAll(/^ +(\w+) --> (\w+)$/gm)].map(([, from = '', to = '']) => ({ from, to }));
		const arrows = new Set(drawn.map(({ from, to }) => `${from} --> ${to}`));
		const statusOf = (name: string) => callStatuses.find((status) => status === name) ?? 'requested';
		expect(drawn.filter(({ from, to }) => !isLater(statusOf(to), statusOf(from)))).toEqual([]);
		const made = new Set<string>();
		fc.assert(
			fc.property(fc.oneof(faultless, faulty), (scenario) => {
				for (const { before, decision } of playOut(scenario).steps) {
					if (decision.call.status !== before.status) made.add(`${before.status} --> ${decision.call.status}`);
				}
			}),
			{ numRuns: 600 },
		);
		expect([...made].filter((arrow) => !arrows.has(arrow))).toEqual([]);
		expect(made.size).toBeGreaterThanOrEqual(5);
	});
});

it('docs/problems.md is what the code says now (npm run docs writes it)', () => {
	expect(read('docs/problems.md')).toBe(problemsPage());
});
