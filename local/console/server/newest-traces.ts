import type { OpsDeps } from '../../../ops/connect.ts';
import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import type { Trace } from '../../../shared/domain/trace/span.ts';
import { traceOfCall } from '../../../shared/use-cases/trace/read-trace.ts';

/**
 * For this long after the end of a call, each poll reads the call's trace again. By then, most of the call's webhooks have been
 * delivered, so its trace rarely changes any more.
 */
const EVENTFUL_MS = 10_000;

type CachedTrace = { readonly record: string; readonly read_ms: number; readonly trace: Trace };

/**
 * Reads the traces of the newest calls. The pages poll twice a second, and a trace takes a dozen reads. So a poll reads only
 * the traces that still change, and one of the other traces: the one that was read longest ago.
 */
export function newestTraces() {
	let cached = new Map<string, CachedTrace>();
	return async (
		records: readonly CallRecord[],
		deps: Pick<OpsDeps, 'store' | 'clock'>,
	): Promise<ReadonlyMap<string, Trace>> => {
		const nowMs = deps.clock.now();
		const [oldest] = [...cached].sort(([, a], [, b]) => a.read_ms - b.read_ms);
		const read = await Promise.all(
			records.map(async (call): Promise<readonly [string, CachedTrace]> => {
				const record = JSON.stringify(call);
				const last = cached.get(call.id);
				const isEventful = call.completed_at === null || nowMs - Date.parse(call.completed_at) < EVENTFUL_MS;
				if (last?.record === record && !isEventful && call.id !== oldest?.[0]) return [call.id, last];
				return [call.id, { record, read_ms: nowMs, trace: await traceOfCall(call, deps) }];
			}),
		);
		cached = new Map(read);
		return new Map(read.map(([id, { trace }]) => [id, trace]));
	};
}
