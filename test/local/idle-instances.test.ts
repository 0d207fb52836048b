import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { type FunctionOptions, localFunction } from '../../local/lambda/functions.ts';
import { eventually } from '../support/stack/api.ts';

/** Runs a test with requests to a function that responds with the number of its thread. */
async function withThreads(
	limits: Pick<FunctionOptions, 'concurrency' | 'idle_ms'>,
	use: (threadOf: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
	const source = "exports.handler = async () => require('node:worker_threads').threadId;";
	const directory = mkdtempSync(join(tmpdir(), 'function-'));
	writeFileSync(join(directory, 'index.js'), source);
	const resource = { id: 'Thread', properties: { Handler: 'index.handler', Timeout: 10 }, metadata: {} };
	const target = localFunction({ resource, directory, environment: {}, log_directory: directory, ...limits });
	try {
		await use(async () => {
			const answer = await target.invoke({});
			return answer.invoked === 'ok' ? answer.result : answer.invoked;
		});
	} finally {
		await target.stop();
		rmSync(directory, { recursive: true });
	}
}

it('an instance that nothing needs ends after a while, and the next request starts another', async () => {
	await withThreads({ idle_ms: 1, concurrency: 4 }, async (threadOf) => {
		const first = await threadOf();
		const another = await eventually('another instance', async () => {
			const next = await threadOf();
			return next === first ? null : next;
		});
		expect(another).toEqual(expect.any(Number));
	});
});

it('a request that comes while the only instance ends does not wait for that instance', async () => {
	await withThreads({ idle_ms: 1, concurrency: 1 }, async (threadOf) => {
		const pause = (n: number) => new Promise((resolve) => setTimeout(resolve, n % 4));
		for (let n = 0; n < 40; n += 1) {
			expect(await threadOf()).toEqual(expect.any(Number));
			await pause(n);
		}
	});
});

it('an instance that is still needed stays', async () => {
	await withThreads({ idle_ms: 600_000, concurrency: 4 }, async (threadOf) => {
		expect(await threadOf()).toBe(await threadOf());
	});
});
