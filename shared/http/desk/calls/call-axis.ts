import type { CallLanes } from './call-lanes.ts';

/**
 * The time axis of a call's drawing. `place` says where a time is drawn, in percent of the axis from its start. `ticks` are
 * the times that have a label.
 */
export type Axis = {
	readonly place: (ms: number) => number;
	/** `label`: minutes and seconds since the visitor requested the call, such as `1:05`. */
	readonly ticks: readonly { readonly at: number; readonly label: string }[];
	/**
	 * If the conversation is not drawn to scale but shorter, the place of a mark in its middle, in percent. Null if
	 * everything is drawn to scale.
	 */
	readonly cut: number | null;
};

/**
 * If a conversation is more than this many times as long as everything before it, the conversation is not drawn to scale but
 * shorter. Otherwise the part that shows which phones were rung would be too narrow.
 */
const LONG = 2;
const PART_BEFORE = 60;
const STEPS_SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600];
const MOST_STEPS = 5;
/**
 * The least distance between the last label and every other label, in percent. At this distance, labels do not touch on a
 * phone's screen.
 */
const APART = 12;

/** The axis of a call. Everything before the conversation is drawn to scale. */
export function axisOf({ from_ms, to_ms, talk_ms }: Pick<CallLanes, 'from_ms' | 'to_ms' | 'talk_ms'>): Axis {
	const wholeMs = Math.max(to_ms - from_ms, 1000);
	const beforeMs = Math.max((talk_ms ?? to_ms) - from_ms, 1000);
	const talkStart = talk_ms ?? to_ms;
	const isCut = to_ms - talkStart > LONG * beforeMs;
	const place = (ms: number): number => {
		if (!isCut) return ((ms - from_ms) / wholeMs) * 100;
		if (ms <= talkStart) return ((ms - from_ms) / beforeMs) * PART_BEFORE;
		return PART_BEFORE + ((ms - talkStart) / (to_ms - talkStart)) * (100 - PART_BEFORE);
	};
	const scaleEndMs = isCut ? talkStart : to_ms;
	const seconds = (scaleEndMs - from_ms) / 1000;
	const step = STEPS_SECONDS.find((each) => seconds / each <= MOST_STEPS) ?? Math.ceil(seconds / MOST_STEPS);
	const stops = Array.from({ length: Math.floor(seconds / step) + 1 }, (_, nth) => from_ms + nth * step * 1000);
	const ticks = [...stops.filter((ms) => 100 - place(ms) >= APART), ...(to_ms > from_ms ? [to_ms] : [])];
	return {
		place,
		ticks: ticks.map((ms) => ({ at: place(ms), label: minutesAndSeconds((ms - from_ms) / 1000) })),
		cut: isCut ? place((talkStart + to_ms) / 2) : null,
	};
}

function minutesAndSeconds(seconds: number): string {
	const whole = Math.round(seconds);
	return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
