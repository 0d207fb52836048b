import { createHmac, randomBytes } from 'node:crypto';
import type { DialBody, LegReport } from '../../shared/adapters/telephony/simulator-wire.ts';
import { maskPhone } from '../../shared/domain/phone-number.ts';
import { courier } from './courier.ts';
import { openJournal, readJournal } from './journal.ts';
import { dialed, ended, joined, type NetworkLeg, reportOf, stepped, type Time } from './leg.ts';
import { type RingLog, ringLog } from './ring-log.ts';
import { scriptOf } from './scripts.ts';
import { wallTimers } from './timers.ts';

/** Ended legs that can still be looked up. */
const ENDED_KEPT = 2000;

export type ExchangeOptions = {
	/** Divides every duration. */
	readonly speed: number;
	readonly secret: string;
	/** Where live legs and undelivered callbacks survive the process; null: nowhere. */
	readonly state_file: string | null;
	/** Where the log goes on from one process to the next; null: nowhere. */
	readonly log_file: string | null;
};

export type DialAnswer =
	| { readonly answer: 'accepted'; readonly provider_id: string }
	| { readonly answer: 'throttled' | 'refused' | 'failed' };

export type Exchange = {
	readonly log: RingLog;
	dial(body: DialBody): DialAnswer;
	hangup(provider_id: string): 'hung_up' | 'already_over' | 'unknown';
	/** By the stack's leg id or the network's own. */
	lookup(id: string): LegReport | null;
	/** Legs that are not over, and reports that are not delivered. */
	pending(): { readonly live_legs: number; readonly undelivered: number };
	close(): void;
};

/** The switches of the network: legs, what they do by themselves, and what the stack is told of it. */
export function exchange({ speed, secret, state_file, log_file }: ExchangeOptions): Exchange {
	const legs = new Map(readJournal<NetworkLeg>(state_file).map((leg) => [leg.provider_id, leg]));
	const journal = openJournal(state_file, () => remembered(legs));
	const log = ringLog(log_file);
	const timers = wallTimers();
	const throttled = new Set<string>();
	let open = true;
	const time = (): Time => ({ now_ms: Date.now(), second_ms: 1000 / speed });

	const mail = courier({ secret, timers, log, time, change });

	function change(provider_id: string, how: (leg: NetworkLeg) => NetworkLeg): void {
		const before = legs.get(provider_id);
		if (before === undefined || !open) return;
		const after = how(before);
		if (after === before) return;
		keep(after);
		if (before.state !== after.state && after.state !== 'dialing') log.note(after.state, after);
		if (!before.joined && after.joined) log.note('joined', after);
		if (before.in_room !== after.in_room) settleRoom(after.call_id);
	}
	function keep(leg: NetworkLeg): void {
		legs.set(leg.provider_id, leg);
		journal.write(leg);
		resume(leg);
	}
	function resume(leg: NetworkLeg): void {
		const { provider_id, next } = leg;
		if (next !== null) {
			timers.set(provider_id, next.at_ms, () => change(provider_id, (now) => stepped(now, time())));
		}
		mail.collect(leg);
	}
	/** An agent and the visitor in one room hear each other; when one of them leaves, the other has nobody to talk to. */
	function settleRoom(call_id: string): void {
		const room = [...legs.values()].filter((leg) => leg.call_id === call_id && leg.in_room);
		const complete = room.some((leg) => leg.role === 'agent') && room.some((leg) => leg.role === 'visitor');
		for (const { provider_id } of room) {
			change(provider_id, (leg) => {
				if (complete) return leg.joined ? leg : joined(leg, time());
				return leg.joined ? ended(leg, 'completed', time()) : leg;
			});
		}
	}
	function startLeg(body: DialBody): string {
		const { leg_id, call_id, role, callback_base, ring_seconds, to } = body;
		const provider_id = `SIM${randomBytes(16).toString('hex')}`;
		const person = createHmac('sha256', secret).update(to).digest('base64url').slice(0, 12);
		const given = { provider_id, leg_id, call_id, role, callback_base, ring_seconds, person };
		const leg = dialed({ ...given, number_masked: maskPhone(to), script: scriptOf(to) }, time());
		keep(leg);
		log.note('dialed', leg);
		return provider_id;
	}

	for (const leg of legs.values()) resume(leg);
	for (const call_id of new Set([...legs.values()].map((leg) => leg.call_id))) settleRoom(call_id);

	return {
		log,
		dial(body) {
			const { dial } = scriptOf(body.to);
			if (dial === 'refuses') return { answer: 'refused' };
			if (dial === 'throttles_once' && !throttled.has(body.leg_id)) {
				throttled.add(body.leg_id);
				return { answer: 'throttled' };
			}
			const provider_id = startLeg(body);
			return dial === 'fails_after_accepting' ? { answer: 'failed' } : { answer: 'accepted', provider_id };
		},
		hangup(provider_id) {
			const leg = legs.get(provider_id);
			if (leg === undefined) return 'unknown';
			if (leg.state === 'ended') return 'already_over';
			change(provider_id, (now) => ended(now, 'hung_up', time()));
			return 'hung_up';
		},
		lookup(id) {
			const leg = legs.get(id) ?? [...legs.values()].findLast((each) => each.leg_id === id);
			return leg === undefined ? null : reportOf(leg);
		},
		pending() {
			const all = [...legs.values()];
			const live_legs = all.filter((leg) => leg.state !== 'ended').length;
			return { live_legs, undelivered: all.reduce((sum, leg) => sum + leg.outbox.length, 0) };
		},
		close() {
			open = false;
			timers.stopAll();
		},
	};
}

/** What is worth keeping: all that is not over, and the latest of the rest. Forgets the others. */
function remembered(legs: Map<string, NetworkLeg>): Iterable<NetworkLeg> {
	const over = [...legs.values()].filter((leg) => leg.state === 'ended' && leg.outbox.length === 0);
	for (const leg of over.slice(0, Math.max(0, over.length - ENDED_KEPT))) legs.delete(leg.provider_id);
	return legs.values();
}
