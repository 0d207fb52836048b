import { isTerminal } from '../../../domain/calls/call.ts';
import type { CallRecord } from '../../../domain/calls/call-record.ts';
import type { Span } from '../../../domain/trace/span.ts';
import { callTrace } from '../../../domain/trace/trace.ts';

// What happened in a call, as lines on one axis: a line for the call, and one for each phone. The lines are made from the
// call's trace, which operators read, too.

/** What happened during one part of a line. `waiting`: the visitor waits for a member of the team. */
export type StretchKind = 'waiting' | 'dialed' | 'ringing' | 'answered' | 'accepted' | 'talking';
export type LanePart = { readonly kind: StretchKind; readonly from_ms: number; readonly to_ms: number };
export type PhoneLane = { readonly phone: Span; readonly stretches: readonly LanePart[] };
/**
 * What the drawing of a call shows: its time span, when the conversation began, a line for the call, and one for each phone.
 */
export type CallLanes = {
	readonly from_ms: number;
	/** When the call ended. If it has not ended, the current time. */
	readonly to_ms: number;
	/** When the conversation began, that is, when both people were on the line. Null if there was no conversation. */
	readonly talk_ms: number | null;
	readonly call: readonly LanePart[];
	readonly phones: readonly PhoneLane[];
};

const KINDS: readonly string[] = ['ringing', 'answered', 'accepted', 'talking'] satisfies StretchKind[];
const isKind = (name: string): name is StretchKind => KINDS.includes(name);
type Moment = { readonly kind: StretchKind; readonly at: string };

/** The lines of a call. If a phone was never dialed, its line is empty. */
export function callLanes(call: CallRecord, nowMs: number): CallLanes {
	const { root } = callTrace(call, { events: [], notices: [], calls_back: [] }, nowMs);
	const from_ms = Date.parse(root.started_at);
	const to_ms = Math.max(from_ms, endOf(call, root, nowMs));
	const conversation = root.children.find(({ name }) => name === 'conversation');
	const talk_ms = conversation === undefined ? null : within(from_ms, to_ms, conversation.started_at);
	const phones = root.children.filter(({ attributes }) => 'leg.role' in attributes);
	const own = { kind: 'waiting', at: root.started_at } as const;
	const talk = conversation === undefined ? [] : [{ kind: 'talking', at: conversation.started_at } as const];
	return {
		from_ms,
		to_ms,
		talk_ms,
		call: stretchesOf([own, ...talk], from_ms, to_ms),
		phones: phones.map((phone) => ({ phone, stretches: phoneStretches(phone, from_ms, to_ms) })),
	};
}

/**
 * When the call ended. If it has not ended, the current time. The record of an old call may not say when it ended. In that
 * case, the end of the last leg is used.
 */
function endOf({ status }: CallRecord, root: Span, nowMs: number): number {
	if (!isTerminal(status)) return nowMs;
	const ends = root.children.flatMap(({ ended_at }) => (ended_at === null ? [] : [Date.parse(ended_at)]));
	return root.ended_at === null ? Math.max(Date.parse(root.started_at), ...ends) : Date.parse(root.ended_at);
}

function phoneStretches(
	{ started_at, ended_at, events, attributes }: Span,
	fromMs: number,
	toMs: number,
): readonly LanePart[] {
	if (attributes['leg.is_dialed'] !== true) return [];
	const untilMs = ended_at === null ? toMs : within(fromMs, toMs, ended_at);
	const moments: readonly Moment[] = [
		{ kind: 'dialed', at: started_at },
		...events.flatMap(({ name, at }) => (isKind(name) ? [{ kind: name, at }] : [])),
	];
	return stretchesOf(moments, fromMs, untilMs);
}

const within = (fromMs: number, toMs: number, at: string): number => Math.min(Math.max(Date.parse(at), fromMs), toMs);

/**
 * Turns the moments of a line into its parts. Each part lasts until the next moment, and the last part until the end of the
 * line. A provider's clock may be behind ours, so a moment may have an earlier time than the previous moment. Such a moment
 * is drawn at the time of the previous moment.
 */
function stretchesOf(moments: readonly Moment[], fromMs: number, toMs: number): readonly LanePart[] {
	let reachedMs = fromMs;
	const starts = moments.map(({ at }) => {
		reachedMs = Math.max(reachedMs, within(fromMs, toMs, at));
		return reachedMs;
	});
	return moments.map(({ kind }, index) => ({ kind, from_ms: starts[index] ?? toMs, to_ms: starts[index + 1] ?? toMs }));
}
