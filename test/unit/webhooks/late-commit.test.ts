import { describe, expect, it } from '@jest/globals';
import { COMMIT_MS } from '../../../shared/domain/webhooks/event-feed.ts';
import type { Store } from '../../../shared/ports/store.ts';
import { cancelCall } from '../../../shared/use-cases/calls/cancel-call.ts';
import { fictionalNumber, frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';

// The feed of events ends some seconds before now, so an event must be committed soon after its id was made. See event-feed.ts.

/**
 * A shop whose table is slow: the first `slow` reads of endpoints take `slowMs` each. Such a read happens between the making of
 * an event and its commit.
 */
async function deskOver(slowMs: number) {
	const truth = memoryStore();
	const slow = { reads: 0 };
	const store: Store = {
		...truth,
		async endpointsOf(workspaceId) {
			if (slow.reads > 0) desk.now.ms += slowMs;
			slow.reads -= 1;
			return truth.endpointsOf(workspaceId);
		},
	};
	const desk = frontDesk(store);
	const workspace = desk.workspace();
	await truth.commit([{ op: 'put', record: 'workspace', item: workspace, guard: { if: 'absent' } }]);
	const made = async (subject_id: string, kind: 'call.requested' | 'callback.requested' | 'call.failed') =>
		Date.parse((await truth.get('event', { subject_id, kind }))?.created_at ?? '');
	return { desk, workspace, slow, made };
}

const LATE = COMMIT_MS + 1000;

describe('an event', () => {
	it('of a new call is made again if its commit begins too late', async () => {
		const { desk, workspace, slow, made } = await deskOver(LATE);
		slow.reads = 1;
		const placed = await desk.requestCall(workspace, fictionalNumber(1));
		if (!('call' in placed)) throw new Error('refused');
		expect(await made(placed.call.id, 'call.requested')).toBe(desk.now.ms);
	});

	it('of a callback lead is made again if its commit begins too late', async () => {
		const { desk, workspace, slow, made } = await deskOver(LATE);
		slow.reads = 1;
		const captured = await desk.captureLead(workspace, fictionalNumber(2));
		if (!('lead' in captured)) throw new Error('refused');
		expect(await made(captured.lead.id, 'callback.requested')).toBe(desk.now.ms);
	});

	it('of a call in progress is made again if its commit begins too late', async () => {
		const { desk, workspace, slow, made } = await deskOver(LATE);
		const placed = await desk.requestCall(workspace, fictionalNumber(3));
		if (!('call' in placed)) throw new Error('refused');
		slow.reads = 1;
		await cancelCall({ workspace_id: workspace.id, id: placed.call.id }, desk.deps);
		expect(await made(placed.call.id, 'call.failed')).toBe(desk.now.ms);
	});

	it('keeps its first time if its commit begins in time', async () => {
		const { desk, workspace, slow, made } = await deskOver(COMMIT_MS - 1);
		slow.reads = 1;
		const placed = await desk.requestCall(workspace, fictionalNumber(4));
		if (!('call' in placed)) throw new Error('refused');
		expect(await made(placed.call.id, 'call.requested')).toBe(desk.now.ms - COMMIT_MS + 1);
	});
});
