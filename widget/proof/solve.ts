import type { Challenge } from '../../shared/domain/visitors/proof-of-work.ts';
import { createMiner, type Miner } from './mine.ts';

/** A page may work this long without a break: a tap or a key waits no longer. */
const SLICE_MS = 6;
/** Where the browser's clock is too coarse to tell. */
const MOST_TRIES = 4000;

type Search = { readonly seed: readonly number[]; readonly rounds: number; readonly zero_bits: number };

/** What a worker runs: the miner's own source, and nothing of a page. */
const WORKER = `const createMiner=${createMiner};onmessage=({data:{seed,rounds,zero_bits}})=>postMessage(createMiner(seed,rounds,zero_bits).step(1/0))`;

/** A page that forbids workers (by `worker-src`, or by requiring Trusted Types) is not asked again. */
let mayWork = true;

/**
 * The header `Proof-Of-Work` for a challenge. A worker searches, so that the page stays lively; where there can be none, the page itself,
 * in slices. Rejects when `signal` aborts.
 */
export async function solve({ challenge, rounds, zero_bits }: Challenge, signal: AbortSignal): Promise<string> {
	const hash = new DataView(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(challenge)));
	const seed = Array.from({ length: 8 }, (_, word) => hash.getInt32(4 * word));
	const search = { seed, rounds, zero_bits };
	const solutions = await inWorker(search, signal).catch(() => {
		mayWork = false;
		return inPage(createMiner(seed, rounds, zero_bits), signal);
	});
	return `${challenge}:${solutions}`;
}

async function inWorker(search: Search, signal: AbortSignal): Promise<readonly number[]> {
	if (!mayWork) throw new Error();
	const url = URL.createObjectURL(new Blob([WORKER], { type: 'text/javascript' }));
	let worker: Worker | undefined;
	try {
		return await new Promise<readonly number[]>((resolve, reject) => {
			signal.onabort = reject;
			worker = new Worker(url);
			worker.onmessage = ({ data }) => resolve(data);
			worker.onerror = reject;
			worker.postMessage(search);
		});
	} finally {
		worker?.terminate();
		URL.revokeObjectURL(url);
	}
}

/** Lets the page do what waits. A timer would wait 4 ms more each time. */
function breath(): Promise<unknown> {
	const { port1, port2 } = new MessageChannel();
	return new Promise((resolve) => {
		port1.onmessage = resolve;
		port2.postMessage(0);
	}).finally(() => port1.close());
}

async function inPage({ step }: Miner, signal: AbortSignal): Promise<readonly number[]> {
	let tries = 20;
	for (;;) {
		signal.throwIfAborted();
		const began = performance.now();
		const solutions = step(tries);
		if (solutions) return solutions;
		const took = performance.now() - began;
		tries = Math.ceil(Math.min(MOST_TRIES, 2 * tries, (tries * SLICE_MS) / took));
		await breath();
	}
}
