import { createHash } from 'node:crypto';
import { derivedId } from '../../../shared/domain/kernel/id.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import type { WebhookSender } from '../../../shared/ports/webhook-sender.ts';

// Replacements for the clock, the ids and the connections to receivers, with the names of those adapters.

/** The present, in epoch milliseconds. It stands still until the bench moves it. */
export const present = {
	now_ms: 0,
	/** The seed of ids and random bytes, and how many were drawn at which moment. */
	seed: '',
	drawn: { at_ms: 0, nth: 0 },
	/** How long each look of a function at its clock takes, as if the table were slow. */
	look_ms: 0,
};
/** How receivers answer. The bench sets it. */
export const receivers: { send: WebhookSender['send'] } = {
	send: async () => {
		throw new Error('there is no receiver');
	},
};

const REAL_DATE_NOW = Date.now;
/** From now on `Date.now` is the present of the bench. */
export function stopTime(nowMs: number): void {
	present.now_ms = nowMs;
	Date.now = () => present.now_ms;
}
/** Milliseconds by the machine's clock, for waits. */
export const machineTime = REAL_DATE_NOW;

export const systemClock = {
	now(): number {
		present.now_ms += present.look_ms;
		return present.now_ms;
	},
};
/** Does something over a slow table, after which it is as late as before. */
export async function slowly<T>(lookMs: number, work: () => Promise<T>): Promise<T> {
	const { now_ms, drawn } = present;
	try {
		present.look_ms = lookMs;
		return await work();
	} finally {
		Object.assign(present, { look_ms: 0, now_ms, drawn });
	}
}
export const timeLimit = { begins: () => undefined, left_ms: () => Infinity };
/** What is drawn depends on the moment, and within a millisecond also on the order. */
function draw(): string {
	const { seed, now_ms, drawn } = present;
	const nth = (drawn.at_ms === now_ms ? drawn.nth : 0) + 1;
	present.drawn = { at_ms: now_ms, nth };
	return `${seed} ${now_ms} ${nth}`;
}
function randomBytes(bytes: number): Uint8Array {
	const drawn = draw();
	const blocks = Array.from({ length: Math.ceil(bytes / 32) }, (_, n) =>
		createHash('sha256').update(`${drawn} ${n}`).digest(),
	);
	return Uint8Array.from(Buffer.concat(blocks).subarray(0, bytes));
}
export const ulidIds: Ids = {
	next: (atMs = present.now_ms) => derivedId(atMs, draw()),
	// One byte is drawn for the wait before a retry: the same in every run, in any order of attempts.
	random: (bytes) => (bytes === 1 ? Uint8Array.of(128) : randomBytes(bytes)),
};
/** The service's own, which commit 28086779 has in the file of the clock. */
export function resultCache<T>() {
	const results = new Map<string, Promise<T>>();
	return (name: string, ask: () => Promise<T>): Promise<T> => {
		const result = results.get(name) ?? ask();
		results.set(name, result);
		result.catch(() => results.delete(name));
		return result;
	};
}
/** Errors that the functions logged. */
export const logged: string[] = [];
const note = (level: string) => (fact: string, fields?: object) => {
	if (level !== 'info') logged.push(`${level} ${fact} ${JSON.stringify(fields ?? {})}`);
};
export const jsonLog = () => ({ info: note('info'), warn: note('warn'), error: note('error') });

export const TEST_LIMITS = {};
const check: WebhookSender['check'] = async (url) => ({ allowed: true, url });
export const httpsSender = (): WebhookSender => ({ send: (request) => receivers.send(request), check });
