import { errorFields } from '../../ports/log-redaction.ts';
import type { Ports } from '../../ports/ports.ts';
import { DUE_SHARDS } from '../../ports/registry.ts';
import type { Due } from '../../ports/store.ts';
import { noticeMessage } from '../notices/new-notices.ts';
import { sendAgainIfOverdue } from './overdue-delivery.ts';

type Deps = Pick<Ports, 'store' | 'queues' | 'clock' | 'log'>;

const PAGE = 100;
/** After this time, the sweep stops. The next run starts a minute later and does the rest. */
const BUDGET_MS = 40_000;
/** `late_ms`: how late the most overdue work was. In normal operation, this work is about a minute late. */
export type SweepCount = { readonly count: number; readonly late_ms: number };

/**
 * Does all overdue work: due deliveries and team notices, expired leases, exhausted deliveries about which operators must
 * be told, and calls past a deadline. If a process dies between two writes, the sweep does what is missing. Records decide
 * what is done, so doing the work twice does no harm.
 */
export async function sweep(deps: Deps): Promise<SweepCount> {
	const startedMs = deps.clock.now();
	const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => sweepShard(shard, startedMs, deps));
	const counts = await Promise.all(shards);
	return counts.reduce((sum, { count, late_ms }) => ({
		count: sum.count + count,
		late_ms: Math.max(sum.late_ms, late_ms),
	}));
}

async function sweepShard(shard: number, startedMs: number, deps: Deps): Promise<SweepCount> {
	const { store, clock } = deps;
	let last: Due | null = null;
	let count = 0;
	let late_ms = 0;
	const inTime = (): boolean => clock.now() - startedMs < BUDGET_MS;
	while (inTime()) {
		const page: readonly Due[] = await store.due(shard, new Date(clock.now()).toISOString(), PAGE, last);
		for (const due of page) {
			// Also check the time within a page. Otherwise a slow store could make the run longer than the function's
			// time-out.
			if (!inTime()) return { count, late_ms };
			last = due;
			late_ms = Math.max(late_ms, startedMs - Date.parse(due.due_at));
			await sweepOne(due, deps);
			count += 1;
		}
		if (page.length < PAGE) break;
	}
	return { count, late_ms };
}

/** Catches errors, so that one bad record does not delay the other records. */
async function sweepOne(due: Due, deps: Deps): Promise<void> {
	try {
		await sweepRecord(due, deps);
	} catch (error) {
		deps.log.error('sweep failed', { outcome: due.record, ...errorFields(error) });
	}
}

async function sweepRecord({ record, id }: Due, deps: Deps): Promise<void> {
	switch (record) {
		case 'call':
			await deps.queues.send('call-timers', [{ message: { call_id: id, at: null }, delay_seconds: 0, group: null }]);
			return;
		case 'delivery':
			return sendAgainIfOverdue(id, deps);
		case 'team_notice':
			return queueNotice(id, deps);
	}
}

/** Queues another try of a notice, unless the notice was deleted in the meantime. */
async function queueNotice(id: string, { store, queues }: Deps): Promise<void> {
	const notice = await store.get('team_notice', { id });
	if (notice !== null) await queues.send('team-notices', [noticeMessage(notice)]);
}
