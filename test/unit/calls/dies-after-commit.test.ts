import { describe, expect, it } from '@jest/globals';
import { DEADLINE_SECONDS } from '../../../shared/domain/calls/deadlines.ts';
import { messageSchemas } from '../../../shared/messages/schemas.ts';
import type { Store } from '../../../shared/ports/store.ts';
import type { Telephony } from '../../../shared/ports/telephony.ts';
import { checkDeadlines } from '../../../shared/use-cases/calls/check-deadlines.ts';
import { fictionalNumber, frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';

// The function that places a call may die at any moment. If the call is in the table, its timer has to be on the way.

class Died extends Error {}
type Sent = { readonly message: unknown; readonly delay_seconds: number };
const noPhones: Partial<Telephony> = {};

/**
 * A shop whose function dies when the table responds to its transaction. `commits`: whether the table executed the transaction.
 */
async function dyingDesk(commits: boolean) {
	const truth = memoryStore();
	const sent: (Sent & { readonly queue: string })[] = [];
	const desk = frontDesk({
		...truth,
		async commit(writes, inTime) {
			if (commits) await truth.commit(writes, inTime);
			throw new Died();
		},
	} satisfies Store);
	const queues = {
		async send(queue: string, messages: readonly unknown[]) {
			sent.push(...messages.map((each) => ({ queue, ...(each as Sent) })));
			return { sent: messages.length, failed: 0 };
		},
	};
	Object.assign(desk.deps, { queues });
	const workspace = desk.workspace();
	await truth.commit([{ op: 'put', record: 'workspace', item: workspace, guard: { if: 'absent' } }]);
	await expect(desk.requestCall(workspace, fictionalNumber(1))).rejects.toThrow(Died);
	const deps = { ...desk.deps, queues, store: truth, telephony: noPhones as Telephony };
	return { desk, deps, truth, sent };
}

describe('a function that dies right after it has stored a call', () => {
	it('has sent the call’s timer, which sends the dials', async () => {
		const { desk, deps, sent } = await dyingDesk(true);
		expect(sent.map(({ queue, delay_seconds }) => [queue, delay_seconds])).toEqual([
			['call-timers', DEADLINE_SECONDS.undialed],
		]);
		desk.now.ms += DEADLINE_SECONDS.undialed * 1000;
		await checkDeadlines(messageSchemas['call-timers'].parse(sent[0]?.message), deps);
		expect(sent.map(({ queue }) => queue)).toEqual(['call-timers', 'dial-legs', 'call-timers']);
	});
});

describe('a function that dies before the table has stored its call', () => {
	it('leaves a timer that finds no call and then does nothing', async () => {
		const { desk, deps, sent } = await dyingDesk(false);
		desk.now.ms += DEADLINE_SECONDS.undialed * 1000;
		await checkDeadlines(messageSchemas['call-timers'].parse(sent[0]?.message), deps);
		expect(sent.map(({ queue }) => queue)).toEqual(['call-timers']);
	});
});
