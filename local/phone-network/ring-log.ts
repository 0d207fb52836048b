import { appendFileSync } from 'node:fs';
import { readJsonLines } from '../json-lines.ts';
import { openJournal } from './journal.ts';
import type { NetworkLeg } from './leg.ts';

export type RingLogEntry = Pick<
	NetworkLeg,
	'call_id' | 'leg_id' | 'role' | 'number_masked' | 'from' | 'person' | 'cause' | 'heard'
> & {
	readonly at: string;
	readonly what:
		| 'dialed'
		| 'ringing'
		| 'answered'
		| 'accepted'
		| 'hears'
		| 'joined'
		| 'ended'
		| 'callback_refused'
		| 'callback_given_up';
};
/** How many times a leg was dialed. The main purpose of this network is to find legs that were dialed more than once. */
export type DialCount = Pick<RingLogEntry, 'call_id' | 'leg_id' | 'role' | 'number_masked' | 'person'> & {
	readonly times: number;
};

export type RingLog = {
	note(what: RingLogEntry['what'], leg: NetworkLeg): void;
	/** Removes everything about a leg, in memory and in the file. */
	forget(legId: string): void;
	/** The last 10,000 entries, oldest first. */
	entries(): readonly RingLogEntry[];
	dials(): readonly DialCount[];
};

const KEPT = 10_000;

/**
 * Records which phone rang when, without phone numbers. If there is a file, the log begins with the entries of earlier
 * networks.
 */
export function ringLog(file: string | null): RingLog {
	let entries: RingLogEntry[] = [];
	const dials = new Map<string, DialCount>();
	const take = (entry: RingLogEntry): void => {
		entries.push(entry);
		if (entries.length > KEPT) entries.shift();
		if (entry.what !== 'dialed') return;
		const { call_id, leg_id, role, person, number_masked } = entry;
		const times = (dials.get(leg_id)?.times ?? 0) + 1;
		dials.set(leg_id, { call_id, leg_id, role, person, number_masked, times });
	};
	for (const entry of readJsonLines<RingLogEntry>(file, 'leg_id')) take(entry);
	return {
		note(what, leg) {
			const { call_id, leg_id, role, number_masked, from, person, cause, heard } = leg;
			const at = new Date().toISOString();
			const entry = { at, what, call_id, leg_id, role, number_masked, from, person, cause, heard };
			take(entry);
			if (file !== null) appendFileSync(file, `${JSON.stringify(entry)}\n`);
		},
		forget(legId) {
			entries = entries.filter((entry) => entry.leg_id !== legId);
			dials.delete(legId);
			openJournal(file, entries);
		},
		entries: () => entries,
		dials: () => [...dials.values()],
	};
}
