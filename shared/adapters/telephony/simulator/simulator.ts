import { createHmac } from 'node:crypto';
import * as z from 'zod/mini';
import { detailOf } from '../../../domain/calls/call-input.ts';
import type { Instruction } from '../../../domain/calls/instruction.ts';
import { endCauses } from '../../../domain/calls/leg.ts';
import { secondsToSay } from '../../../domain/calls/spoken.ts';
import { isSameSecret } from '../../../domain/webhooks/webhook-signature.ts';
import { languages } from '../../../domain/workspaces/language.ts';
import type { ProviderRequest, ReceiveOutcome, Telephony } from '../../../ports/telephony.ts';
import { callHttp, isOwnAddress, legPath, outcomesIn, type ProviderOptions, parseJson } from '../provider-http.ts';

// The protocol between the simulated phone network (local/phone-network) and this adapter.

export const SIGNATURE_HEADER = 'simulator-signature';
const TOLERANCE_SECONDS = 300;

export const DialBody = z.object({
	leg_id: z.string(),
	call_id: z.string(),
	role: z.enum(['agent', 'visitor']),
	to: z.string(),
	/** The number that the phone shows as the caller. Null for the network's own number. */
	from: z.nullable(z.string()),
	ring_seconds: z.number(),
	/** Where callbacks go: the public base URL, and the path of the leg's routes relative to it. */
	callback_base: z.string(),
	leg_path: z.string(),
});

const time = z.nullable(z.iso.datetime());
export type DialBody = z.infer<typeof DialBody>;
/**
 * Everything that the network knows about a leg. Callbacks, requests for instructions and responses to a look-up have this
 * body.
 */
export const LegReport = z.object({
	provider_id: z.string(),
	/** The schema accepts any text on purpose, because a report with an unknown state is ignored and not refused. */
	state: z.string(),
	at: z.iso.datetime(),
	ringing_at: time,
	answered_at: time,
	accepted_at: time,
	cause: z.nullable(z.string()),
});
export type LegReport = z.infer<typeof LegReport>;

const Spoken = z.object({ language: z.enum(languages), text: z.string() });

export const LegInstruction = z.discriminatedUnion('do', [
	z.object({ do: z.literal('screen'), say: Spoken, prompt_seconds: z.number() }),
	/** If both the agent and the visitor of a call wait or join, they hear each other. */
	z.object({ do: z.literal('wait'), say: Spoken }),
	z.object({ do: z.enum(['join', 'hang_up']) }),
]);
export type LegInstruction = z.infer<typeof LegInstruction>;

const Rank = z.enum(['dialing', 'ringing', 'answered', 'accepted', 'ended']);

/** What a report says, or why it is ignored. */
export function readReport(report: unknown): Exclude<ReceiveOutcome, { readonly received: 'forged' }> {
	const parsed = LegReport.safeParse(report);
	if (!parsed.success) return { received: 'ignored', why: 'malformed', detail: '' };
	const { state, cause, ...times } = parsed.data;
	const rank = Rank.safeParse(state).data;
	if (rank === undefined) return { received: 'ignored', why: 'unknown_state', detail: '' };
	const endCause = endCauses.find((name) => name === cause) ?? 'provider_error';
	const fact = { ...times, rank, cause: rank === 'ended' ? endCause : null };
	return { received: 'fact', fact, detail: detailOf(fact) };
}

/** The value of the signature header. `path` is relative to the base URL. */
export function signCallback(secret: string, epochSeconds: number, path: string, body: string): string {
	const mac = createHmac('sha256', secret).update(`${epochSeconds}.${path}.${body}`).digest('hex');
	return `t=${epochSeconds},v1=${mac}`;
}

/** Whether the network signed exactly this request within the last five minutes. */
export function isSignedCallback(secret: string, { headers, path, raw_body }: ProviderRequest, nowMs: number): boolean {
	const header = headers[SIGNATURE_HEADER] ?? '';
	const epochSeconds = Number(/^t=(\d{1,12}),/.exec(header)?.[1] ?? 0);
	const isFresh = Math.abs(nowMs / 1000 - epochSeconds) <= TOLERANCE_SECONDS;
	return isFresh && isSameSecret(signCallback(secret, epochSeconds, path, raw_body), header);
}

const TIMEOUT_MS = 2000;

/**
 * `url`: the address of the phone network. `secret`: shared with the network. We send the secret with our requests, and the
 * network signs its callbacks with the secret.
 */
export const SimulatorSettings = z.object({ url: z.url(), secret: z.string().check(z.minLength(16)) });
export type SimulatorOptions = z.infer<typeof SimulatorSettings> & Omit<ProviderOptions, 'api_url'>;

const Dialed = z.object({ provider_id: z.string() });

const outcomes = outcomesIn({
	codeIn: () => null,
	idIn: ({ status, body }) => (status === 201 ? Dialed.safeParse(parseJson(body)).data?.provider_id : undefined),
	refusal: () => ({ dial: 'rejected', reason: 'provider_rejected' }),
	isOver: ({ status }) => status === 409,
	factIn(report) {
		const outcome = readReport(report);
		return outcome.received === 'fact' ? outcome.fact : null;
	},
});

export function simulatorTelephony(settings: SimulatorOptions): Telephony {
	const { url, secret, public_base_url, clock } = settings;
	const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body: string | null) =>
		callHttp({
			method,
			url: new URL(path, url),
			headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
			body,
			timeout_ms: TIMEOUT_MS,
		});
	return {
		async dial(request) {
			const { leg_id, call_id, role, to, from, ring_seconds } = request;
			const body: DialBody = {
				leg_id,
				call_id,
				role,
				to,
				from,
				ring_seconds,
				callback_base: public_base_url,
				leg_path: legPath(secret, request),
			};
			return outcomes.dial(await ask('POST', '/legs', JSON.stringify(body)));
		},
		async hangup(providerId) {
			return outcomes.hangup(await ask('POST', `/legs/${encodeURIComponent(providerId)}/hangup`, null));
		},
		async erase(providerId) {
			return outcomes.erase(await ask('DELETE', `/legs/${encodeURIComponent(providerId)}`, null));
		},
		async lookup(legId) {
			return outcomes.lookup(await ask('GET', `/legs/${encodeURIComponent(legId)}`, null), clock.now());
		},
		async receive(request) {
			const isGenuine = isSignedCallback(secret, request, clock.now()) && isOwnAddress([secret], request);
			if (!isGenuine) return { received: 'forged' };
			return readReport(parseJson(request.raw_body));
		},
		render(instruction) {
			return { content_type: 'application/json', body: JSON.stringify(wireInstruction(instruction)) };
		},
	};
}

function wireInstruction(instruction: Instruction): LegInstruction {
	switch (instruction.instruct) {
		case 'screen': {
			const { say, prompt_seconds, before = { times: 0, wait_seconds: 0 } } = instruction;
			// A simulated phone says its text in no time, so the time to say it is added here.
			const seconds = prompt_seconds + before.times * (secondsToSay(say) + before.wait_seconds);
			return { do: 'screen', say, prompt_seconds: seconds };
		}
		case 'wait':
			return { do: 'wait', say: instruction.say };
		case 'join':
		case 'hang_up':
			return { do: instruction.instruct };
	}
}
