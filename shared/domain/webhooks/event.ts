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
 * Something that happened to a call or a callback lead, and that was committed. Its key is the subject and the event type,
 * so that the same fact cannot exist twice. `body` holds the bytes of the envelope. These bytes are made once and are the
 * same in every attempt.
 */
export type Event = {
	readonly id: string;
	readonly workspace_id: string;
	/** The id of the call or callback lead that the event is about. */
	readonly subject_id: string;
	readonly kind: EventKind;
	/**
	 * The number of this event among the events of its subject, beginning with 1. A receiver can ignore an event with a
	 * lower number than an event that it has seen.
	 */
	readonly sequence: number;
	readonly body: string;
	readonly created_at: string;
	readonly expires_at_epoch_s: number;
};

/** How long events, deliveries and attempts are kept. */
export const EVENT_RETENTION_SECONDS = 30 * 24 * 3600;

/**
 * Makes an event with its envelope (the specification's "Event envelope"). `data` is written as it is given, so it must
 * contain only the fields that the contract lists for the event type.
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

/** An event from an envelope that exists already. */
export function eventOf(facts: Omit<Event, 'expires_at_epoch_s'>): Event {
	return { ...facts, expires_at_epoch_s: Math.floor(Date.parse(facts.created_at) / 1000) + EVENT_RETENTION_SECONDS };
}

type Envelope = { readonly id: string; readonly data: Readonly<Record<string, unknown>> };

/**
 * The event of a callback lead without the data that identifies an erased person, and with the time of the erasure. Null if
 * the event was erased before. Events of calls identify no person, so an erasure does not change them.
 */
export function erasedEvent(event: Event, erased_at: string): Event | null {
	const envelope: Envelope = JSON.parse(event.body);
	const { reference: _erased, ...data } = envelope.data;
	if ('erased_at' in data) return null;
	return { ...event, body: JSON.stringify({ ...envelope, data: { ...data, erased_at } }) };
}
