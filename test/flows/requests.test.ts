/**
 * The functions read their settings when their modules are loaded, so this file must not share loaded modules with other test
 * files. The next line sees to that (decision 98).
 * @jest-environment node
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Asked, countRequests } from '../support/aws/counted-requests.ts';
import { functionStandIns } from '../support/aws/function-stand-ins.ts';
import { type Part, playFlows } from '../support/flows/played-flows.ts';

const GOLDEN = join(import.meta.dirname, 'requests.md');
const HEAD = `# What each flow asks AWS for

What a function asks the table, the queues and the keys for. "Its first" is in a new process, with what the function asks while it
starts; it is named where it is more than later. \`test/flows/requests.test.ts\` counts on the stand-ins. A change that adds a request
or a unit changes this table: read the difference, then accept it with \`UPDATE_GOLDEN=1 npm test -- test/flows\`.

| flow | function | requests to the table | units written | units read | requests to queues (messages) | requests to keys |
|---|---|---|---:|---:|---|---|
`;

type Counted = { readonly part: Part; readonly asked: Asked };
const counted: Counted[] = [];
const stops: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
	// Hides the functions' log.
	const output = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
	const { env, stop } = await functionStandIns();
	stops.push(stop);
	const requests = await countRequests(env);
	stops.push(requests.stop);
	const played = playFlows({ ...env, ...requests.env }, '200 OK', async (part, act) => {
		counted.push({ part, asked: await requests.asked(act) });
	});
	await played.finally(() => output.mockRestore());
});
afterAll(async () => {
	for (const stop of stops.reverse()) await stop();
});

function lineOf({ part: { flow, by, isFirst }, asked }: Counted, place: number): string {
	if (isFirst && isDeepStrictEqual(asked, counted[place + 1]?.asked)) return '';
	const { table, written, read, queues, keys } = asked;
	const cells = [flow, isFirst ? `${by}, its first` : by, table, written, read, queues, keys];
	return `| ${cells.map((cell) => cell || '–').join(' | ')} |\n`;
}

describe('the requests of a flow', () => {
	it('are those in test/flows/requests.md (UPDATE_GOLDEN=1 accepts others)', () => {
		const table = HEAD + counted.map(lineOf).join('');
		if (process.env['UPDATE_GOLDEN'] || !existsSync(GOLDEN)) writeFileSync(GOLDEN, table);
		expect(table).toBe(readFileSync(GOLDEN, 'utf8'));
	});

	it('are one read and twenty plain puts for ten deliveries, and nothing else', () => {
		const { asked } = counted.find(({ part }) => part.flow === 'A batch of ten deliveries') ?? {};
		expect(asked).toMatchObject({ table: '1 BatchGetItem, 20 PutItem', queues: '', keys: '' });
	});
});
