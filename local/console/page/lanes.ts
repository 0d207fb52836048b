import type { Span } from '../../../shared/domain/trace/span.ts';
import { type CallStory, clockTime, type ShownCall } from './wire.ts';

// Draws the trace of a call, which is the same trace that `ops call trace` prints.

/** A part of a lane, from one moment to the next. `label` is the name that people see. */
export type Stretch = {
	readonly from_ms: number;
	readonly to_ms: number;
	readonly kind: string;
	readonly label: string;
	readonly title: string;
};
/** A row of the drawing. The row shows the call or one of its phones. */
export type Lane = {
	readonly key: string;
	readonly name: string;
	readonly stretches: readonly Stretch[];
	/** How the call or the phone's connection ended. Empty while the call or the connection is live. */
	readonly end: string;
};
type Moment = { readonly at: string; readonly kind: string };

const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled']);
const LABELS: Readonly<Record<string, string>> = {
	requested: 'requested',
	waiting: 'not dialled',
	dialed: 'dialled',
	ringing: 'ringing',
	answered: 'answered',
	accepted: 'pressed 1',
	talking: 'talking',
	connected: 'connected',
};

const LEG_ENDS: Readonly<Record<string, string>> = { completed: 'hung up', hung_up: 'let go' };

export function isOver(call: ShownCall): boolean {
	return ENDS.has(call.status);
}

/** A code of the API in a form that people can read. */
export function inWords(code: string): string {
	return code.replaceAll('_', ' ');
}

/**
 * Makes the parts of a lane from moments. Each part lasts until the next moment, and the last part until `untilMs`. A moment may
 * be earlier than the previous moment, because a provider's clock may be behind ours.
 */
function stretchesOf(moments: readonly Moment[], untilMs: number): readonly Stretch[] {
	let reachedMs = 0;
	const starts = moments.map(({ at }) => {
		reachedMs = Math.max(reachedMs, Date.parse(at));
		return reachedMs;
	});
	return moments.map(({ at, kind }, index) => {
		const label = LABELS[kind] ?? kind;
		const from_ms = starts[index] ?? untilMs;
		const to_ms = Math.max(from_ms, starts[index + 1] ?? untilMs);
		return { from_ms, to_ms, kind, label, title: `${label} at ${clockTime(at)}` };
	});
}

const endMs = (endedAt: string | null, nowMs: number): number => (endedAt === null ? nowMs : Date.parse(endedAt));

/**
 * The lane of the call, made from its events. If the events no longer exist, for example after 30 days, the lane is made
 * from the call and its conversation.
 */
function callLane(root: Span, nowMs: number): Lane {
	const statuses = root.events.map(({ at, name }) => ({ at, kind: name.slice('call.'.length) }));
	const moments = statuses.filter(({ kind }) => kind in LABELS);
	const talk = root.children.find(({ name }) => name === 'conversation');
	const known = [
		{ kind: 'requested', at: root.started_at },
		...(talk === undefined ? [] : [{ kind: 'connected', at: talk.started_at }]),
	];
	return {
		key: root.id,
		name: 'Call',
		stretches: stretchesOf(moments.length > 0 ? moments : known, endMs(root.ended_at, nowMs)),
		end: root.ended_at === null ? '' : inWords(root.failure ?? `${root.attributes['call.status']}`),
	};
}

/** The lane of a phone, from its dial to its end. */
function phoneLane({ id, started_at, ended_at, events, attributes }: Span, name: string, nowMs: number): Lane {
	const moments = [
		{ at: started_at, kind: attributes['leg.is_dialed'] ? 'dialed' : 'waiting' },
		...events.filter(({ name: kind }) => kind in LABELS).map(({ at, name: kind }) => ({ at, kind })),
	];
	const cause = `${attributes['leg.cause'] ?? ''}`;
	return {
		key: id,
		name,
		stretches: stretchesOf(moments, endMs(ended_at, nowMs)),
		end: LEG_ENDS[cause] ?? inWords(cause),
	};
}

/** The phones, in an order that does not change while they are being dialed. */
const phonesIn = ({ root }: CallStory['trace']): readonly Span[] =>
	root.children
		.filter(({ attributes }) => 'leg.role' in attributes)
		.sort((a, b) => `${a.attributes['leg.id']}`.localeCompare(`${b.attributes['leg.id']}`));

/** The lanes of a call's trace: the call itself, its team and its visitor. A part that has not ended lasts until `nowMs`. */
export function lanesOf({ trace }: Pick<CallStory, 'trace'>, nowMs: number): readonly Lane[] {
	let agents = 0;
	const phones = phonesIn(trace).map((phone) => {
		const name = phone.attributes['leg.role'] === 'visitor' ? 'Visitor' : `Team ${++agents}`;
		return phoneLane(phone, name, nowMs);
	});
	return [callLane(trace.root, nowMs), ...phones];
}

/** Whether the drawing may still change, because the call or one of its phones is live. */
export function isStoryLive({ trace }: Pick<CallStory, 'trace'>): boolean {
	return [trace.root, ...phonesIn(trace)].some(({ ended_at }) => ended_at === null);
}
