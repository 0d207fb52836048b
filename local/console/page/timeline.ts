import { element, keyedList, say } from './element.ts';
import { isOver, type Lane, lanesOf, type Stretch } from './lanes.ts';
import type { CallStory, ShownCall } from './wire.ts';

/** Possible lengths of the axis for a live call, in seconds. The first one that is long enough is used. */
const SPANS = [12, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10_240] as const;
/** Possible seconds between two marks on the axis. The first one whose marks fit is used. */
const STEPS = [0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 600, 1800] as const;
/**
 * `MOST_MARKS`: how many marks fit on the narrowest axis. `MARKED`: marks are only in this first part of the axis, so that
 * the text of the last mark does not go beyond the axis.
 */
const MOST_MARKS = 4;
const MARKED = 0.84;

type Scale = { readonly start_ms: number; readonly span_ms: number };
/** A part of a lane on the scale. `start` and `size` are fractions of the whole axis. */
type Bar = Stretch & { readonly start: number; readonly size: number };

function scaleOf(call: ShownCall, lanes: readonly Lane[]): Scale {
	const start_ms = Date.parse(call.created_at);
	const latest = Math.max(...lanes.flatMap(({ stretches }) => stretches.map(({ to_ms }) => to_ms)));
	const lengthMs = Math.max(1000, latest - start_ms);
	const span = isOver(call) ? undefined : SPANS.find((seconds) => seconds * 1000 > lengthMs);
	return { start_ms, span_ms: span === undefined ? lengthMs : span * 1000 };
}

function percent(part: number): string {
	return `${(Math.max(0, part) * 100).toFixed(2)}%`;
}

function barElement({ kind, label, title }: Bar) {
	const bar = element('span', { class: `bar ${kind}`, title }, element('span', {}, label));
	return {
		element: bar,
		update({ start, size }: Bar): void {
			bar.style.insetInlineStart = percent(start);
			bar.style.inlineSize = percent(size);
		},
	};
}

type PlacedLane = Lane & { readonly scale: Scale };

function laneRow({ name }: PlacedLane) {
	const track = element('div', { class: 'track', 'aria-hidden': 'true' });
	const end = element('span', { class: 'end', 'aria-hidden': 'true' });
	const note = element('span', { class: 'unseen' });
	const showBars = keyedList(track, ({ kind, from_ms }: Bar) => `${kind} ${from_ms}`, barElement);
	return {
		element: element('li', { class: 'row' }, element('span', { class: 'lane' }, name), track, end, note),
		update({ stretches, end: ending, scale: { start_ms, span_ms } }: PlacedLane): void {
			const bars = stretches.map((stretch) => ({
				...stretch,
				start: (stretch.from_ms - start_ms) / span_ms,
				size: (stretch.to_ms - stretch.from_ms) / span_ms,
			}));
			showBars(bars);
			track.classList.toggle('over', ending !== '');
			say(end, ending);
			say(note, [...stretches.map(({ title }) => title), ending].filter((text) => text !== '').join(', '));
		},
	};
}

type Mark = { readonly second: number; readonly at: number };

function marksOf({ span_ms }: Scale): readonly Mark[] {
	const seconds = span_ms / 1000;
	const step = STEPS.find((each) => seconds / each <= MOST_MARKS) ?? seconds / MOST_MARKS;
	return Array.from({ length: MOST_MARKS }, (_, index) => ({
		second: index * step,
		at: (index * step) / seconds,
	})).filter(({ at }) => at <= MARKED);
}

function markElement({ second }: Mark) {
	const text = second < 120 ? `${Number(second.toFixed(1))}\u00a0s` : `${second / 60}\u00a0min`;
	const mark = element('span', { class: 'mark' }, text);
	return {
		element: mark,
		update({ at }: Mark): void {
			mark.style.insetInlineStart = percent(at);
		},
	};
}

/** A drawing of the call and of each of its phones on one time axis. The drawing is updated in place. */
export function timeline() {
	const rows = element('ol', { class: 'rows' });
	const axis = element('div', { class: 'axis', 'aria-hidden': 'true' });
	const showRows = keyedList(rows, ({ key }: PlacedLane) => key, laneRow);
	const showMarks = keyedList(axis, ({ second }: Mark) => `${second}`, markElement);
	return {
		element: element('div', { class: 'timeline' }, rows, axis),
		update(story: CallStory): void {
			const lanes = lanesOf(story, Date.now());
			const scale = scaleOf(story.call, lanes);
			showRows(lanes.map((lane) => ({ ...lane, scale })));
			showMarks(marksOf(scale));
		},
	};
}
