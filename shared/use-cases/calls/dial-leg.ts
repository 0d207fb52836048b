import { type Call, memberRungBy, numberOwnerOf } from '../../domain/calls/call.ts';
import { type CallInput, isRungAlready, mayDial, type RungMember } from '../../domain/calls/call-input.ts';
import type { CallRecord } from '../../domain/calls/call-record.ts';
import { DEADLINE_SECONDS, isTooLateToDial } from '../../domain/calls/deadlines.ts';
import type { Leg } from '../../domain/calls/leg.ts';
import { definedFields } from '../../domain/kernel/defined-fields.ts';
import { standIn } from '../../domain/kernel/id.ts';
import type { Sealed } from '../../domain/kernel/sealed.ts';
import { mayBeRung } from '../../domain/workspaces/callable-number.ts';
import type { LogFields } from '../../ports/log-redaction.ts';
import type { Ports } from '../../ports/ports.ts';
import { StoreBusy } from '../../ports/store.ts';
import type { DialOutcome } from '../../ports/telephony.ts';
import { advanceCall, type CallDeps } from './advance-call.ts';
import { legLine } from './leg-line.ts';

type Deps = CallDeps & Pick<Ports, 'telephony' | 'opener' | 'log'>;

/** The code of the visitor's leg if there is no number to ring, for example because the number has expired. */
const NUMBER_GONE = 'number_gone';
/**
 * The codes of legs that ring no phone, because the member has left the team, or because another member's leg of this call
 * was already claimed for the same phone.
 */
const MEMBER_GONE = 'member_gone';
const RUNG_ALREADY = 'rung_already';
/**
 * The code of a member's leg if the member's phone is also the visitor's phone. That phone rings only once in a call, for
 * the visitor.
 */
const VISITORS_PHONE = 'visitors_phone';
/**
 * The code of a leg whose number the workspace's rules do not allow. The rules may have changed after the call was
 * requested.
 */
const NOT_CALLABLE = 'not_callable';
/** The code of a leg that must be claimed again, because its number may have been changed or removed during the claim. */
const NUMBER_CHANGED = 'number_changed';
/**
 * How many characters of a number's hash are stored with a leg. This many characters are enough to tell the phones of one
 * call apart.
 */
const HASH_CHARACTERS = 12;

type Outcome = DialOutcome | { readonly dial: 'dropped'; readonly code: string };

/**
 * Dials a leg, and rings its phone at most once. A provider that gets the same request twice rings the phone twice. So this
 * function first claims the leg: it changes the leg from `created` to `dialing`, if the call's version is unchanged. Then
 * it sends the request to the provider. A repeated message finds the claim and does nothing. A dial that the provider has
 * throttled has rung no phone, so the leg is claimed again later. A dial whose result is unclear is never repeated, because
 * the leg's deadlines deal with it. A message that arrives late, after an outage or from the dead-letter queue, rings no
 * phone.
 */
export async function dialLeg(
	{ call_id, leg_id }: { readonly call_id: string; readonly leg_id: string },
	deps: Deps,
): Promise<void> {
	const call = await deps.store.get('call', { id: call_id });
	const leg = call?.legs.find(({ id }) => id === leg_id);
	if (!call || !leg || !isWanted(call, leg, deps)) return;
	const target = await targetOf(call, leg, deps);
	if (target === null) {
		await recordDial(call, leg_id, outcomeWithoutNumber(leg), deps);
		return;
	}
	if (!target.may_ring) {
		await recordDial(call, leg_id, { dial: 'dropped', code: NOT_CALLABLE }, deps);
		return;
	}
	if (target.is_visitors) {
		await recordDial(call, leg_id, { dial: 'dropped', code: VISITORS_PHONE }, deps);
		return;
	}
	const claimedCall = await claimLeg(call, leg_id, target, deps);
	if (claimedCall === null) return;
	if (!(await isStillItsNumber(call, leg, target, deps))) {
		await recordDial(claimedCall, leg_id, { dial: 'throttled', retry_after_seconds: 1, code: NUMBER_CHANGED }, deps);
		return;
	}
	const ring_seconds = leg.role === 'agent' ? DEADLINE_SECONDS.agent_ring : DEADLINE_SECONDS.visitor_ring;
	const { caller_number: from = null } = claimedCall;
	const tells_ringing = tellsRinging(claimedCall, leg);
	const request = { call_id, leg_id, role: leg.role, to: target.to, from, ring_seconds, tells_ringing };
	const beganMs = performance.now();
	const outcome = await deps.telephony.dial(request);
	await recordDial(claimedCall, leg_id, outcome, deps, Math.round(performance.now() - beganMs));
}

/**
 * Whether to ask for a report that the phone rings. False for the visitor's leg if the phones of the team are already
 * ringing, because the report would change nothing and costs a request.
 */
function tellsRinging({ status }: Call, { role }: Leg): boolean {
	return role === 'agent' || status === 'requested';
}

function isWanted(call: Call, leg: Leg, { clock, speed }: Deps): boolean {
	const now_ms = clock.now();
	return mayDial(leg, now_ms) && !isTooLateToDial(call, { now_ms, speed });
}

/** The phone to ring. `to` is its number. The number is never written anywhere after it was decrypted. */
type Target = {
	readonly to: string;
	readonly sealed: Sealed;
	readonly member?: RungMember;
	readonly may_ring: boolean;
	/** True if a member's phone has the visitor's number. */
	readonly is_visitors?: boolean;
};

/**
 * Decrypts the number. Null if it has expired or was erased, if the member has left the team, or if the member's number has
 * changed between the two legs of a test call.
 */
async function targetOf(call: Call, leg: Leg, { store, opener }: Deps): Promise<Target | null> {
	const owner = numberOwnerOf(call, leg);
	const memberId = memberRungBy(call, leg);
	if (memberId === null) {
		const number = await store.get('sealed_number', { owner });
		return number && { to: await opener.openNumber(number.sealed), sealed: number.sealed, may_ring: true };
	}
	const [number, workspace] = await Promise.all([
		store.get('team_number', { owner }),
		store.get('workspace', { id: call.workspace_id }),
	]);
	const member = workspace?.team.find(({ id }) => id === memberId);
	if (workspace === null || number === null || member === undefined) return null;
	const { sealed, number_hash, region, type } = number;
	const phone = number_hash.slice(0, HASH_CHARACTERS);
	// A test call rings one phone twice. The second leg must not ring another phone than the first leg, even if the
	// member's number has changed in between.
	if (leg.member === null && call.legs.every((other) => other.phone !== phone)) return null;
	const to = await opener.openNumber(sealed);
	const asMember = leg.member !== null && { member: { member_name: member.name ?? member.phone_masked, phone } };
	// In a test call, the member's phone is the visitor's phone on purpose.
	const is_visitors = leg.member !== null && !call.is_test && call.number_hash === number_hash;
	return { to, sealed, ...asMember, is_visitors, may_ring: mayBeRung({ e164: to, region, type }, workspace) };
}

/**
 * Whether the stored number is still the number that was decrypted. The number is read again after the claim, so that no
 * removed member and no replaced number is dialed. If the store is busy, the result is false, and the leg is claimed again
 * later. The later claim does no harm, because no phone has rung yet.
 */
async function isStillItsNumber(call: Call, leg: Leg, { sealed }: Target, { store }: Deps): Promise<boolean> {
	const record = memberRungBy(call, leg) === null ? 'sealed_number' : 'team_number';
	try {
		return (await store.get(record, { owner: numberOwnerOf(call, leg) }))?.sealed === sealed;
	} catch (error) {
		if (error instanceof StoreBusy) return false;
		throw error;
	}
}

function outcomeWithoutNumber({ member }: Leg): Outcome {
	if (member !== null) return { dial: 'dropped', code: MEMBER_GONE };
	return { dial: 'rejected', reason: 'provider_rejected', code: NUMBER_GONE };
}

/**
 * Claims the leg and returns its call. Null if another process has claimed the leg, or if the leg must not be dialed any
 * more. If another member's leg of this call was claimed for the same phone, this leg is not dialed, and the log says so.
 */
async function claimLeg(
	callBefore: CallRecord,
	leg_id: string,
	{ member }: Target,
	deps: Deps,
): Promise<CallRecord | null> {
	const outcome = await advanceCall(
		callBefore,
		(call) => {
			const leg = call.legs.find(({ id }) => id === leg_id);
			if (leg === undefined || !isWanted(call, leg, deps)) return null;
			if (member === undefined) return { input: 'dialing', leg_id };
			if (isRungAlready(call, leg, member)) return { input: 'dial_dropped', leg_id, code: RUNG_ALREADY };
			return { input: 'dialing', leg_id, member };
		},
		deps,
	);
	if (outcome.outcome !== 'advanced') return null;
	if (outcome.call.legs.some(({ id, rank }) => id === leg_id && rank === 'dialing')) return outcome.call;
	logDial({ dial: 'dropped', code: RUNG_ALREADY }, outcome.call, leg_id, deps);
	return null;
}

/**
 * Logs the result of the dial. Also stores the result, if it changes the call. `durationMs` is how long the request to the
 * provider took. If there was no request, `durationMs` is absent.
 */
async function recordDial(
	call: CallRecord,
	legId: string,
	outcome: Outcome,
	deps: Deps,
	durationMs?: number,
): Promise<void> {
	logDial(outcome, call, legId, deps, durationMs);
	const input = inputOf(legId, outcome);
	if (input !== null) await advanceCall(call, input, deps);
}

/**
 * Logs one line for each dial, which also says how long the leg has waited. If the result is neither `accepted` nor
 * `dropped`, the line is a warning, because an operator may have to act.
 */
function logDial(
	outcome: Outcome,
	call: CallRecord,
	legId: string,
	{ log, clock }: Pick<Deps, 'log' | 'clock'>,
	duration_ms?: number,
): void {
	const { created_at } = call.legs.find(({ id }) => id === legId) ?? call;
	const waited_ms = Math.max(0, clock.now() - Date.parse(created_at) - (duration_ms ?? 0));
	const result = { outcome: outcome.dial, ...detailOfDial(outcome) };
	const line = { ...legLine(call, legId), ...result, waited_ms, ...definedFields({ duration_ms }) };
	if (outcome.dial === 'accepted' || outcome.dial === 'dropped') log.info('dial', line);
	else log.warn('dial', line);
}

function detailOfDial(outcome: Outcome): Pick<LogFields, 'code' | 'detail'> {
	switch (outcome.dial) {
		case 'accepted':
			return outcome.provider_id === null ? {} : { detail: `phone=${standIn(outcome.provider_id)}` };
		case 'rejected':
			return { code: outcome.code, detail: `reason=${outcome.reason}` };
		case 'throttled':
			return { code: outcome.code, detail: `seconds=${outcome.retry_after_seconds}` };
		case 'dropped':
		case 'unclear':
			return { code: outcome.code };
	}
}

function inputOf(leg_id: string, outcome: Outcome): CallInput | null {
	switch (outcome.dial) {
		case 'accepted':
			return outcome.provider_id === null ? null : { input: 'dial_accepted', leg_id, provider_id: outcome.provider_id };
		case 'rejected':
			return { input: 'dial_rejected', leg_id, cause: outcome.reason, code: outcome.code };
		case 'throttled':
			return { input: 'dial_throttled', leg_id, retry_after_seconds: outcome.retry_after_seconds };
		case 'dropped':
			return { input: 'dial_dropped', leg_id, code: outcome.code };
		case 'unclear':
			return null;
	}
}
