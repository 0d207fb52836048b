import type { EventKind } from '../../../shared/domain/webhooks/event.ts';
import { type Chance, chance } from './chance.ts';
import type { Failure, Kind, Receiver } from './faults.ts';
import type { Person } from './people.ts';

// Decides who does what in one world, by the seed alone.

const teamChanges = ['add', 'remove', 'move_up', 'rename', 'change the number', 'switch'] as const;
const ruleChanges = ['another region', 'refuse a prefix', 'allow all again', 'close', 'open'] as const;
export type Act = { readonly at_ms: number } & (
	| { readonly act: 'request'; readonly visitor: number; readonly twice: boolean }
	| { readonly act: 'leave a number'; readonly visitor: number }
	| { readonly act: 'use the link' | 'cancel own call' | 'cancel by the API' | 'poll' | 'spy' | 'replay dead letters' }
	| {
			readonly act: 'disable' | 'enable' | 'delete' | 'recover failed' | 'recover missing' | 'retry' | 'rotate';
			readonly endpoint: number;
	  }
	| { readonly act: 'create an endpoint' }
	| { readonly act: 'change the team'; readonly how: (typeof teamChanges)[number]; readonly nth: number }
	| { readonly act: 'change the rules'; readonly how: (typeof ruleChanges)[number]; readonly nth: number }
);
export type Scenario = {
	readonly acts: readonly Act[];
	readonly visitor: Person;
	readonly team: readonly Person[];
	/** The people whose numbers are not in the team at the start. */
	readonly others: readonly Person[];
	readonly strategy: 'simultaneous' | 'sequential' | 'round_robin';
	readonly order: 'agent_first' | 'visitor_first';
	/** First the endpoints that exist at the start, then those that acts create. */
	readonly receivers: readonly Receiver[];
	readonly endpoints: number;
	/** Events that do not come from a call. A flood has more of them than a call would make. */
	readonly events: readonly { readonly at_ms: number; readonly kind: EventKind }[];
};

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const ORIGIN = 'https://shop.example';
/** A text in all data of another customer. No response may contain it. */
export const CANARY = 'canary-of-the-other-customer';
const MOST_ENDPOINTS = 4;
const MOST_NUMBERS = 5;

export function scenarioOf(seed: number, kind: Exclude<Kind, 'flood'>): Scenario {
	const draw = chance(seed ^ 0x5eed);
	const acts: Act[] = [];
	const visitors = 1 + draw.below('visitors', 2);
	for (let visitor = 0; visitor < visitors; visitor += 1) {
		const at_ms = draw.below('at', 30_000);
		if (draw.next('wish') < 0.75) acts.push({ act: 'request', at_ms, visitor, twice: draw.next('twice') < 0.4 });
		else {
			acts.push({ act: 'leave a number', at_ms, visitor });
			acts.push({ act: 'use the link', at_ms: at_ms + 90_000 });
			if (draw.next('links') < 0.4) acts.push({ act: 'use the link', at_ms: at_ms + 90_000 });
		}
	}
	if (kind === 'rough') acts.push(...disturbances(draw));
	const visitorPerson = person(draw);
	const team = teamOf(draw);
	acts.push(...changesOfTheTeam(draw, acts));
	// In a calm world, no visitor is refused, so the rules do not change.
	if (kind !== 'calm') acts.push(...changesOfTheRules(draw, acts));
	return {
		acts: acts.sort((a, b) => a.at_ms - b.at_ms),
		visitor: visitorPerson,
		team,
		others: Array.from({ length: MOST_NUMBERS - team.length }, () => person(draw)),
		strategy: draw.pick('strategy', 'simultaneous', 'sequential', 'round_robin'),
		order: draw.pick('order', 'agent_first', 'agent_first', 'visitor_first'),
		receivers: Array.from({ length: MOST_ENDPOINTS }, () =>
			kind === 'rough' ? receiver(draw) : healthy(draw.pick('takes', 20, 20, 700)),
		),
		endpoints: draw.below('endpoints', 3),
		events: [],
	};
}

function disturbances(draw: Chance): Act[] {
	return Array.from({ length: draw.below('acts', 5) }, () => disturbance(draw)).flat();
}

function disturbance(draw: Chance): Act[] {
	const soon = draw.next('soon') < 0.6;
	const at_ms = draw.below('when', soon ? 2 * MINUTE_MS : 30 * HOUR_MS);
	const endpoint = draw.below('which', MOST_ENDPOINTS - 1);
	const ofService = ['cancel own call', 'cancel by the API', 'poll', 'spy', 'replay dead letters'] as const;
	if (draw.next('kind') < 0.45) return [{ act: draw.pick('of service', 'create an endpoint', ...ofService), at_ms }];
	const ofEndpoint = ['delete', 'recover failed', 'recover missing', 'retry', 'retry', 'rotate'] as const;
	const act = draw.pick('of endpoint', 'disable', 'disable', ...ofEndpoint);
	if (act !== 'disable' || draw.next('for good') < 0.2) return [{ act, at_ms, endpoint }];
	const enabledMs = at_ms + draw.below('enabled after', draw.pick('by', 100, MINUTE_MS, 6 * HOUR_MS));
	return [
		{ act, at_ms, endpoint },
		{ act: 'enable', at_ms: enabledMs, endpoint },
		...(draw.next('recover') < 0.6 ? [{ act: 'recover failed', at_ms: enabledMs + 1000, endpoint } as const] : []),
	];
}

/** In half of the worlds, the owner changes the team while calls are set up, often just as a phone is dialled. */
function changesOfTheTeam(draw: Chance, acts: readonly Act[]): Act[] {
	if (draw.next('owner') < 0.5) return [];
	return Array.from({ length: 1 + draw.below('changes', 6) }, (): Act[] => {
		const place = acts[draw.below('changed at', acts.length)]?.at_ms ?? 0;
		const at_ms = place + draw.below('changed', draw.pick('changed within', 150, 300, 45_000, 45_000, 150_000));
		const [first, ...more] = teamChanges;
		const change = {
			act: 'change the team',
			at_ms,
			// A change of the number is twice as likely as any other change, so that numbers often move between members during a
			// call.
			how: draw.pick('how', first, ...more, 'change the number'),
			nth: draw.below('nth', 60),
		} as const;
		if (change.how !== 'change the number' || draw.next('handed on') < 0.1) return [change];
		// The first member gets another number. Later, the second member gets the number that the first member had at the start.
		const laterMs = at_ms + draw.below('handed on after', 20_000);
		return [
			{ ...change, nth: 2 },
			{ ...change, nth: 5, at_ms: laterMs },
		];
	}).flat();
}

/** In a third of the worlds that are not calm, the operator changes the rules, often just as a phone is dialled. */
function changesOfTheRules(draw: Chance, acts: readonly Act[]): Act[] {
	if (draw.next('operator') < 0.67) return [];
	return Array.from({ length: 1 + draw.below('rules', 4) }, (): Act => {
		const place = acts[draw.below('ruled at', acts.length)]?.at_ms ?? 0;
		const at_ms = place + draw.below('ruled', draw.pick('ruled within', 150, 300, 45_000));
		const how = draw.pick('ruled how', ...(['refuse a prefix', 'refuse a prefix', ...ruleChanges] as const));
		return { act: 'change the rules', at_ms, how, nth: draw.below('ruled nth', 60) };
	});
}

/** One or two members. The second may sit next to the first, and then presses 1 at almost the same moment. */
function teamOf(draw: Chance): readonly Person[] {
	const first = person(draw);
	if (draw.next('team') < 0.5) return [first];
	const { presses_ms } = first;
	if (draw.next('beside') < 0.7 || presses_ms === null) return [first, person(draw)];
	return [first, { ...first, presses_ms: presses_ms - 60 + draw.below('presses beside', 120) }];
}

export function person(draw: Chance): Person {
	return {
		outcome: draw.pick(
			'outcome',
			...([
				'answers',
				'answers',
				'answers',
				'answers',
				'answers',
				'busy',
				'no_answer',
				'rejected',
				'unreachable',
			] as const),
		),
		rings_ms: 500 + draw.below('rings', 3000),
		answers_ms: 1000 + draw.below('answers', 24_000),
		presses_ms: draw.next('presses') < 0.15 ? null : 500 + draw.below('presses at', 6000),
		waits_ms: 10_000 + draw.below('waits', 60_000),
		talks_ms: 2000 + draw.below('talks', 200_000),
	};
}

const QUIET: Failure = { status: 500, retry_after: null, takes_ms: 20 };
export const healthy = (takes_ms: number): Receiver => ({
	takes_ms,
	down: [],
	while_down: QUIET,
	refuses: [],
	refusal: QUIET,
});

function receiver(draw: Chance): Receiver {
	const takes_ms = draw.pick('takes', 20, 20, 700, 15_000);
	const status = draw.pick('bad answer', 500, 503, 503, 429, null, 410);
	const retry_after = draw.pick('retry after', null, null, '7', '4000');
	const recoversMs = draw.below('recovers', draw.pick('by', 60_000, 6 * HOUR_MS));
	const to_ms = draw.next('for ever') < 0.15 ? Number.POSITIVE_INFINITY : recoversMs;
	const down = draw.next('bad') < 0.5 ? [{ from_ms: 0, to_ms }] : [];
	return { ...healthy(takes_ms), down, while_down: { status, retry_after, takes_ms } };
}
