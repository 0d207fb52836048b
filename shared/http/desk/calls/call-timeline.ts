import type { CallRecord } from '../../../domain/calls/call-record.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { textsIn } from '../../../presentation/team-texts.ts';
import { momentTime } from '../kit/times.ts';
import type { View } from '../kit/view.ts';
import { type Axis, axisOf } from './call-axis.ts';
import { type CallLanes, callLanes, type LanePart, type StretchKind } from './call-lanes.ts';
import { callWords, phoneName, phoneWords } from './call-words.ts';

/** The least width of a part of a line, in percent of the drawing. */
const NARROWEST = 0.6;
/**
 * The most characters of a name beside its line, and in each row of the table, so that the page of a call that rang 20
 * phones stays small.
 */
const MOST_SHOWN = 48;
const MOST_REPEATED = 18;
const SAME_LINES = html`<use href="#ticks"></use>`;
const PHONE_KINDS: readonly StretchKind[] = ['waiting', 'dialed', 'ringing', 'answered', 'accepted', 'talking'];

/**
 * What happened in a call: a drawing with a line for the call and one for each phone, words beside each line, and a table of
 * every moment with its time.
 */
export function callTimeline(call: CallRecord, view: View): Markup {
	const lanes = callLanes(call, view.now_ms);
	const axis = axisOf(lanes);
	const { timeline } = view.texts;
	const draw = (stretches: readonly LanePart[], lines = SAME_LINES) => laneDrawing(stretches, axis, view, lines);
	const phones = lanes.phones.map(
		({ phone, stretches }) => html`<li><p><strong>${phoneName(phone, call, view, MOST_SHOWN)}</strong>
<span class="soft">${phoneWords(phone, view)}</span></p>${draw(stretches)}</li>
`,
	);
	const used = new Set([lanes.call, ...lanes.phones.map(({ stretches }) => stretches)].flat().map(({ kind }) => kind));
	const legend = PHONE_KINDS.filter((kind) => used.has(kind)).map((kind) => {
		const sample = html`<rect class="${kind}" width="100%" height="100%" rx="4"></rect>`;
		return html`<span><svg width="14" height="14" aria-hidden="true">${sample}</svg> ${timeline.kinds[kind]}</span> `;
	});
	return html`<section class="card" aria-labelledby="timeline"><h2 id="timeline">${timeline.title}</h2>
<ol class="lanes"><li><p><strong>${timeline.call}</strong> <span class="soft">${callWords(call, lanes, view)}</span></p>
${draw(lanes.call, tickLines(axis, view))}</li>
${phones}<li class="scale" aria-hidden="true"><p></p>${tickLabels(axis, view)}</li></ol>
<p class="soft legend">${legend}</p>
${axis.cut !== null && html`<p class="soft">${timeline.cut}</p>`}
${everyMoment(call, lanes, view)}</section>
`;
}

/** Whether time runs from right to left in the drawing. It does if the page's language is written from right to left. */
const isMirrored = ({ language }: View): boolean => textsIn(language).dir === 'rtl';
const percent = (value: number): string => `${Math.round(value * 100) / 100}%`;

/** Aligns a label so that it stays within the drawing. */
function anchorAt(percent: number): 'start' | 'middle' | 'end' {
	if (percent < 6) return 'start';
	return percent > 94 ? 'end' : 'middle';
}

/** The lines at the ticks of the axis. The first drawing contains them, and the other drawings refer to these lines. */
function tickLines({ ticks }: Axis, view: View): Markup {
	const lines = ticks.map(({ at }) => {
		const x = percent(isMirrored(view) ? 100 - at : at);
		return html`<line x1="${x}" x2="${x}" y1="0" y2="100%"></line>`;
	});
	return html`<g id="ticks">${lines}</g>`;
}

function laneDrawing(stretches: readonly LanePart[], { place, cut }: Axis, view: View, lines: Markup): Markup {
	const mirrored = isMirrored(view);
	const rects = stretches.map(({ kind, from_ms, to_ms }) => {
		const from = Math.min(place(from_ms), 100 - NARROWEST);
		const width = Math.max(place(to_ms) - from, NARROWEST);
		const x = mirrored ? 100 - from - width : from;
		return html`<rect class="${kind}" x="${percent(x)}" width="${percent(width)}"></rect>`;
	});
	const isCut = cut !== null && stretches.some(({ from_ms, to_ms }) => place(from_ms) < cut && cut < place(to_ms));
	const middle = cut !== null && mirrored ? 100 - cut : (cut ?? 0);
	const gap =
		isCut && html`<line class="gap" x1="${percent(middle - 0.7)}" x2="${percent(middle + 0.7)}" y1="23" y2="3"></line>`;
	return html`<svg class="lane" aria-hidden="true">${lines}${rects}${gap}</svg>`;
}

function tickLabels({ ticks }: Axis, view: View): Markup {
	const labels = ticks.map(({ at, label }) => {
		const x = isMirrored(view) ? 100 - at : at;
		return html`<text x="${percent(x)}" y="14" text-anchor="${anchorAt(x)}">${label}</text>`;
	});
	return html`<svg class="lane">${labels}</svg>`;
}

/**
 * A table of every moment, with its time on the shop's clock. It is for people who need the exact time, and for screen
 * readers.
 */
function everyMoment(call: CallRecord, { phones }: CallLanes, view: View): Markup {
	const { timeline } = view.texts;
	const { created_at, connected_at, completed_at } = call;
	const own = [
		{ at: created_at, says: timeline.requested },
		{ at: connected_at, says: timeline.kinds.talking },
		{ at: completed_at, says: timeline.ended },
	].map((each) => ({ ...each, who: html`${timeline.call}` }));
	const others = phones.flatMap(({ phone }) => {
		const who = phoneName(phone, call, view, MOST_REPEATED);
		const says = (name: string): string | undefined => new Map(Object.entries(timeline.kinds)).get(name);
		return [
			{ who, at: phone.attributes['leg.is_dialed'] === true ? phone.started_at : null, says: timeline.kinds.dialed },
			...phone.events.map(({ at, name }) => ({ who, at, says: says(name) })),
			{ who, at: phone.ended_at, says: timeline.ended },
		];
	});
	const rows = [...own, ...others]
		.flatMap(({ at, says, who }) => (at === null || says === undefined ? [] : [{ at, says, who }]))
		.sort((a, b) => a.at.localeCompare(b.at))
		.map(
			({ at, says, who }) => html`<tr><td><time datetime="${at}">${momentTime(at, view)}</time></td>
<td>${who}</td><td>${says}</td></tr>`,
		);
	return html`<details class="moments"><summary>${timeline.moments}</summary><table><tbody>${rows}</tbody></table></details>`;
}
