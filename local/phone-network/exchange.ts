import { createHmac, randomBytes } from 'node:crypto';
import type { DialBody, LegReport } from '../../shared/adapters/telephony/simulator/simulator.ts';
import { maskPhone } from '../../shared/domain/kernel/phone-mask.ts';
import { endNetworkLeg, type NetworkLeg, placeLeg, reportOf, type Time } from './leg.ts';
import type { RingLog } from './ring-log.ts';
import { scriptOf } from './scripts.ts';
import { type SwitchboardOptions, switchboard } from './switchboard.ts';

export type DialResult =
	| { readonly outcome: 'accepted'; readonly provider_id: string }
	| { readonly outcome: 'throttled' | 'refused' | 'failed' };

export type PhoneExchange = {
	readonly log: RingLog;
	/** Rings a phone at every dial. Like a real network, the network does not recognise that a leg was dialed before. */
	dial(body: DialBody): DialResult;
	hangup(providerId: string): 'hung_up' | 'already_over' | 'unknown';
	/** Removes a leg as if it had never been dialed. The leg must have ended, and its end must have been reported. */
	forget(providerId: string): 'forgotten' | 'live' | 'unknown';
	/** Finds a leg by the id that the stack or the network has given to the leg. Null if there is none. */
	lookup(id: string): LegReport | null;
	close(): void;
};

export function exchange(options: SwitchboardOptions): PhoneExchange {
	const board = switchboard(options);
	const throttledNumbers = new Set<string>();
	return {
		log: board.log,
		close: () => board.close(),
		dial(body) {
			const { dial } = scriptOf(body.to);
			if (dial === 'refuses') return { outcome: 'refused' };
			if (dial === 'throttles_once' && !throttledNumbers.has(body.leg_id)) {
				throttledNumbers.add(body.leg_id);
				return { outcome: 'throttled' };
			}
			const leg = newLeg(body, options.secret, board.time());
			board.add(leg);
			if (dial === 'fails_after_accepting') return { outcome: 'failed' };
			return { outcome: 'accepted', provider_id: leg.provider_id };
		},
		hangup(providerId) {
			const leg = board.legs.get(providerId);
			if (leg === undefined) return 'unknown';
			board.change(providerId, (now) => endNetworkLeg(now, 'hung_up', board.time()));
			return leg.state === 'ended' ? 'already_over' : 'hung_up';
		},
		forget(providerId) {
			const leg = board.legs.get(providerId);
			if (leg === undefined) return 'unknown';
			if (leg.state !== 'ended' || leg.outbox.length > 0) return 'live';
			board.forget(providerId);
			return 'forgotten';
		},
		lookup(id) {
			const leg = board.legs.get(id) ?? [...board.legs.values()].findLast((each) => each.leg_id === id);
			return leg === undefined ? null : reportOf(leg);
		},
	};
}

function newLeg(body: DialBody, secret: string, time: Time): NetworkLeg {
	const { leg_id, call_id, role, callback_base, leg_path, ring_seconds, to, from } = body;
	const input = {
		provider_id: `SIM${randomBytes(16).toString('hex')}`,
		leg_id,
		call_id,
		role,
		callback_base,
		leg_path,
		ring_seconds,
		person: createHmac('sha256', secret).update(to).digest('base64url').slice(0, 12),
		number_masked: maskPhone(to),
		from,
		script: scriptOf(to),
	};
	return placeLeg(input, time);
}
