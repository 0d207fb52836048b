import { callOwner, leadOwner, memberOwner } from '../kernel/phone-number.ts';
import type { Language } from '../workspaces/language.ts';
import type { RingOrder, RingStrategy } from '../workspaces/workspace.ts';
import type { Leg } from './leg.ts';

/** `completed`, `failed` and `canceled` are final. A call may skip `ringing` and `connected`, but never returns to an earlier status. */
export const callStatuses = ['requested', 'ringing', 'connected', 'completed', 'failed', 'canceled'] as const;
export type CallStatus = (typeof callStatuses)[number];

export const failureReasons = [
	'no_agent_answer',
	'visitor_no_answer',
	'visitor_busy',
	'visitor_rejected',
	'voicemail',
	'number_unreachable',
	'agent_left',
	'setup_timeout',
	'provider_error',
	'provider_rejected',
	'canceled',
] as const;
export type FailureReason = (typeof failureReasons)[number];

/** Who is rung, in which order; fixed when the call is created. */
export type RingPlan = {
	readonly strategy: RingStrategy;
	readonly order: RingOrder;
	/** Team members (positions in the workspace's team) in the order they are tried. */
	readonly members: readonly number[];
};

/**
 * A visitor's request to be connected now, and everything known about it. Responses contain only the first ten fields. The
 * table keeps a `CallRecord`.
 */
export type Call = {
	readonly id: string;
	readonly workspace_id: string;
	readonly status: CallStatus;
	readonly visitor_phone_masked: string;
	readonly source_url: string;
	readonly connected_at: string | null;
	readonly completed_at: string | null;
	/** Whole seconds both people spoke; null until terminal, 0 if never connected. */
	readonly duration_seconds: number | null;
	readonly created_at: string;
	readonly failure_reason: FailureReason | null;

	/** What the people on the line hear: the workspace's language when the call was created. */
	readonly language: Language;
	readonly visitor_name: string | null;
	/** The page's own name for what the call is about; absent: it gave none. Absent fields keep the record within a KiB. */
	readonly reference?: string;
	/** The keyed hash of the visitor's number; absent once the person is erased. */
	readonly number_hash?: string;
	/** The lead that a team member called back; then the visitor's number is stored with the lead. */
	readonly lead_id?: string;
	readonly plan: RingPlan;
	/** The workspace's caller number when the call was created; absent: the deployment's. */
	readonly caller_number?: string;
	readonly legs: readonly Leg[];
	/** The agent leg that accepted first and is connected to the visitor. */
	readonly winner_leg_id: string | null;
};

export function isTerminal(status: CallStatus): boolean {
	return status === 'completed' || status === 'failed' || status === 'canceled';
}

/** The owner of the number that a leg rings. A call that answers a lead rings the lead's number. */
export function numberOwnerOf(
	call: Pick<Call, 'id' | 'workspace_id' | 'lead_id'>,
	{ member }: Pick<Leg, 'member'>,
): string {
	if (member !== null) return memberOwner(call.workspace_id, member);
	return call.lead_id === undefined ? callOwner(call.id) : leadOwner(call.lead_id);
}
