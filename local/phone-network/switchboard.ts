import { readJsonLines } from '../json-lines.ts';
import { courier } from './courier.ts';
import { openJournal } from './journal.ts';
import { afterJoin, afterStep, endNetworkLeg, type NetworkLeg, type Time } from './leg.ts';
import { type RingLog, ringLog } from './ring-log.ts';
import { wallTimers } from './timers.ts';

/** How many legs that ended in an earlier process can still be looked up. */
const ENDED_KEPT = 2000;

export type SwitchboardOptions = {
	/** Every duration is divided by this number. */
	readonly speed: number;
	readonly secret: string;
	/** The file that stores live legs, and callbacks that were not delivered, for the next process. Null if nothing is stored. */
	readonly state_file: string | null;
	/** The file that stores the log for the next process. Null if nothing is stored. */
	readonly log_file: string | null;
};

export type Switchboard = {
	readonly log: RingLog;
	/** The legs by the network's own id. */
	readonly legs: ReadonlyMap<string, NetworkLeg>;
	time(): Time;
	add(leg: NetworkLeg): void;
	/** Changes a leg. `how` gets the leg in its current state, which may have changed during a request. */
	change(providerId: string, how: (leg: NetworkLeg) => NetworkLeg): void;
	/** Removes a leg from memory and from both files. */
	forget(providerId: string): void;
	/** Stops everything. Live legs stay in the state file. */
	close(): void;
};

export function switchboard({ speed, secret, state_file, log_file }: SwitchboardOptions): Switchboard {
	const legs = rememberedLegs(readJsonLines<NetworkLeg>(state_file, 'provider_id'));
	let journal = openJournal(state_file, legs.values());
	const log = ringLog(log_file);
	const timers = wallTimers();
	const time = (): Time => ({ now_ms: Date.now(), second_ms: 1000 / speed });
	const mail = courier({ secret, timers, log, time, change });
	let open = true;

	function change(providerId: string, how: (leg: NetworkLeg) => NetworkLeg): void {
		const before = legs.get(providerId);
		if (before === undefined || !open) return;
		const after = how(before);
		if (after === before) return;
		keep(after);
		if (before.state !== after.state && after.state !== 'dialing') log.note(after.state, after);
		if (before.heard !== after.heard) log.note('hears', after);
		if (!before.joined && after.joined) log.note('joined', after);
		if (before.in_conference !== after.in_conference) settleRoom(after.call_id);
	}
	function keep(leg: NetworkLeg): void {
		legs.set(leg.provider_id, leg);
		journal.write(leg);
		resume(leg);
	}
	function resume(leg: NetworkLeg): void {
		const { provider_id, next } = leg;
		if (next !== null) {
			timers.set(provider_id, next.at_ms, () => change(provider_id, (now) => afterStep(now, time())));
		}
		mail.collect(leg);
	}
	function settleRoom(callId: string): void {
		const conference = [...legs.values()].filter((leg) => leg.call_id === callId && leg.in_conference);
		for (const { provider_id } of conference) change(provider_id, (leg) => inCompany(leg, conference, time()));
	}

	for (const leg of legs.values()) resume(leg);
	for (const callId of new Set([...legs.values()].map((leg) => leg.call_id))) settleRoom(callId);
	return {
		log,
		legs,
		time,
		change,
		add(leg) {
			keep(leg);
			log.note('dialed', leg);
		},
		forget(providerId) {
			const leg = legs.get(providerId);
			if (leg === undefined) return;
			legs.delete(providerId);
			journal = openJournal(state_file, legs.values());
			log.forget(leg.leg_id);
		},
		close() {
			open = false;
			timers.stopAll();
		},
	};
}

/**
 * The leg after its conference has changed. If an agent and the visitor are in the conference, they hear each other. If one of
 * them leaves, the leg of the other ends.
 */
function inCompany(leg: NetworkLeg, conference: readonly NetworkLeg[], time: Time): NetworkLeg {
	const complete = conference.some(({ role }) => role === 'agent') && conference.some(({ role }) => role === 'visitor');
	if (complete) return leg.joined ? leg : afterJoin(leg, time);
	return leg.joined ? endNetworkLeg(leg, 'completed', time) : leg;
}

/** The legs of an earlier process: all that are live, and the newest of those that have ended. */
function rememberedLegs(versions: readonly NetworkLeg[]): Map<string, NetworkLeg> {
	const legs = new Map(versions.map((leg) => [leg.provider_id, leg]));
	const over = [...legs.values()].filter((leg) => leg.state === 'ended' && leg.outbox.length === 0);
	for (const leg of over.slice(0, Math.max(0, over.length - ENDED_KEPT))) legs.delete(leg.provider_id);
	return legs;
}
