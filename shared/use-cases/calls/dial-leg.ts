import { type Call, numberOwnerOf } from '../../domain/calls/call.ts';
import { type CallInput, mayDial } from '../../domain/calls/call-input.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import { DEADLINE_SECONDS, isTooLateToDial } from '../../domain/calls/deadlines.ts';
import type { Leg } from '../../domain/calls/leg.ts';
import { standIn } from '../../domain/kernel/id.ts';
import type { Log, LogFields } from '../../ports/log.ts';
import type { Ports } from '../../ports/ports.ts';
import type { DialOutcome } from '../../ports/telephony.ts';
import { type AdvanceOutcome, advanceCall, type CallDeps, withVersion } from './advance-call.ts';

type Deps = CallDeps & Pick<Ports, 'telephony' | 'opener' | 'log'>;

/** The code if the number to dial has expired or was erased. */
const NUMBER_GONE = 'number_gone';

/**
 * Dials a leg, at most once. Providers do not deduplicate dials, so this claims the leg (created -> dialing, under the
 * call's version) before it calls the provider: a repeated message finds the claim and does nothing. It never repeats a
 * dial with an unclear result; the leg's deadlines handle that. A message that arrives late (after an outage, or from the
 * dead-letter queue) rings no phone.
 */
export async function dialLeg(
	{ call_id, leg_id }: { readonly call_id: string; readonly leg_id: string },
	deps: Deps,
): Promise<void> {
	const call = await deps.store.get('call', { id: call_id });
	const leg = call?.legs.find(({ id }) => id === leg_id);
	if (!call || !leg || !isWanted(call, leg, deps)) return;
	const to = await numberOf(call, leg, deps);
	if (to === null) {
		await recordDial(call, leg_id, { dial: 'rejected', reason: 'provider_rejected', code: NUMBER_GONE }, deps);
		return;
	}
	const claimed_call = await claimLeg(call, leg_id, deps);
	if (claimed_call === null) return;
	deps.log.info('dialing', { call_id, leg_id, version: claimed_call.version });
	const ring_seconds = leg.role === 'agent' ? DEADLINE_SECONDS.agent_ring : DEADLINE_SECONDS.visitor_ring;
	const { caller_number: from = null } = claimed_call;
	const tells_ringing = tellsRinging(claimed_call, leg);
	const request = { call_id, leg_id, role: leg.role, to, from, ring_seconds, tells_ringing };
	const began_ms = performance.now();
	const outcome = await deps.telephony.dial(request);
	await recordDial(claimed_call, leg_id, outcome, deps, Math.round(performance.now() - began_ms));
}

/** Once a call rings for its team, the report that the visitor's phone rings changes nothing: do not pay for it. */
function tellsRinging({ status }: Call, { role }: Leg): boolean {
	return role === 'agent' || status === 'requested';
}

function isWanted(call: Call, leg: Leg, { clock, speed }: Deps): boolean {
	const now_ms = clock.now();
	return mayDial(leg, now_ms) && !isTooLateToDial(call, { now_ms, speed });
}

/** Decrypts the number, which is held in memory only. Null if it has expired or was erased. */
async function numberOf(call: Call, leg: Leg, { store, opener }: Deps): Promise<string | null> {
	const owner = numberOwnerOf(call, leg);
	const number = await (leg.member === null
		? store.get('sealed_number', { owner })
		: store.get('team_number', { owner }));
	return number === null ? null : opener.openNumber(number.sealed);
}

/** Claims the leg and returns its call; null if another job has claimed it, or it must not be dialled any more. */
async function claimLeg(call_before: CallRecord, leg_id: string, deps: Deps): Promise<CallRecord | null> {
	const outcome = await advanceCall(
		call_before,
		(call) => {
			const leg = call.legs.find(({ id }) => id === leg_id);
			return leg !== undefined && isWanted(call, leg, deps) ? { input: 'dialing', leg_id } : null;
		},
		deps,
	);
	return outcome.outcome === 'advanced' ? outcome.call : null;
}

/** Records the result of the dial, and logs it. `duration_ms`: of the request to the provider, if there was one. */
async function recordDial(
	call: CallRecord,
	leg_id: string,
	outcome: DialOutcome,
	deps: Deps,
	duration_ms?: number,
): Promise<void> {
	const input = inputOf(leg_id, outcome);
	const recorded: Promise<AdvanceOutcome> =
		input === null ? Promise.resolve({ outcome: 'left_alone' }) : advanceCall(call, input, deps);
	const fields = { call_id: call.id, leg_id, ...(duration_ms !== undefined && { duration_ms }) };
	await withVersion(recorded, (version) => logDial(outcome, { ...fields, ...version }, deps.log));
}

function logDial(outcome: DialOutcome, fields: LogFields, log: Log): void {
	switch (outcome.dial) {
		case 'accepted': {
			const phone = outcome.provider_id === null ? '' : `phone=${standIn(outcome.provider_id)}`;
			log.info('dial accepted', { ...fields, said: phone });
			break;
		}
		case 'rejected':
			log.warn('dial refused', { ...fields, code: outcome.code, said: `reason=${outcome.reason}` });
			break;
		case 'throttled':
			log.warn('dial throttled', { ...fields, code: outcome.code, said: `seconds=${outcome.retry_after_seconds}` });
			break;
		case 'unclear':
			log.warn('dial unclear', { ...fields, code: outcome.code });
	}
}

function inputOf(leg_id: string, outcome: DialOutcome): CallInput | null {
	switch (outcome.dial) {
		case 'accepted':
			return outcome.provider_id === null ? null : { input: 'dial_accepted', leg_id, provider_id: outcome.provider_id };
		case 'rejected':
			return { input: 'dial_rejected', leg_id, cause: outcome.reason, code: outcome.code };
		case 'throttled':
			return { input: 'dial_throttled', leg_id, retry_after_seconds: outcome.retry_after_seconds };
		case 'unclear':
			return null;
	}
}
