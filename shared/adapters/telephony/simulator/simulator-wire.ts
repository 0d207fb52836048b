import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { endCauses } from '../../../domain/calls/leg.ts';
import { isSameSecret } from '../../../domain/kernel/same-secret.ts';
import { languages } from '../../../domain/workspaces/language.ts';
import { type ProviderRequest, type ReceiveOutcome, saidOf } from '../../../ports/telephony.ts';

// The protocol between the simulated phone network (local/phone-network) and its adapter.

export const SIGNATURE_HEADER = 'simulator-signature';
const TOLERANCE_SECONDS = 300;

export const DialBody = z.object({
	leg_id: z.string(),
	call_id: z.string(),
	role: z.enum(['agent', 'visitor']),
	to: z.string(),
	/** What the phone shows; null: the network's own number. */
	from: z.nullable(z.string()),
	ring_seconds: z.number(),
	/** The callbacks' target: the public base URL, and the path of the leg's routes relative to it. */
	callback_base: z.string(),
	leg_path: z.string(),
});

const time = z.nullable(z.iso.datetime());
export type DialBody = z.infer<typeof DialBody>;
/**
 * The network's full report on a leg: the body of callbacks and requests for instructions, and the response to a look-up.
 */
export const LegReport = z.object({
	provider_id: z.string(),
	/** Open on purpose: unknown states are ignored. */
	state: z.string(),
	at: z.iso.datetime(),
	ringing_at: time,
	answered_at: time,
	accepted_at: time,
	cause: z.nullable(z.string()),
});
export type LegReport = z.infer<typeof LegReport>;

/** What a phone hears. */
const Spoken = z.object({ language: z.enum(languages), text: z.string() });

/** The network's next instruction for a leg. */
export const LegInstruction = z.discriminatedUnion('do', [
	z.object({ do: z.literal('screen'), say: Spoken, prompt_seconds: z.number() }),
	/** If the agent and the visitor of a call both wait or join, they hear each other. */
	z.object({ do: z.literal('wait'), say: Spoken }),
	z.object({ do: z.enum(['join', 'hang_up']) }),
]);
export type LegInstruction = z.infer<typeof LegInstruction>;

const Rank = z.enum(['dialing', 'ringing', 'answered', 'accepted', 'ended']);

/** The outcome of a report: its fact, or why there is none. */
export function readReport(report: unknown): Exclude<ReceiveOutcome, { readonly received: 'forged' }> {
	const parsed = LegReport.safeParse(report);
	if (!parsed.success) return { received: 'ignored', why: 'malformed', said: '' };
	const { state, cause, ...times } = parsed.data;
	const rank = Rank.safeParse(state).data;
	if (rank === undefined) return { received: 'ignored', why: 'unknown_state', said: '' };
	const end_cause = endCauses.find((name) => name === cause) ?? 'provider_error';
	const fact = { ...times, rank, cause: rank === 'ended' ? end_cause : null };
	return { received: 'fact', fact, said: saidOf(fact) };
}

/** The value of the signature header. `path` is below the base URL. */
export function signCallback(secret: string, epoch_s: number, path: string, body: string): string {
	const mac = createHmac('sha256', secret).update(`${epoch_s}.${path}.${body}`).digest('hex');
	return `t=${epoch_s},v1=${mac}`;
}

/** Whether the network signed exactly this request, at most five minutes ago. */
export function isSignedCallback(
	secret: string,
	{ headers, path, raw_body }: ProviderRequest,
	now_ms: number,
): boolean {
	const header = headers[SIGNATURE_HEADER] ?? '';
	const epoch_s = Number(/^t=(\d{1,12}),/.exec(header)?.[1] ?? 0);
	const isFresh = Math.abs(now_ms / 1000 - epoch_s) <= TOLERANCE_SECONDS;
	return isFresh && isSameSecret(signCallback(secret, epoch_s, path, raw_body), header);
}
