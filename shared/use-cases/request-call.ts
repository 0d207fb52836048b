import { openState } from '../domain/business-hours.ts';
import type { Call } from '../domain/call.ts';
import { newCall } from '../domain/call-transitions.ts';
import { admitNumber, type NumberAdmission } from '../domain/number-usage.ts';
import { callCounts, type UsageCount } from '../domain/rate-limit.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { PhoneNumbers } from '../ports/phone-numbers.ts';
import type { Queues } from '../ports/queues.ts';
import { type Store, StoreBusy, type Write } from '../ports/store.ts';
import type { Macs, NumberSealer } from '../ports/vault.ts';
import { callEvent, sendWhatFollows } from './advance-call.ts';
import { keepVisitor } from './keep-visitor.ts';
import { publish } from './publish-event.ts';
import { type ScreenedVisitor, type ScreeningRefusal, screenVisitor, type VisitorRequest } from './screen-visitor.ts';

type Deps = {
	readonly store: Store;
	readonly queues: Queues;
	readonly clock: Clock;
	readonly ids: Ids;
	readonly numbers: PhoneNumbers;
	readonly sealer: NumberSealer;
	readonly macs: Macs;
	/** False where no telephone provider is set up. */
	readonly can_dial: boolean;
	readonly speed: number;
};
export type RequestCallOutcome =
	| { readonly call: Call }
	| ScreeningRefusal
	| { readonly refused: 'outside_business_hours'; readonly next_open_at: string | null }
	| { readonly refused: 'rate_limited' | 'calls_unavailable'; readonly retry_after_seconds: number }
	| { readonly refused: 'idempotency_conflict' };

/** The number is readable for the dialling roles no longer than a call can last. */
const SEALED_NUMBER_SECONDS = 4 * 3600;
/** Kill switch and missing provider: nobody knows when. */
const UNAVAILABLE_RETRY_SECONDS = 300;
const TRIES = 5;

/**
 * A visitor asks to be called now. Call, event, deliveries, sealed number, consent, counters and the kept answer are
 * one transaction; what follows (dialling, timers, deliveries) is sent after it, and found by the sweep if that fails.
 * Checks come cheapest first: the workspace on and open, the request itself, the number's use, then the counters.
 */
export async function requestCall(
	request: VisitorRequest,
	alongside: (call: Call) => readonly Write[],
	deps: Deps,
): Promise<RequestCallOutcome> {
	const closed = closedNow(request, deps);
	if (closed !== null) return closed;
	const screened = await screenVisitor(request, deps);
	if ('refused' in screened) return screened;
	for (let attempt = 0; attempt < TRIES; attempt += 1) {
		const outcome = await tryOnce(request, screened, alongside, deps);
		if (outcome !== 'again') return outcome;
	}
	throw new StoreBusy('the number is being asked for too often at once');
}

function closedNow({ workspace }: VisitorRequest, { clock, can_dial }: Deps): RequestCallOutcome | null {
	if (!workspace.calls_enabled || !can_dial || workspace.team.length === 0) {
		return { refused: 'calls_unavailable', retry_after_seconds: UNAVAILABLE_RETRY_SECONDS };
	}
	const hours = openState(workspace.business_hours, clock.now());
	return hours.open ? null : { refused: 'outside_business_hours', next_open_at: hours.next_open_at };
}

/** The number's use so far, and whether one more call is admitted. */
async function admit(
	{ workspace }: VisitorRequest,
	{ number_hash }: ScreenedVisitor,
	call_id: string,
	{ store, clock }: Deps,
): Promise<NumberAdmission> {
	const usage = await store.get('number_usage', { number_hash });
	const live = usage?.live_call_id ? await store.get('call', { id: usage.live_call_id }) : null;
	const calls_per_day = workspace.limits.calls_per_number_per_day;
	return admitNumber(usage, live, { number_hash, call_id, calls_per_day, now_ms: clock.now() });
}

async function tryOnce(
	request: VisitorRequest,
	screened: ScreenedVisitor,
	alongside: (call: Call) => readonly Write[],
	deps: Deps,
): Promise<RequestCallOutcome | 'again'> {
	const { store, clock, ids } = deps;
	const now = clock.now();
	const id = ids.next(now);
	const admission = await admit(request, screened, id, deps);
	if ('refused' in admission) return admission;
	const { workspace } = request;
	const { visitor_phone_masked, source_url, name: visitor_name } = screened;
	const asked = { id, workspace, visitor_phone_masked, source_url, visitor_name };
	const decision = newCall(asked, { now_ms: now, speed: deps.speed });
	const { call } = decision;
	const endpoints = await store.endpointsOf(workspace.id);
	const publications = decision.events.map((event) => publish(callEvent(event, 1, ids.next(now), now), endpoints, now));

	const { limits } = workspace;
	const counts = callCounts({ workspace_id: workspace.id, limits, address_hash: screened.address_hash }, now);
	const kept = alongside(call);
	const writes: readonly Write[] = [
		...counts.map(({ count }) => count),
		...kept,
		numberUse(admission.usage),
		{ op: 'put', record: 'call', item: call, guard: { if: 'absent' } },
		...keepVisitor(`call#${call.id}`, request, screened, SEALED_NUMBER_SECONDS, deps),
		...publications.flatMap((publication) => publication.writes),
	];
	const outcome = await store.commit(writes);
	if (!outcome.committed) return refusal(outcome.refused, counts, kept.length);
	const messages = publications.flatMap((publication) => publication.messages);
	await sendWhatFollows(decision, { writes: [], messages }, deps);
	return { call };
}

type Usage = Extract<NumberAdmission, { readonly usage: unknown }>['usage'];

function numberUse(usage: Usage): Write {
	const guard =
		usage.version === 1 ? ({ if: 'absent' } as const) : ({ if: 'version', version: usage.version - 1 } as const);
	return { op: 'put', record: 'number_usage', item: usage, guard };
}

/** Counters stand first, then the kept answer; anything behind them is a lost race, to be decided again. */
function refusal(
	positions: readonly number[],
	counts: readonly UsageCount[],
	kept: number,
): RequestCallOutcome | 'again' {
	if (positions.some((position) => position >= counts.length && position < counts.length + kept)) {
		return { refused: 'idempotency_conflict' };
	}
	const spent = positions.map((position) => counts[position]).find((count) => count !== undefined);
	if (spent === undefined) return 'again';
	const { code: refused, retry_after_seconds } = spent.refusal;
	return { refused, retry_after_seconds };
}
