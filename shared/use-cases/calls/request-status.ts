import type { Call } from '../../domain/calls/call.ts';
import type { Leg } from '../../domain/calls/leg.ts';
import { type PollMoment, pollInterval } from '../../domain/calls/poll-interval.ts';

/**
 * A visitor's phone counts as ringing as soon as it is dialed, because the provider is usually not asked to report the
 * ringing.
 */
const isRinging = ({ role, rank }: Leg): boolean => role === 'visitor' && (rank === 'dialing' || rank === 'ringing');

/**
 * The status of a call for the widget's page that has requested it. After the call's end, the status includes the duration of
 * the conversation. The page cannot count the duration exactly, because it may learn late that the call has ended.
 */
export function requestStatus(call: Call, moment: PollMoment) {
	const { id, status, failure_reason, connected_at, duration_seconds, legs } = call;
	const talks = status === 'connected' && connected_at !== null;
	return {
		id,
		status,
		poll_after_ms: pollInterval(call, moment),
		failure_reason,
		duration_seconds,
		visitor_phone_rings: status === 'ringing' && legs.some(isRinging),
		connected_for_ms: talks ? Math.max(0, moment.now_ms - Date.parse(connected_at)) : null,
	};
}
