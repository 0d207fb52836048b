/** The event types. The specification fixes this list. */
export const eventKinds = [
	'call.requested',
	'call.ringing',
	'call.connected',
	'call.completed',
	'call.failed',
	'callback.requested',
] as const;
export type EventKind = (typeof eventKinds)[number];

/**
 * A committed fact about a call or a callback lead. Its key is the subject and the event type, so the same fact cannot
 * exist twice. `body` is the envelope's bytes, created once and identical in every attempt.
 */
export type Event = {
	readonly id: string;
	readonly workspace_id: string;
	/** The id of the call or callback lead that the event is about. */
	readonly subject_id: string;
	readonly kind: EventKind;
	/** Counts the events of one subject from 1, so a receiver can drop a stale one. */
	readonly sequence: number;
	readonly body: string;
	readonly created_at: string;
	readonly expires_at_epoch_s: number;
};

/** The lifetime of events, deliveries and attempts. */
export const EVENT_RETENTION_SECONDS = 30 * 24 * 3600;

/**
 * Builds an event with its envelope (the specification's "Event envelope").
 * `data` is written as given, so it must contain only the fields that the contract lists for the event type.
 */
export function makeEvent(input: {
	readonly id: string;
	readonly workspace_id: string;
	readonly subject_id: string;
	readonly kind: EventKind;
	readonly sequence: number;
	readonly created_at: string;
	readonly data: Readonly<Record<string, string | number | null>>;
}): Event {
	const { data, ...facts } = input;
	const envelope = { id: input.id, event: input.kind, created_at: input.created_at, data };
	return eventOf({ ...facts, body: JSON.stringify(envelope) });
}

/** An event whose envelope exists already. */
export function eventOf(facts: Omit<Event, 'expires_at_epoch_s'>): Event {
	return { ...facts, expires_at_epoch_s: Math.floor(Date.parse(facts.created_at) / 1000) + EVENT_RETENTION_SECONDS };
}

type Envelope = { readonly id: string; readonly data: Readonly<Record<string, unknown>> };

/**
 * A callback lead's event without what identifies an erased person, and with the time of the erasure; null if that was done
 * before. Events of calls identify no person, and have exactly the members that the specification lists.
 */
export function erasedEvent(event: Event, erased_at: string): Event | null {
	const envelope: Envelope = JSON.parse(event.body);
	const { reference: _erased, ...data } = envelope.data;
	if ('erased_at' in data) return null;
	return { ...event, body: JSON.stringify({ ...envelope, data: { ...data, erased_at } }) };
}
