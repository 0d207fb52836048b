import fc from 'fast-check';
import type { Target } from './in-process.ts';
import { type HostileAnswer, judge, placeOf } from './judge.ts';
import { type HostileRequest, hostileRequest } from './requests.ts';
import { ready } from './send.ts';
import { stolenForm } from './stolen-session.ts';

export type Outcome = {
	readonly seed: number;
	/** How many responses there were, by status, and by operation and status. */
	readonly counts: ReadonlyMap<string, number>;
	/** The smallest request whose response breaks the contract, with the reason; null if all responses follow the contract. */
	readonly failure: { readonly request: HostileRequest; readonly wrong: readonly string[] } | null;
};

/** A shell command that sends a request again. */
export function replayLine(request: HostileRequest): string {
	const text = JSON.stringify(request).replaceAll("'", '\\u0027');
	return `npm run lab -- fuzz --replay '${text}'`;
}

/**
 * The most CPU time that a request may take. A normal request needs far less. A request whose cost grows faster than its size
 * needs far more. A request is costly only if it exceeds the limit in every one of several tries, because compilation and
 * garbage collection can slow down a try.
 */
const CPU_MS = 100;
const CPU_MS_PER_KIB = 2;
const CPU_TRIES = 4;

async function isCostly(request: HostileRequest, first: HostileAnswer, target: Target): Promise<boolean> {
	const kib = (request.target.length + request.headers.flat().join('').length + (request.body ?? '').length) / 1024;
	const limitMs = CPU_MS + CPU_MS_PER_KIB * kib;
	let answer = first;
	for (let tries = 1; (answer.cpu_ms ?? 0) > limitMs; tries += 1) {
		if (tries === CPU_TRIES) return true;
		answer = (await target.send(request)).answer;
	}
	return false;
}

/** Sends a request. Returns what is wrong with its response. */
export async function attempt(request: HostileRequest, target: Target, note: (name: string) => void = () => undefined) {
	const { answer, world } = await target.send(request);
	const costs = (await isCostly(request, answer, target)) ? [`${Math.round(answer.cpu_ms ?? 0)} ms of CPU time`] : [];
	const { method, target: asked } = ready(request, world);
	note(`${answer.status}`);
	note(`${placeOf(method, asked).operation} ${answer.status}`);
	const wrong = [...judge(request, answer, world), ...costs];
	const polluted = Object.keys(Object.prototype).length > 0 || 'polluted' in {};
	return { answer, wrong: polluted ? [...wrong, 'polluted Object.prototype'] : wrong };
}

/** Sends this many random requests, one after the other. If a request fails, looks for a smaller one that still fails. */
export async function run(
	target: Target,
	options: { readonly requests: number; readonly seed: number },
): Promise<Outcome> {
	const counts = new Map<string, number>();
	const note = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
	let failure: Outcome['failure'] = null;
	const any = fc.oneof({ weight: 15, arbitrary: hostileRequest }, { weight: 1, arbitrary: stolenForm });
	const property = fc.asyncProperty(any, async (request) => {
		const { wrong } = await attempt(request, target, note);
		if (wrong.length > 0) failure = { request, wrong };
		return wrong.length === 0;
	});
	await fc.check(property, { numRuns: options.requests, seed: options.seed });
	return { seed: options.seed, counts, failure };
}

/** The report that a test expects to be empty. If a request failed, it includes the line that sends this request again. */
export function reportOf({ failure, seed }: Outcome): string {
	return failure === null ? '' : `${failure.wrong.join('; ')} (seed ${seed})\n${replayLine(failure.request)}`;
}
