import { randomBytes, randomFillSync } from 'node:crypto';
import { ulid } from 'ulid';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import { type LogFields, logFields } from '../ports/log-redaction.ts';

export const systemClock: Clock = { now: () => Date.now() };

/** Draws random bytes for many ids at once. */
const pool = new Uint8Array(1024);
let used_bytes = pool.length;

function byte(): number {
	if (used_bytes === pool.length) {
		randomFillSync(pool);
		used_bytes = 0;
	}
	const next = pool[used_bytes] ?? 0;
	used_bytes += 1;
	return next;
}

/** A fraction in 256 steps, of which an id uses 32 for each character, so that all are equally likely. */
const fraction = (): number => byte() / 256;

/** Plain ULIDs: the monotonic factory would make neighbours guessable, and a call's id is a secret. */
export const ulidIds: Ids = {
	next: (at_ms) => ulid(at_ms, fraction),
	random: (bytes) => (bytes === 1 ? Uint8Array.of(byte()) : randomBytes(bytes)),
};

/** Enforced at run time, too: a field that is not in this list, or not of its type, is left out. */
const typeOf = new Map<string, 'string' | 'number'>(Object.entries(logFields));

/** The maximum length of a value: enough for a stack, and more than any identifier. */
const LONGEST = 2000;

const writeOut = (line: string) => void process.stdout.write(line);

type Level = 'INFO' | 'WARN' | 'ERROR';

/**
 * Writes one line of JSON for each fact to the standard output. Lambda passes lines on unchanged and filters by `level` and
 * `timestamp`; a line without these counts as INFO ("Log-level filtering"). Every line includes `context`.
 */
export function jsonLog(context: LogFields, write: (line: string) => void = writeOut): Log {
	const always = permittedFields(context);
	const line = (level: Level, fact: string, fields: LogFields): void => {
		const head = { timestamp: new Date().toISOString(), level, fact };
		write(`${JSON.stringify({ ...head, ...always, ...permittedFields(fields) })}\n`);
	};
	return {
		info: (fact, fields) => line('INFO', fact, fields),
		warn: (fact, fields) => line('WARN', fact, fields),
		error: (fact, fields) => line('ERROR', fact, fields),
	};
}

/** At most `LONGEST` characters; the last one says if more were cut. */
const shortened = (text: string): string =>
	(text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text).toWellFormed();

function permittedFields(fields: LogFields): Record<string, string | number> {
	const fieldsToWrite: Record<string, string | number> = {};
	for (const [name, value] of Object.entries<unknown>(fields)) {
		const type = typeOf.get(name);
		if (type === 'string' && typeof value === 'string') fieldsToWrite[name] = shortened(value);
		if (type === 'number' && typeof value === 'number') fieldsToWrite[name] = value;
	}
	return fieldsToWrite;
}

type CacheEntry<T> = { readonly result: Promise<T>; readonly asked_ms: number };
type Limits = { readonly most?: number; readonly fresh_ms?: number; readonly now?: () => number };

/**
 * Requests each name once: all callers share the result for `fresh_ms` by the wall clock (without it, permanently). Caches
 * only the newest `most`. Waiting callers share a failure, but it is not cached.
 */
export function resultCache<T>({ most = Infinity, fresh_ms = Infinity, now = Date.now }: Limits = {}) {
	const entries = new Map<string, CacheEntry<T>>();
	return (name: string, ask: () => Promise<T>): Promise<T> => {
		const entry = entries.get(name);
		if (entry !== undefined && now() - entry.asked_ms < fresh_ms) return entry.result;
		const newEntry = { result: ask(), asked_ms: now() };
		entries.delete(name);
		entries.set(name, newEntry);
		newEntry.result.catch(() => entries.get(name) === newEntry && entries.delete(name));
		const [oldest] = entries.keys();
		if (entries.size > most && oldest !== undefined) entries.delete(oldest);
		return newEntry.result;
	};
}
