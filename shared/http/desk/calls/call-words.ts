import { isTerminal } from '../../../domain/calls/call.ts';
import type { CallRecord } from '../../../domain/calls/call-record.ts';
import type { EndCause } from '../../../domain/calls/leg.ts';
import { shortened } from '../../../domain/kernel/visible-line.ts';
import type { Span } from '../../../domain/trace/span.ts';
import type { DeskTexts } from '../../../presentation/desk-texts.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { length } from '../kit/times.ts';
import type { View } from '../kit/view.ts';
import type { CallLanes } from './call-lanes.ts';

// The words beside the lines of a call. With them, a person can understand the call without the drawing.

const secondsBetween = (from: string | number, to: string | number): number =>
	Math.max(0, Math.round((new Date(to).getTime() - new Date(from).getTime()) / 1000));

/** When both people were connected and how long they talked. If they were not connected, when the call ended, or its state. */
export function callWords(call: CallRecord, { from_ms, to_ms, talk_ms }: CallLanes, { texts, language }: View): string {
	const { timeline, status } = texts;
	const { duration_seconds } = call;
	if (talk_ms === null && !isTerminal(call.status)) return status[call.status];
	if (talk_ms === null) return fillIn(timeline.ends.completed, length(secondsBetween(from_ms, to_ms), language));
	const connected = fillIn(timeline.connected, length(secondsBetween(from_ms, talk_ms), language));
	if (!isTerminal(call.status)) return `${connected} · ${status[call.status]}`;
	return `${connected} · ${fillIn(timeline.talked, length(duration_seconds ?? 0, language))}`;
}

/** Who was rung, by the name that the member had at that time. If the call stored no name, the member's current name. */
export function phoneName(
	{ attributes }: Span,
	{ legs, is_test }: CallRecord,
	{ at, texts }: View,
	most = Number.POSITIVE_INFINITY,
): Markup {
	const { timeline, by_member } = texts;
	const visitor = attributes['leg.role'] === 'visitor';
	if (visitor && !is_test) return html`${timeline.visitor}`;
	const { team, former_members = [] } = at.workspace;
	const nameThen = legs.find(({ id }) => id === attributes['leg.id'])?.member_name;
	const member = [...team, ...former_members].find(({ id }) => id === attributes['leg.member_id']);
	const name = nameThen ?? member?.name ?? member?.phone_masked ?? by_member.former;
	return html`<bdi>${readableMask(shortened(name, most))}</bdi>${visitor && html` (${timeline.visitor})`}`;
}

type Ended = Exclude<EndCause, 'provider_error' | 'provider_rejected'>;
const isEnded = (cause: string, ends: DeskTexts['timeline']['ends']): cause is Ended => Object.hasOwn(ends, cause);

const momentOf = ({ events }: Span, name: string): string | undefined =>
	events.find((event) => event.name === name)?.at;
const causeOf = ({ attributes }: Span): string => String(attributes['leg.cause'] ?? '');

/** What happened on a phone, in words. */
export function phoneWords(phone: Span, view: View): string {
	const { timeline } = view.texts;
	const { started_at, ended_at, attributes } = phone;
	if (causeOf(phone) === 'voicemail') return timeline.ends.voicemail;
	const answered = momentOf(phone, 'answered');
	if (answered === undefined) return notAnswered(phone, view);
	const after = fillIn(timeline.answered, length(secondsBetween(started_at, answered), view.language));
	const isReady = attributes['leg.role'] === 'visitor' || momentOf(phone, 'accepted') !== undefined;
	return isReady || ended_at === null ? after : `${after} · ${timeline.not_accepted}`;
}

function notAnswered(phone: Span, { texts, language }: View): string {
	const { timeline, reasons } = texts;
	const { started_at, ended_at, attributes } = phone;
	const cause = causeOf(phone);
	if (cause === 'provider_error' || cause === 'provider_rejected') return reasons[cause];
	if (attributes['leg.is_dialed'] !== true) return ended_at === null ? timeline.queued : timeline.not_rung;
	const ringing = momentOf(phone, 'ringing');
	if (ended_at === null) return ringing === undefined ? timeline.kinds.dialed : timeline.kinds.ringing;
	const rang = length(secondsBetween(ringing ?? started_at, ended_at), language);
	return fillIn(timeline.ends[isEnded(cause, timeline.ends) ? cause : 'completed'], rang);
}
