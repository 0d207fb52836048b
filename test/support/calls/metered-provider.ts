import { statusEvents } from '../../../shared/adapters/telephony/call-resource.ts';
import type { Instruction } from '../../../shared/domain/calls/instruction.ts';
import type { LegFact } from '../../../shared/domain/calls/leg.ts';
import type { Telephony } from '../../../shared/ports/telephony.ts';
import { type Person, phoneWorld } from '../phones/phone-world.ts';
import type { Agenda } from './agenda.ts';
import type { MeteredWorld } from './metered-world.ts';

const NETWORK_MS = 60;
/** What a provider calls a rank in the events that a dial asks for; a pressed key is none of them. */
const EVENT_OF: Readonly<Record<LegFact['rank'], string>> = {
	...{ dialing: 'initiated', ringing: 'ringing', answered: 'answered', accepted: '', ended: 'completed' },
};

/** Where a provider's requests go. */
export type Callbacks = {
	status(leg_id: string, fact: LegFact): Promise<void>;
	instruct(leg_id: string, fact: LegFact): Promise<Instruction | null>;
};

/** A team member who presses 1 after 9 s, and a visitor who is there after 18 s and hangs up after the talk. */
function people(talk_ms: number): { readonly team: readonly Person[]; readonly visitor: Person } {
	const person = { outcome: 'answers', rings_ms: 1000, waits_ms: 60_000 } as const;
	return {
		team: [{ ...person, answers_ms: 5000, presses_ms: 3000, talks_ms: talk_ms + 3600_000 }],
		visitor: { ...person, answers_ms: 8000, presses_ms: null, talks_ms: talk_ms },
	};
}

/** A provider that reports what the product's dials ask for, over phones in virtual time. */
export function meteredProvider(talk_ms: number, time: Agenda, world: Pick<MeteredWorld, 'asks'>, to: Callbacks) {
	const line = () => ({ lost: false, delay_ms: NETWORK_MS, copies: 1 });
	const told = new Map<string, readonly string[]>();
	const isTold = (leg_id: string, { rank }: LegFact) => told.get(leg_id)?.includes(EVENT_OF[rank]) ?? false;
	const phones = phoneWorld(
		{ ...people(talk_ms), time, line, skew_ms: 0, ends_tell_presses: false },
		{
			callback: (leg_id, fact) => (isTold(leg_id, fact) ? to.status(leg_id, fact) : undefined),
			ask: async (leg_id, fact, told) => told(await to.instruct(leg_id, fact)),
		},
	);
	const telephony: Telephony = {
		async dial({ leg_id, role, ring_seconds, tells_ringing }) {
			world.asks('dial');
			told.set(leg_id, statusEvents({ tells_ringing }));
			const member = role === 'agent' ? 0 : null;
			const { provider_id } = phones.dial({ leg_id, role, member, ring_ms: ring_seconds * 1000 });
			const at = new Date(time.now()).toISOString();
			const blank = { ringing_at: null, answered_at: null, accepted_at: null, cause: null };
			const fact = { provider_id, rank: 'dialing', at, ...blank } as const;
			if (isTold(leg_id, fact)) time.after(NETWORK_MS, () => to.status(leg_id, fact));
			return { dial: 'accepted', provider_id };
		},
		async hangup(provider_id) {
			world.asks('hangup');
			return { hangup: phones.hangUp(provider_id) };
		},
		async lookup(leg_id) {
			world.asks('lookup');
			const fact = phones.lookUp(leg_id);
			return fact === 'missing' ? { lookup: 'missing' } : { lookup: 'found', fact };
		},
		receive: async ({ raw_body }) => ({ received: 'fact', fact: JSON.parse(raw_body) }),
		render: (instruction) => ({ content_type: 'text/xml', body: JSON.stringify(instruction) }),
	};
	return telephony;
}
