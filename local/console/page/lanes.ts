import { type CallStory, type CallWebhook, clockTime, type Ring, type ShownCall } from './wire.ts';

/** A span from one moment to the next; `label` is its name for people. */
export type Stretch = {
	readonly from_ms: number;
	readonly to_ms: number;
	readonly kind: string;
	readonly label: string;
	readonly title: string;
};
/** One line of the drawing: the call as the API reports it, or one of its phones. */
export type Lane = {
	readonly key: string;
	readonly name: string;
	readonly stretches: readonly Stretch[];
	/** How it ended; empty while it is live. */
	readonly end: string;
};

const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled']);
const LABELS: Readonly<Record<string, string>> = {
	requested: 'requested',
	dialed: 'dialled',
	ringing: 'ringing',
	answered: 'answered',
	accepted: 'pressed 1',
	joined: 'talking',
	connected: 'connected',
};

const LEG_ENDS: Readonly<Record<string, string>> = { completed: 'hung up', hung_up: 'let go' };

export function isOver(call: ShownCall): boolean {
	return ENDS.has(call.status);
}

/** A readable form of a code of the API. */
export function inWords(code: string): string {
	return code.replaceAll('_', ' ');
}

/** Turns ordered moments into spans: each lasts until the next, the last until `untilMs`. */
function stretchesOf(
	moments: readonly { readonly at: string; readonly kind: string }[],
	untilMs: number,
): readonly Stretch[] {
	return moments.map(({ at, kind }, index) => {
		const to = moments[index + 1]?.at;
		const label = LABELS[kind] ?? kind;
		return {
			from_ms: Date.parse(at),
			to_ms: to === undefined ? untilMs : Date.parse(to),
			kind,
			label,
			title: `${label} at ${clockTime(at)}`,
		};
	});
}

/** The call's own lane, from its events. */
function callLane(call: ShownCall, webhooks: readonly CallWebhook[], untilMs: number): Lane {
	const byKind = new Map(webhooks.map(({ status, created_at }) => [status, created_at]));
	const moments = [...byKind]
		.filter(([status]) => status in LABELS)
		.map(([kind, at]) => ({ kind, at }))
		.sort((a, b) => a.at.localeCompare(b.at));
	const first = { kind: 'requested', at: call.created_at };
	return {
		key: call.id,
		name: 'Call',
		stretches: stretchesOf(moments.length > 0 ? moments : [first], untilMs),
		end: isOver(call) ? inWords(call.failure_reason ?? call.status) : '',
	};
}

function legLane(key: string, name: string, rings: readonly Ring[], nowMs: number): Lane {
	const moments = rings.filter(({ what }) => !what.startsWith('callback'));
	const end = moments.find(({ what }) => what === 'ended');
	const untilMs = end ? Date.parse(end.at) : nowMs;
	const living = moments.filter(({ what }) => what !== 'ended').map(({ at, what }) => ({ at, kind: what }));
	return {
		key,
		name,
		stretches: stretchesOf(living, untilMs),
		end: end?.cause ? (LEG_ENDS[end.cause] ?? inWords(end.cause)) : '',
	};
}

/** The lanes of a call: the call itself, its team, its visitor. Live spans last until `nowMs`. */
export function lanesOf({ call, rings, webhooks }: CallStory, nowMs: number): readonly Lane[] {
	const untilMs = call.completed_at === null ? nowMs : Date.parse(call.completed_at);
	let agents = 0;
	const legs = [...Map.groupBy(rings, ({ leg_id }) => leg_id)].map(([id, leg]) =>
		legLane(id, leg[0]?.role === 'visitor' ? 'Visitor' : `Team ${++agents}`, leg, nowMs),
	);
	return [callLane(call, webhooks, untilMs), ...legs];
}

/** Whether the drawing still changes: the call or one of its phones is live. */
export function isStoryLive({ call, rings }: CallStory): boolean {
	const legs = new Set(rings.map(({ leg_id }) => leg_id));
	return !isOver(call) || rings.filter(({ what }) => what === 'ended').length < legs.size;
}
