import { type Call, isTerminal, visitorLeg, winnerLeg } from './call.ts';
import { DEADLINE_SECONDS, type Now, unusedRing } from './deadlines.ts';
import { isLive } from './leg.ts';
import { acceptPrompt, oneMoment, type Sentence, secondsToSay } from './spoken.ts';

export type Instruction =
	/** Say who is calling, and ask the team member to press 1. */
	| {
			readonly instruct: 'screen';
			readonly say: Sentence;
			/** How long to wait for the key after the last time that the prompt is said. */
			readonly prompt_seconds: number;
			/**
			 * How many times to say the prompt before that last time, and how long to wait for the key after each time. If
			 * `before` is absent, say the prompt only once.
			 */
			readonly before?: { readonly times: number; readonly wait_seconds: number };
	  }
	/** Connect this leg with the other leg. The other leg waits, or has the same instruction. */
	| { readonly instruct: 'join' }
	/**
	 * Wait in the call's conference. When the other side joins, both people hear each other. No further instruction
	 * follows.
	 */
	| { readonly instruct: 'wait'; readonly say: Sentence }
	| { readonly instruct: 'hang_up' };

/** If a silence is shorter than this, a phone's assistant takes the silence for a pause in the prompt. */
const SHORTEST_PAUSE_SECONDS = 4;

/**
 * Asks the member to press 1. A phone's assistant may answer at once, hear the prompt, and ring its owner only later. So the
 * prompt is repeated for as long as the phone would have rung. After that, even an owner who answers at the last ring still
 * has time to press 1.
 */
function askForKey(say: Sentence, unusedSeconds: number): Instruction {
	const { press_one } = DEADLINE_SECONDS;
	const promptSeconds = secondsToSay(say);
	const times = Math.floor(unusedSeconds / (promptSeconds + SHORTEST_PAUSE_SECONDS));
	if (times === 0) return { instruct: 'screen', say, prompt_seconds: press_one + Math.floor(unusedSeconds) };
	const wait_seconds = Math.floor(unusedSeconds / times) - promptSeconds;
	return { instruct: 'screen', say, prompt_seconds: press_one, before: { times, wait_seconds } };
}

/**
 * The instruction for a leg in the call's current state. Null if the call has no such leg. Pressing 1 is the only reliable
 * way to tell a person from voicemail, so every team member who has not accepted yet is asked to press 1.
 */
export function instructionFor(call: Call, legId: string, moment: Now): Instruction | null {
	const leg = call.legs.find(({ id }) => id === legId);
	if (leg === undefined) return null;
	if (isTerminal(call.status) || !isLive(leg) || leg.hangup_requested_at !== null) return { instruct: 'hang_up' };
	if (leg.role === 'agent' && leg.accepted_at === null) {
		return askForKey(acceptPrompt(call), unusedRing(leg, moment));
	}
	const other = leg.role === 'agent' ? visitorLeg(call) : winnerLeg(call);
	const there = other?.answered_at !== null && other !== null && isLive(other);
	return there ? { instruct: 'join' } : { instruct: 'wait', say: oneMoment(call.language) };
}
