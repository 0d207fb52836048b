import { type Call, isTerminal, visitorLeg, winnerLeg } from './call.ts';
import { DEADLINE_SECONDS } from './deadlines.ts';
import { isLive } from './leg.ts';
import { oneMoment, pressOne, type Sentence } from './spoken.ts';

export type Instruction =
	/** Ask the team member to press 1, saying who is calling. */
	| {
			readonly instruct: 'screen';
			readonly say: Sentence;
			/** How long to wait for the key after the prompt. */
			readonly prompt_seconds: number;
	  }
	/** Join the other leg, which has the same instruction or waits. */
	| { readonly instruct: 'join' }
	/** Wait in the call's conference; when the other side joins, both hear each other. No more instructions follow. */
	| { readonly instruct: 'wait'; readonly say: Sentence }
	| { readonly instruct: 'hang_up' };

/**
 * Returns the instruction for a leg, based on the current call; null for a leg that the call does not have. Pressing 1 is
 * the only reliable filter against voicemail, so we ask every team member who has not accepted yet.
 */
export function instructionFor(call: Call, leg_id: string): Instruction | null {
	const leg = call.legs.find(({ id }) => id === leg_id);
	if (leg === undefined) return null;
	if (isTerminal(call.status) || !isLive(leg) || leg.hangup_requested_at !== null) return { instruct: 'hang_up' };
	if (leg.role === 'agent' && leg.accepted_at === null) {
		return { instruct: 'screen', say: pressOne(call), prompt_seconds: DEADLINE_SECONDS.press_one };
	}
	const other = leg.role === 'agent' ? visitorLeg(call) : winnerLeg(call);
	const there = other?.answered_at !== null && other !== null && isLive(other);
	return there ? { instruct: 'join' } : { instruct: 'wait', say: oneMoment(call.language) };
}
