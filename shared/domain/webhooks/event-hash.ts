import { createHash } from 'node:crypto';
import type { Event } from './event.ts';

// A file of its own: the console's pages import the event types, and a browser has no node:crypto.

const HASH_BYTES = 16;

/** Identifies an event with all its fields: 128 bits of SHA-256, as base64url. */
export function eventHash(event: Event): string {
	const { id, workspace_id, subject_id, kind, sequence, created_at, expires_at_epoch_s, body } = event;
	const facts = [id, workspace_id, subject_id, kind, sequence, created_at, expires_at_epoch_s, body];
	return createHash('sha256').update(JSON.stringify(facts)).digest().toString('base64url', 0, HASH_BYTES);
}
