import type { Instruction } from '../../../shared/domain/calls/instruction.ts';
import type { EndCause, LegFact, LegRole } from '../../../shared/domain/calls/leg.ts';
import type { Agenda } from './time.ts';

// People and their phones in virtual time. These are the real events, whether or not the service learns of them.

/** How a person behaves when called. */
export type Person = {
	readonly outcome: 'answers' | Exclude<EndCause, 'completed' | 'hung_up' | 'provider_error' | 'provider_rejected'>;
	/** From the dial until the phone rings, or until it is clear that it will not ring. */
	readonly rings_ms: number;
	/** From the first ring until the outcome. */
	readonly answers_ms: number;
	/** From the prompt until a team member presses 1. Null if the member never presses it. */
	readonly presses_ms: number | null;
	/** How long this person waits for the other person. */
	readonly waits_ms: number;
	/** How long this person talks, unless the other person leaves earlier. */
	readonly talks_ms: number;
};

/** What the network does with one callback. */
export type Line = { readonly lost: boolean; readonly delay_ms: number; readonly copies: number };

export type Dialed = {
	readonly leg_id: string;
	readonly role: LegRole;
	readonly member: number | null;
	readonly ring_ms: number;
};
/** The real state of one phone connection. */
export type Phone = Dialed & {
	readonly provider_id: string;
	readonly person: Person;
	rank: LegFact['rank'];
	ringing_at: string | null;
	answered_at: string | null;
	accepted_at: string | null;
	ended_at: string | null;
	cause: EndCause | null;
	in_conference: boolean;
	/** Whether this person has entered the conference, where the two people meet. */
	entered: boolean;
};

/** The service, to which the provider sends its requests. */
export type Receiver = {
	callback(legId: string, fact: LegFact): void | Promise<void>;
	/** The provider asks for a leg's instructions. If this request is lost, `instruct` is not called. */
	ask(legId: string, fact: LegFact, instruct: (instruction: Instruction | null) => void): void | Promise<void>;
};
export type World = {
	readonly time: Agenda;
	readonly visitor: Person;
	readonly team: readonly Person[];
	/** What happens to the next callback. */
	readonly line: () => Line;
	/** How many milliseconds the provider's clock is ahead of ours. */
	readonly skew_ms: number;
	/** Whether a leg's last report says when 1 was pressed. Not every provider knows this. */
	readonly ends_tell_presses: boolean;
};

const PROMPT_MS = 8000;
const HEARS_NOTHING_MS = 3000;
const ROOM_CLOSES_MS = 100;

export function phoneWorld(world: World, receiver: Receiver) {
	const { time } = world;
	const phones: Phone[] = [];
	const reports: { readonly leg_id: string; readonly fact: LegFact; readonly at_ms: number }[] = [];
	const clock = (): string => new Date(time.now() + world.skew_ms).toISOString();

	function factOf(phone: Phone, at: string): LegFact {
		const { provider_id, rank, ringing_at, answered_at, cause } = phone;
		const accepted_at = rank === 'ended' && !world.ends_tell_presses ? null : phone.accepted_at;
		return { provider_id, rank, at, ringing_at, answered_at, accepted_at, cause };
	}
	function report(phone: Phone): void {
		const { lost, delay_ms, copies } = world.line();
		const fact = factOf(phone, clock());
		reports.push({ leg_id: phone.leg_id, fact, at_ms: time.now() });
		if (lost) return;
		for (let copy = 0; copy < copies; copy += 1) {
			time.after(delay_ms * (copy + 1), () => receiver.callback(phone.leg_id, fact));
		}
	}
	function still(phone: Phone, rank: LegFact['rank'], ms: number, run: () => void | Promise<void>): void {
		time.after(ms, () => (phone.rank === rank ? run() : undefined));
	}
	function end(phone: Phone, cause: EndCause): void {
		if (phone.rank === 'ended') return;
		const wasJoined = phone.in_conference ? others(phone) : [];
		Object.assign(phone, { rank: 'ended', cause, ended_at: clock(), in_conference: false });
		report(phone);
		for (const other of wasJoined) time.after(ROOM_CLOSES_MS, () => end(other, 'completed'));
	}
	const others = (phone: Phone): Phone[] => phones.filter((each) => each !== phone && each.in_conference);

	function ring(phone: Phone): void {
		const { person, ring_ms } = phone;
		Object.assign(phone, { rank: 'ringing', ringing_at: clock() });
		report(phone);
		if (person.outcome === 'no_answer' || person.answers_ms >= ring_ms) {
			still(phone, 'ringing', ring_ms, () => end(phone, 'no_answer'));
			return;
		}
		const { outcome } = person;
		still(phone, 'ringing', person.answers_ms, () => (outcome === 'answers' ? answer(phone) : end(phone, outcome)));
	}
	function answer(phone: Phone): void | Promise<void> {
		Object.assign(phone, { rank: 'answered', answered_at: clock() });
		report(phone);
		return ask(phone);
	}
	function press(phone: Phone): void | Promise<void> {
		Object.assign(phone, { rank: 'accepted', accepted_at: clock() });
		report(phone);
		return ask(phone);
	}
	function ask(phone: Phone): void | Promise<void> {
		let heard = false;
		const askedAt = phone.rank;
		still(phone, askedAt, HEARS_NOTHING_MS, () => (heard ? undefined : end(phone, 'completed')));
		return receiver.ask(phone.leg_id, factOf(phone, clock()), (instruction) => {
			heard = true;
			if (phone.rank === askedAt) obey(phone, instruction);
		});
	}
	function obey(phone: Phone, instruction: Instruction | null): void {
		const { presses_ms } = phone.person;
		switch (instruction?.instruct) {
			case 'screen':
				if (presses_ms !== null && presses_ms < PROMPT_MS) still(phone, 'answered', presses_ms, () => press(phone));
				else still(phone, 'answered', PROMPT_MS, () => end(phone, 'completed'));
				break;
			case 'wait':
			case 'join':
				enter(phone);
				break;
			case 'hang_up':
			case undefined:
				end(phone, 'hung_up');
		}
	}
	function enter(phone: Phone): void {
		Object.assign(phone, { in_conference: true, entered: true });
		const [other] = others(phone);
		if (other === undefined) {
			time.after(phone.person.waits_ms, () => (others(phone).length === 0 ? end(phone, 'completed') : undefined));
			return;
		}
		const first = other.person.talks_ms < phone.person.talks_ms ? other : phone;
		time.after(first.person.talks_ms, () => end(first, 'completed'));
	}
	return {
		phones,
		/** Everything that the provider reported, whether it arrived or not. */
		reports,
		/** Starts a new phone at every dial, because providers do not notice that a dial is a repetition. */
		dial(dialed: Dialed): Phone {
			const person = dialed.role === 'visitor' ? world.visitor : world.team[dialed.member ?? 0];
			if (person === undefined) throw new Error('nobody has that number');
			const blank = {
				rank: 'dialing',
				ringing_at: null,
				answered_at: null,
				accepted_at: null,
				ended_at: null,
			} as const;
			const provider_id = `P${phones.length}`;
			const phone: Phone = {
				...dialed,
				...blank,
				provider_id,
				person,
				cause: null,
				in_conference: false,
				entered: false,
			};
			phones.push(phone);
			const { outcome, rings_ms } = person;
			const dead = outcome === 'busy' || outcome === 'unreachable';
			still(phone, 'dialing', rings_ms, () => (dead ? end(phone, outcome) : ring(phone)));
			return phone;
		},
		hangUp(providerId: string): 'done' | 'already_over' {
			const phone = phones.find((each) => each.provider_id === providerId);
			if (phone === undefined || phone.rank === 'ended') return 'already_over';
			end(phone, 'hung_up');
			return 'done';
		},
		lookUp(legId: string): LegFact | 'missing' {
			const phone = phones.find((each) => each.leg_id === legId);
			if (phone === undefined) return 'missing';
			const { ended_at, accepted_at, answered_at, ringing_at } = phone;
			return factOf(phone, ended_at ?? accepted_at ?? answered_at ?? ringing_at ?? clock());
		},
	};
}
