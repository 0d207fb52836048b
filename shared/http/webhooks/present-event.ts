import type * as z from 'zod/mini';
import type { WebhookEvent } from '../../contract/webhooks/events.ts';
import type { Event } from '../../domain/webhooks/event.ts';

/**
 * The envelope of an event. If this value is written as JSON again, the result is the bytes that were sent, because
 * JSON.parse keeps the order of the fields.
 */
export const envelopeOf = ({ body }: Pick<Event, 'body'>): z.infer<typeof WebhookEvent> => JSON.parse(body);
