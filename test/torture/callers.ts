import { setTimeout as wait } from 'node:timers/promises';
import type { StackFacts } from '../../local/console/wire.ts';
import { phoneNumbers } from '../../shared/adapters/numbering-plans/phone-number.ts';
import { call, visitorBody } from '../support/stack/api.ts';

/**
 * Talks; is busy; talks, dialled again after a 429; rejects; talks, with duplicate callbacks in reverse order; voicemail;
 * not in service. See local/phone-network/scripts.ts.
 */
const ENDINGS = ['01', '02', '14', '04', '08', '05', '06'];
/** Visitors at the same time, each of whom stays until the call is over, so that the stack is not asked for more than it can do. */
const AT_ONCE = 24;
const AGAIN_MS = 250;
const WATCH_MS = 1500;

/** `count` different numbers from US fiction ranges, one for each visitor, because a number has at most one live call. */
export function fictionalNumbers(count: number): readonly string[] {
	const areas = Array.from({ length: 800 }, (_, n) => String(200 + n));
	const usable = areas.filter((area) => {
		const parsed = phoneNumbers.parse(`+1${area}5550101`);
		return 'region' in parsed && parsed.region === 'US' && ['fixed', 'mobile'].includes(parsed.type);
	});
	const numbers = usable.flatMap((area) => ENDINGS.map((ending) => `+1${area}55501${ending}`));
	if (numbers.length < count) throw new RangeError(`there are ${numbers.length} numbers`);
	return numbers.slice(0, count);
}

/** A call to each number, asked for until it is accepted and watched to its end, whatever happens to the stack; their ids. */
export async function askForCalls(stack: StackFacts, numbers: readonly string[]): Promise<readonly string[]> {
	const ids: string[] = [];
	const open = [...numbers];
	const visitor = async (): Promise<void> => {
		for (let phone = open.shift(); phone !== undefined; phone = open.shift()) {
			const id = await askForCall(stack, phone);
			ids.push(id);
			await watchCall(stack, id);
		}
	};
	await Promise.all(Array.from({ length: AT_ONCE }, visitor));
	return ids;
}

/** Repeats the request under the same Idempotency-Key, so that a response lost in a crash cannot lead to a second call. */
async function askForCall(stack: StackFacts, phone: string): Promise<string> {
	const headers = { origin: stack.allowed_origin, 'idempotency-key': `call-${phone}` };
	const body = visitorBody(stack, { phone });
	for (;;) {
		const answer = await call(stack.base_url, '/widget/call-requests', { body, headers }).catch(() => null);
		if (answer?.status === 202) return String(answer.json.data.id);
		if (answer !== null && answer.status < 500 && answer.status !== 409) {
			throw new Error(`a call was refused: ${answer.status} ${answer.text}`);
		}
		await wait(AGAIN_MS);
	}
}

/** As the widget does: until there is nothing more to learn. */
async function watchCall(stack: StackFacts, id: string): Promise<void> {
	const headers = { origin: stack.allowed_origin };
	for (;;) {
		await wait(WATCH_MS);
		const answer = await call(stack.base_url, `/widget/call-requests/${id}/status`, { headers }).catch(() => null);
		if (answer?.status === 200 && answer.json.data.poll_after_ms === null) return;
	}
}
