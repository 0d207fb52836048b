import { element } from './element.ts';
import { type CallRecord, clockTime, envelopeOf, type Ring, type Webhook } from './wire.ts';

/** What went on from one moment to the next. */
type Stretch = { readonly from_ms: number; readonly to_ms: number; readonly kind: string; readonly title: string };
type Lane = { readonly name: string; readonly stretches: readonly Stretch[]; readonly end: string };

/** A call that has only begun is not drawn wider than this. */
const LEAST_SPAN_MS = 6000;
const ENDS: ReadonlySet<string> = new Set(['completed', 'failed', 'canceled']);

export function isOver(call: CallRecord): boolean {
	return ENDS.has(call.status);
}

/** Moments in order, each lasting until the next and the last until `until_ms`. */
function stretchesOf(
	moments: readonly { readonly at: string; readonly kind: string }[],
	until_ms: number,
): readonly Stretch[] {
	return moments.map(({ at, kind }, index) => {
		const to = moments[index + 1]?.at;
		return {
			from_ms: Date.parse(at),
			to_ms: to === undefined ? until_ms : Date.parse(to),
			kind,
			title: `${kind} at ${clockTime(at)}`,
		};
	});
}

/** The call itself, by the events that were sent of it. */
function callLane(call: CallRecord, webhooks: readonly Webhook[], until_ms: number): Lane {
	const events = webhooks.map(envelopeOf).filter((envelope) => envelope?.data.id === call.id);
	const byKind = new Map(events.map((envelope) => [envelope?.data.status ?? '', envelope?.created_at ?? '']));
	const moments = [...byKind]
		.filter(([status]) => !ENDS.has(status))
		.map(([kind, at]) => ({ kind, at }))
		.sort((a, b) => a.at.localeCompare(b.at));
	const first = { kind: 'requested', at: call.created_at };
	return {
		name: 'Call',
		stretches: stretchesOf(moments.length > 0 ? moments : [first], until_ms),
		end: isOver(call) ? (call.failure_reason ?? call.status).replaceAll('_', ' ') : '',
	};
}

function legLane(name: string, rings: readonly Ring[], now_ms: number): Lane {
	const moments = rings.filter(({ what }) => !what.startsWith('callback'));
	const end = moments.find(({ what }) => what === 'ended');
	const until_ms = end ? Date.parse(end.at) : now_ms;
	const living = moments.filter(({ what }) => what !== 'ended').map(({ at, what }) => ({ at, kind: what }));
	return { name, stretches: stretchesOf(living, until_ms), end: end?.cause?.replaceAll('_', ' ') ?? '' };
}

function lanesOf(call: CallRecord, rings: readonly Ring[], webhooks: readonly Webhook[], now_ms: number): Lane[] {
	const mine = rings.filter(({ call_id }) => call_id === call.id);
	const legs = Map.groupBy(mine, ({ leg_id }) => leg_id);
	const until_ms = call.completed_at === null ? now_ms : Date.parse(call.completed_at);
	let agents = 0;
	return [
		callLane(call, webhooks, until_ms),
		...[...legs.values()].map((leg) =>
			legLane(leg[0]?.role === 'visitor' ? 'Visitor' : `Team ${++agents}`, leg, now_ms),
		),
	];
}

function laneElement({ name, stretches, end }: Lane, start_ms: number, span_ms: number): HTMLElement {
	const percent = (ms: number) => `${(Math.max(0, ms - start_ms) / span_ms) * 100}%`;
	const track = element('div', { class: 'track' });
	for (const { from_ms, to_ms, kind, title } of stretches) {
		const bar = element('span', { class: `bar ${kind}`, title });
		bar.style.insetInlineStart = percent(from_ms);
		bar.style.inlineSize = percent(start_ms + Math.max(0, to_ms - from_ms));
		track.append(bar);
	}
	const said = [...stretches.map(({ title }) => title), end].filter((text) => text !== '').join(', ');
	return element(
		'li',
		{},
		element('span', { class: 'lane' }, name),
		track,
		element('span', { class: 'end' }, end),
		element('span', { class: 'unseen' }, said),
	);
}

/** Who rang when: the call and each of its telephone connections, on one axis of time. */
export function timeline(
	call: CallRecord,
	rings: readonly Ring[],
	webhooks: readonly Webhook[],
	now_ms: number,
): HTMLElement {
	const lanes = lanesOf(call, rings, webhooks, isOver(call) ? endOf(call, rings) : now_ms);
	const start_ms = Date.parse(call.created_at);
	const latest = Math.max(...lanes.flatMap(({ stretches }) => stretches.map(({ to_ms }) => to_ms)));
	const span_ms = Math.max(LEAST_SPAN_MS, latest - start_ms);
	return element('ol', { class: 'timeline' }, ...lanes.map((lane) => laneElement(lane, start_ms, span_ms)));
}

/** When the last phone of a call that is over was put down. */
function endOf(call: CallRecord, rings: readonly Ring[]): number {
	const mine = rings.filter(({ call_id }) => call_id === call.id).map(({ at }) => Date.parse(at));
	return Math.max(Date.parse(call.completed_at ?? call.created_at), ...mine);
}
