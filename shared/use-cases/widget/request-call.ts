import { limitsOf } from '../../domain/access/limits.ts';
import {
	type ClosingLimit,
	dailyCount,
	numberCallCount,
	numberRefusalCount,
	type WindowRefusal,
	windowRefusal,
	workspaceWindowCount,
} from '../../domain/access/rate-limit.ts';
import type { Call } from '../../domain/calls/call.ts';
import { callOwner } from '../../domain/kernel/phone-number.ts';
import { endOfTomorrow, teamState } from '../../domain/workspaces/business-hours.ts';
import { coversCallBack } from '../../domain/workspaces/consent-text.ts';
import { type UnavailableReason, unavailability } from '../../domain/workspaces/workspace.ts';
import { type PlaceCallInput, type PlacedCall, proposeCall, UNAVAILABLE_RETRY_SECONDS } from '../calls/place-call.ts';
import { change, type ForRequest, mapProposal } from '../kernel/unit-of-work.ts';
import {
	countRequest,
	keepVisitor,
	noteClosingLimit,
	type ScreenedVisitor,
	type ScreeningRefusal,
	screenVisitor,
	type VisitorDeps,
	type VisitorRequest,
} from './screen-visitor.ts';

type Deps = VisitorDeps & {
	/** False if no phone provider is configured. */
	readonly can_dial: boolean;
};
export type RequestCallResult =
	| { readonly outcome: 'placed'; readonly call: Call }
	| ({ readonly outcome: 'refused' } & RequestCallRefusal);
export type RequestCallRefusal =
	| ScreeningRefusal
	| { readonly refused: 'outside_business_hours'; readonly next_open_at: string | null }
	| {
			readonly refused: 'calls_unavailable';
			readonly reason: UnavailableReason;
			readonly retry_after_seconds: number;
			readonly closes?: ClosingLimit;
	  }
	| WindowRefusal;

/**
 * How many seconds a visitor's number is stored. No call can last so long. If the visitor agreed to a call back, the number
 * is stored as long as a call back may follow.
 */
export const CALL_NUMBER_SECONDS = 4 * 3600;

/**
 * A visitor asks to be called now. The cheapest checks come first: whether the workspace takes calls now, then the request
 * itself. If the request passes these checks, it is counted for the rate limits of the visitor's address and network, even if
 * it is refused later. The workspace's own rate limit counts only placed calls.
 *
 * One transaction stores the call with everything that belongs to it (see `proposeCall`), together with the encrypted
 * number, the consent and the response.
 */
export async function requestCall(
	request: VisitorRequest,
	deps: Deps & ForRequest<RequestCallResult>,
): Promise<RequestCallResult> {
	const closure = closureOf(request, deps);
	if (closure !== null) return { outcome: 'refused', ...closure };
	const visitor = await screenVisitor(request, 'call', deps);
	if ('refused' in visitor) return { outcome: 'refused', ...visitor };
	if (!(await countRequest(request.workspace, visitor, deps))) {
		return { outcome: 'refused', ...windowRefusal(deps.clock.now()) };
	}
	const result = await change<null, RequestCallResult>(
		{
			read: async () => null,
			decide: async () => {
				const nowMs = deps.clock.now();
				const proposal = await proposeCall(inputOf(request, visitor, deps), deps);
				return mapProposal(proposal, (outcome) => visitorResult(outcome, nowMs));
			},
		},
		deps.store,
		deps.keepResponse,
	);
	return noteClosingLimit(result, request, deps);
}

function closureOf({ workspace }: VisitorRequest, { clock, can_dial }: Deps): RequestCallRefusal | null {
	const reason = unavailability(workspace, can_dial);
	if (reason !== null) {
		return { refused: 'calls_unavailable', reason, retry_after_seconds: UNAVAILABLE_RETRY_SECONDS };
	}
	const hours = teamState(workspace, clock.now());
	return hours.open ? null : { refused: 'outside_business_hours', next_open_at: hours.next_open_at };
}

function inputOf(request: VisitorRequest, visitor: ScreenedVisitor, deps: Deps): PlaceCallInput {
	const { workspace } = request;
	const { visitor_phone_masked, number, source_url, name: visitor_name, reference } = visitor;
	const limits = limitsOf(workspace);
	const quota = { workspace_id: workspace.id, limits };
	const nowMs = deps.clock.now();
	const untilMs = coversCallBack(visitor.consent, workspace) ? endOfTomorrow(workspace.time_zone, nowMs) : null;
	const numberSeconds = untilMs === null ? CALL_NUMBER_SECONDS : Math.ceil((untilMs - nowMs) / 1000);
	return {
		workspace,
		visitor_phone_masked,
		source_url,
		visitor_name,
		reference,
		number_hash: number.number_hash,
		former_hashes: visitor.former_hashes,
		calls_per_number_per_day: limits.calls_per_number_per_day,
		counts: [
			dailyCount(quota, nowMs),
			workspaceWindowCount('calls', quota, nowMs),
			numberCallCount(number, limits, nowMs),
		],
		refused: numberRefusalCount(number, quota, nowMs),
		alsoWrite: ({ id }) => ({
			visitor: keepVisitor(callOwner(id), request, visitor, numberSeconds, deps),
		}),
		...(untilMs !== null && { call_back_until: new Date(untilMs).toISOString() }),
	};
}

/**
 * The result for the visitor. If the state of the number is the reason for a refusal, the refusal is that of a full rate
 * limit, because a stranger must not learn who is in a call, or who asked never to be called.
 */
function visitorResult(outcome: PlacedCall, nowMs: number): RequestCallResult {
	switch (outcome.outcome) {
		case 'placed':
			return outcome;
		case 'number_refused':
			return { outcome: 'refused', ...windowRefusal(nowMs) };
		case 'limit_spent': {
			const { code: refused, retry_after_seconds, closes } = outcome.refusal;
			const closing = closes === undefined ? {} : { closes };
			if (refused === 'rate_limited') return { outcome: 'refused', ...windowRefusal(nowMs), ...closing };
			return { outcome: 'refused', refused, reason: 'daily_limit', retry_after_seconds, ...closing };
		}
	}
}
