import type { EventKind } from '../webhooks/event.ts';
import type { Call, CallStatus } from './call.ts';

/** An event that a transition announces: exactly what the specification lists for call events. */
export type CallEvent = {
	readonly kind: EventKind;
	readonly data: {
		readonly id: string;
		readonly workspace_id: string;
		readonly status: CallStatus;
		readonly duration_seconds: number | null;
	};
};

/** The events between two statuses: each kind at most once, connected always before completed. */
export function eventsBetween(before: Call, after: Call): readonly CallEvent[] {
	if (before.status === after.status) return [];
	const { id, workspace_id, duration_seconds } = after;
	const eventOf = (kind: EventKind, status: CallStatus, seconds: number | null): CallEvent => {
		return { kind, data: { id, workspace_id, status, duration_seconds: seconds } };
	};
	const connected = eventOf('call.connected', 'connected', null);
	switch (after.status) {
		case 'requested':
			return [];
		case 'ringing':
			return [eventOf('call.ringing', 'ringing', null)];
		case 'connected':
			return [connected];
		case 'completed': {
			const completed = eventOf('call.completed', 'completed', duration_seconds);
			return before.status === 'connected' ? [completed] : [connected, completed];
		}
		case 'failed':
		case 'canceled':
			return [eventOf('call.failed', after.status, duration_seconds)];
	}
}
