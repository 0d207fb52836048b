import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ulidIds } from '../../../shared/adapters/system.ts';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import type { CallbackLead } from '../../../shared/domain/leads/callback-lead.ts';
import { callBack, waitingOf } from '../../../shared/use-cases/desk/contacts.ts';
import { confirmCallback } from '../../../shared/use-cases/leads/confirm-callback.ts';
import { findCallbackLink } from '../../../shared/use-cases/leads/find-callback-link.ts';
import { samples, WORKSPACE } from '../../conformance/store/records.ts';
import { teamOf } from '../../support/calls/sealed-number.ts';
import { memoryStore } from '../../support/memory-store.ts';

const START_MS = Date.parse('2026-11-21T10:00:00Z');
const always = { if: 'always' } as const;
const tokenIn = (link: string): string => link.slice(link.lastIndexOf('/') + 1);

/** A shop's list, with a lead that waits. */
async function shop() {
	const now = { ms: START_MS };
	const store = memoryStore();
	const lead: CallbackLead = { ...samples.callback_lead, number_hash: 'hash', status: 'pending' };
	const workspace = {
		...samples.workspace,
		team: teamOf(1),
		limits: { ...samples.workspace.limits, calls_per_day: 100 },
	};
	await store.commit([
		{ op: 'put', record: 'callback_lead', item: lead, guard: always },
		{ op: 'put', record: 'workspace', item: workspace, guard: always },
	]);
	const queues = {
		send: async (_: string, messages: readonly object[]) => ({ sent: messages.length, failed: 0 }),
	};
	const deps = { store, queues, clock: { now: () => now.ms }, ids: ulidIds, speed: 1, can_dial: true };
	/** The one-time link of a press. */
	const press = async (secret: Uint8Array = randomBytes(32)): Promise<string> => {
		const outcome = await callBack(WORKSPACE, lead.id, secret, deps);
		return 'link' in outcome ? outcome.link : outcome.refused;
	};
	/** Confirms a link; returns the code of a refusal, null if it rings. */
	const ring = async (link: string) => {
		const outcome = await confirmCallback({ token: tokenIn(link), phone: 'm1' }, deps);
		return 'refused' in outcome ? outcome.refused : null;
	};
	const waiting = () => waitingOf(lead, deps);
	const end = async (changes: Partial<CallRecord>) => {
		const { attempts } = await waiting();
		const call = attempts.at(-1);
		if (call === undefined) throw new Error('no call back');
		await store.commit([{ op: 'put', record: 'call', item: { ...call, ...changes }, guard: always }]);
	};
	return { now, store, lead, deps, press, ring, waiting, end };
}

describe('a lead that was called back and not reached', () => {
	it('can be called back again: the attempts stay, and no earlier link opens anything', async () => {
		const { press, ring, waiting, end, deps, now } = await shop();
		const first = await press();
		expect(await ring(first)).toBeNull();
		await end({ status: 'failed', failure_reason: 'visitor_no_answer' });
		now.ms += 60_000;
		const second = await press();
		expect(await findCallbackLink(tokenIn(first), deps)).toEqual({ refused: 'link_not_valid' });
		expect(await ring(second)).toBeNull();
		expect(await ring(second)).toBe('link_used');
		await end({ status: 'completed', failure_reason: null });
		expect((await waiting()).attempts.map(({ status }) => status)).toEqual(['failed', 'completed']);
	});

	it('is not called while it is called', async () => {
		const { press, ring, waiting } = await shop();
		const [first, other] = [await press(), await press()];
		expect(await ring(first)).toBeNull();
		expect((await waiting()).refused).toBe('calling_now');
		expect(await press()).toBe('calling_now');
		expect(await ring(other)).toBe('link_used');
	});

	it('leads a press that is repeated to the same page, also after its use', async () => {
		const { press, ring, end, store, lead } = await shop();
		const secret = randomBytes(32);
		const link = await press(secret);
		expect(await ring(link)).toBeNull();
		await end({ status: 'failed', failure_reason: 'visitor_busy' });
		const before = await store.get('callback_link', { lead_id: lead.id });
		expect(await press(secret)).toBe(link);
		expect(await store.get('callback_link', { lead_id: lead.id })).toEqual(before);
		expect(await ring(link)).toBe('link_used');
	});
});
