import { parseArgs } from 'node:util';
import { testStack } from '../support/stack/stack.ts';
import { functionsInProcess, type Target } from './in-process.ts';
import { overStack } from './over-http.ts';
import type { HostileRequest } from './requests.ts';
import { attempt, replayLine, run } from './run.ts';

// npm run lab -- fuzz [--requests 100000] [--seed N] [--http] [--replay '<request>']

const { values } = parseArgs({
	options: {
		requests: { type: 'string', default: '10000' },
		seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
		http: { type: 'boolean', default: false },
		replay: { type: 'string' },
	},
});

async function target(): Promise<Target> {
	if (!values.http) return await functionsInProcess();
	const stack = await testStack({ speed: 1 });
	const over = await overStack(stack);
	return { ...over, stop: async () => void (await Promise.all([over.stop(), stack.stop()])) };
}

async function replay(request: HostileRequest, to: Target): Promise<boolean> {
	const { answer, wrong } = await attempt(request, to);
	console.log(`${answer.status} ${answer.text}\n${answer.log.join('')}${wrong.join('\n') || 'keeps the contract'}`);
	return wrong.length === 0;
}

async function fuzz(requests: number, seed: number, to: Target): Promise<boolean> {
	console.log(`${requests} requests ${values.http ? 'over HTTP' : 'in process'}, seed ${seed}`);
	const started = performance.now();
	const { counts, failure } = await run(to, { requests, seed });
	const seconds = (performance.now() - started) / 1000;
	for (const [name, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) console.log(`${name}: ${count}`);
	console.log(`${Math.round(seconds)} s`);
	if (failure !== null) console.log(`FAILED: ${failure.wrong.join('; ')}\n${replayLine(failure.request)}`);
	return failure === null;
}

const to = await target();
try {
	const kept = values.replay
		? await replay(JSON.parse(values.replay), to)
		: await fuzz(Number(values.requests), Number(values.seed), to);
	if (!kept) process.exitCode = 1;
} finally {
	await to.stop();
}
