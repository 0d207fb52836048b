import type { Call } from '../../domain/calls/call.ts';
import { callOwner } from '../../domain/kernel/number-owner.ts';
import { openState } from '../../domain/workspaces/business-hours.ts';
import { dailyCount, numberCallCount, windowRefusal } from '../../domain/workspaces/rate-limit.ts';
import { limitsOf } from '../../domain/workspaces/workspace.ts';
import { StoreBusy, type Write } from '../../ports/store.ts';
import { placeCall, UNAVAILABLE_RETRY_SECONDS } from '../calls/place-call.ts';
import { admitsVisitor } from './admits-visitor.ts';
import { keepVisitor } from './keep-visitor.ts';
import {
	type ScreenedVisitor,
	type ScreeningRefusal,
	screenVisitor,
	type VisitorDeps,
	type VisitorRequest,
} from './screen-visitor.ts';

type Deps = VisitorDeps & {
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
const TRIES = 5;

/**
 * A visitor asks to be called now. Call, event, deliveries, sealed number, consent, counters and the kept answer are
 * one transaction; what follows (dialling, timers, deliveries) is sent after it, and found by the sweep if that fails.
 * Checks come cheapest first: the workspace on and open, the request itself, then the window of its address and its
 * workspace, which it uses up whatever comes of it. What refuses it for the number's sake answers as a spent window
 * does: a stranger must not learn who is in a call, or who asked never to be called.
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
	const window_open = admitsVisitor(request.workspace, screened, deps);
	for (let attempt = 0; attempt < TRIES; attempt += 1) {
		const outcome = await tryOnce(request, screened, window_open, alongside, deps);
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

async function tryOnce(
	request: VisitorRequest,
	screened: ScreenedVisitor,
	window_open: Promise<boolean>,
	alongside: (call: Call) => readonly Write[],
	deps: Deps,
): Promise<RequestCallOutcome | 'again'> {
	const { workspace } = request;
	const { visitor_phone_masked, number, source_url, name: visitor_name } = screened;
	const limits = limitsOf(workspace);
	const now = deps.clock.now();
	const wish = {
		...{ workspace, visitor_phone_masked, source_url, visitor_name, window_open, alongside },
		number_hash: number.number_hash,
		calls_per_number_per_day: limits.calls_per_number_per_day,
		counts: [dailyCount({ workspace_id: workspace.id, limits }, now), numberCallCount(number, limits, now)],
		keep: (call: Call) => keepVisitor(callOwner(call.id), request, screened, SEALED_NUMBER_SECONDS, deps),
	};
	const placed = await placeCall(wish, deps);
	if (placed === 'again' || 'call' in placed) return placed;
	switch (placed.refused) {
		case 'alongside':
			return { refused: 'idempotency_conflict' };
		case 'calls_unavailable':
			return placed;
		case 'rate_limited':
		case 'window_spent':
		case 'suppressed':
		case 'in_a_call':
		case 'called_enough':
			return windowRefusal(now);
	}
}
