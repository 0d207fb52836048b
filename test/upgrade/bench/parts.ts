import { createHash } from 'node:crypto';
import { derivedId } from '../../../shared/domain/kernel/id.ts';
import type { Ids } from '../../../shared/ports/ids.ts';
import type { WebhookSender } from '../../../shared/ports/webhook-sender.ts';

// Replacements for the adapters of the clock, of ids, of the log and of connections to receivers. They export the same names
// as those adapters.

/** The bench's current time, in epoch milliseconds. It changes only when the bench changes it. */
export const present = {
	now_ms: 0,
	/** The seed of ids and random bytes, and how many of them were drawn in which millisecond. */
	seed: '',
	drawn: { at_ms: 0, nth: 0 },
	/** How many milliseconds pass each time a function reads its clock. With it, the bench imitates a slow table. */
	look_ms: 0,
};
/** How receivers respond. The bench sets it. */
export const receivers: { send: WebhookSender['send'] } = {
	send: async () => {
		throw new Error('there is no receiver');
	},
};

const REAL_DATE_NOW = Date.now;
/** From now on, `Date.now` returns the bench's current time. */
export function stopTime(nowMs: number): void {
	present.now_ms = nowMs;
	Date.now = () => present.now_ms;
}
/** Milliseconds of the real clock, for the bench's own waits. */
export const machineTime = REAL_DATE_NOW;

export const systemClock = {
	now(): number {
		present.now_ms += present.look_ms;
		return present.now_ms;
	},
};
/** Runs `work` with a slow table. Then sets the clock back to the time at which `work` began. */
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
/** The next random text. It depends on the current time, and within one millisecond also on the order of the draws. */
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
	// The wait before a retry uses one random byte. This byte is always the same, so that runs do not depend on the order of
	// attempts.
	random: (bytes) => (bytes === 1 ? Uint8Array.of(128) : randomBytes(bytes)),
};
/** A copy of the service's own cache. Commit 28086779 has this cache in the file of the clock, which the bench replaces. */
export function resultCache<T>() {
	const results = new Map<string, Promise<T>>();
	return (name: string, ask: () => Promise<T>): Promise<T> => {
		const result = results.get(name) ?? ask();
		results.set(name, result);
		result.catch(() => results.delete(name));
		return result;
	};
}
/** The warnings and errors that functions logged. */
export const logged: string[] = [];
const note = (level: string) => (fact: string, fields?: object) => {
	if (level !== 'info') logged.push(`${level} ${fact} ${JSON.stringify(fields ?? {})}`);
};
export const jsonLog = () => ({ info: note('info'), warn: note('warn'), error: note('error') });

export const TEST_LIMITS = {};
const check: WebhookSender['check'] = async (url) => ({ allowed: true, url });
export const httpsSender = (): WebhookSender => ({ send: (request) => receivers.send(request), check });
