import * as z from 'zod/mini';
import { callStatuses, failureReasons } from '../../shared/domain/calls/call.ts';
import { endCauses, type Leg, legRanks } from '../../shared/domain/calls/leg.ts';
import { languages } from '../../shared/domain/workspaces/language.ts';
import { ringOrders, ringStrategies } from '../../shared/domain/workspaces/workspace.ts';

// The evidence of one call: what we asked the provider, what it said, and what we decided. It has no number, name, secret or
// id of the provider: stand-ins take their place.

const at = z.iso.datetime();
const time = z.nullable(at);
const Said = z.record(z.string(), z.string());
const who = z.string().check(z.regex(/^(visitor|member m\d+)$/));

/** By our clock, in order. `said`: the provider's own names and values. */
const Step = z.discriminatedUnion('step', [
	/** We claimed the leg, and asked the provider to dial. */
	z.object({ step: z.literal('dialing'), at, who }),
	/** The provider's response. */
	z.object({
		step: z.literal('dial'),
		at,
		who,
		outcome: z.enum(['accepted', 'refused', 'throttled', 'dropped', 'unclear']),
		code: z.optional(z.string()),
		said: Said,
	}),
	/** A callback, or a request for instructions (`asks`). */
	z.object({ step: z.literal('callback'), at, who, asks: z.boolean(), said: Said }),
	z.object({ step: z.literal('hang_up'), at, who, outcome: z.string() }),
	z.object({ step: z.literal('look_up'), at, who, outcome: z.enum(['found', 'missing', 'unclear']), said: Said }),
	/** Time had passed, and we did what was due; `speed`: that of the phones. */
	z.object({ step: z.literal('time'), at, speed: z.number() }),
	z.object({ step: z.literal('cancel'), at }),
]);
export type Step = z.infer<typeof Step>;

const LegEvidence = z.object({
	who,
	rank: z.enum(legRanks),
	dialed_at: time,
	ringing_at: time,
	answered_at: time,
	accepted_at: time,
	ended_at: time,
	cause: z.nullable(z.enum(endCauses)),
	hangup_requested_at: time,
	refused_code: z.optional(z.string()),
});
export type LegEvidence = z.infer<typeof LegEvidence>;

export const Evidence = z.object({
	format: z.literal('call-evidence/2'),
	provider: z.enum(['twilio', 'telnyx', 'simulator']),
	/** As the table has it. */
	call: z.object({
		id: z.string(),
		created_at: at,
		language: z.enum(languages),
		visitor_name: z.nullable(z.string()),
		source_url: z.string(),
		reference: z.nullable(z.string()),
		plan: z.object({
			strategy: z.enum(ringStrategies),
			order: z.enum(ringOrders),
			members: z.array(z.string()),
		}),
		status: z.enum(callStatuses),
		failure_reason: z.nullable(z.enum(failureReasons)),
		connected_at: time,
		completed_at: time,
		duration_seconds: z.nullable(z.number()),
		legs: z.array(LegEvidence),
	}),
	steps: z.array(Step),
});
export type Evidence = z.infer<typeof Evidence>;

/** A call has at most one leg for each of its people. */
export function whoOf({ role, member }: Pick<Leg, 'role' | 'member'>): string {
	return role === 'visitor' ? role : `member ${member}`;
}

export function legEvidence(leg: Leg): LegEvidence {
	const { rank, dialed_at, ringing_at, answered_at, accepted_at, ended_at, cause, hangup_requested_at } = leg;
	const times = { dialed_at, ringing_at, answered_at, accepted_at, ended_at, hangup_requested_at };
	return { who: whoOf(leg), rank, cause, ...times, ...(leg.refused_code && { refused_code: leg.refused_code }) };
}
