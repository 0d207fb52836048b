import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { lowestIdAt } from '../../shared/domain/kernel/id.ts';
import type { Trace } from '../../shared/domain/trace/span.ts';
import { treeLines } from '../../shared/presentation/trace-tree.ts';
import { readCallTrace, readLeadTrace, tracesOf } from '../../shared/use-cases/trace/read-trace.ts';
import { type CommandAction, instant, NO_WORKSPACE, WORKSPACE } from '../command.ts';
import type { OpsDeps } from '../connect.ts';
import { OperatorError } from '../operator-error.ts';
import { exportTraces } from '../trace/export.ts';

const OTLP = [
	'--otlp <file or URL>',
	'write it as OTLP/JSON to a file or to a collector; OTEL_EXPORTER_OTLP_HEADERS sets the headers that the collector wants',
] as const;

/** Reads a moment, in one of two forms: how long ago it was (such as `90s`, `30m`, `2h` or `7d`), or a date and a time. */
function since(value: string): (nowMs: number) => number {
	const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
	if (amount === undefined) {
		const atMs = instant(value);
		return () => atMs;
	}
	const seconds = { s: 1, m: 60, h: 3600, d: 86_400 }[unit ?? ''];
	if (seconds === undefined) throw new InvalidArgumentError('It takes a time such as 30m, 1h or 7d.');
	return (nowMs) => nowMs - Number(amount) * seconds * 1000;
}

async function shown(trace: Trace, target: string | undefined, { clock }: OpsDeps) {
	const { id: trace_id, notes } = trace;
	if (target === undefined) return { trace_id, tree: treeLines(trace), ...(notes.length > 0 && { notes }) };
	const now = new Date(clock.now()).toISOString();
	return { trace_id, traces_written: await exportTraces([trace], target, { now }), to: target };
}

/**
 * Returns the trace. Throws if there is none, or if the operator has named a workspace to which the trace does not belong.
 * `elsewhere`: if the id belongs to something else, which command to use instead.
 */
function found(trace: Trace | null, workspaceId: string | undefined, what: string, elsewhere: string | null): Trace {
	if (trace === null) throw new OperatorError(elsewhere ?? `no ${what} has this id`);
	if (workspaceId === undefined || trace.workspace_id === workspaceId) return trace;
	throw new OperatorError(`this ${what} belongs to another workspace`);
}

async function oneCall(id: string, workspaceId: string | undefined, { store, clock }: OpsDeps): Promise<Trace> {
	const trace = await readCallTrace(id, { store, clock });
	const isLead = trace === null && (await store.get('callback_lead', { id })) !== null;
	return found(trace, workspaceId, 'call', isLead ? 'this id is of a callback lead: use lead trace --lead' : null);
}

async function oneLead(id: string, workspaceId: string | undefined, { store, clock }: OpsDeps): Promise<Trace> {
	const trace = await readLeadTrace(id, { store, clock });
	const isCall = trace === null && (await store.get('call', { id })) !== null;
	return found(trace, workspaceId, 'callback lead', isCall ? 'this id is of a call: use call trace --call' : null);
}

export const traceCall = (act: CommandAction) =>
	new Command('trace')
		.description(
			'Show everything that happened in a call, and what it led to: phones, events, deliveries, notices. ' +
				'With --workspace, --since and --otlp, write all calls and leads of a workspace since a time.',
		)
		.option('--call <id>', 'the call')
		.option(...WORKSPACE)
		.option('--since <time>', 'how far back, such as 30m, 1h or 7d, or a date-time', since)
		.option(...OTLP)
		.action(
			act(async ({ call, workspace, since: from, otlp }, deps) => {
				if (call !== undefined && from === undefined) return shown(await oneCall(call, workspace, deps), otlp, deps);
				if (call !== undefined || workspace === undefined || from === undefined || otlp === undefined)
					throw new OperatorError('It takes either --call, or --workspace with --since and --otlp.');
				return exportAll(workspace, from(deps.clock.now()), otlp, deps);
			}),
		);

async function exportAll(workspaceId: string, fromMs: number, target: string, deps: OpsDeps) {
	if ((await deps.store.get('workspace', { id: workspaceId })) === null) throw new OperatorError(NO_WORKSPACE);
	const range = { from_id: lowestIdAt(fromMs), before_id: null };
	const now = new Date(deps.clock.now()).toISOString();
	const traces_written = await exportTraces(tracesOf(workspaceId, range, deps), target, { now });
	return { since: new Date(fromMs).toISOString(), traces_written, to: target };
}

export const traceLead = (act: CommandAction) =>
	new Command('trace')
		.description('Show everything that a callback lead led to: events, deliveries, notices, calls back.')
		.requiredOption('--lead <id>', 'the lead')
		.option(...WORKSPACE)
		.option(...OTLP)
		.action(act(async ({ lead, workspace, otlp }, deps) => shown(await oneLead(lead, workspace, deps), otlp, deps)));
