import { type Call, isTerminal, visitorLeg, winnerLeg } from './call.ts';
import { DEADLINE_SECONDS, type Now, unusedRing } from './deadlines.ts';
import { isLive } from './leg.ts';
import { acceptPrompt, oneMoment, type Sentence, secondsToSay } from './spoken.ts';

export type Instruction =
	/** Ask the team member to press 1, saying who is calling. */
	| {
			readonly instruct: 'screen';
			readonly say: Sentence;
			/** How long to wait for the key after the prompt is said for the last time. */
			readonly prompt_seconds: number;
			/** How many times to say it before that, and how long to wait for the key each time; absent: never. */
			readonly before?: { readonly times: number; readonly wait_seconds: number };
	  }
	/** Join the other leg, which has the same instruction or waits. */
	| { readonly instruct: 'join' }
	/** Wait in the call's conference; when the other side joins, both hear each other. No more instructions follow. */
	| { readonly instruct: 'wait'; readonly say: Sentence }
	| { readonly instruct: 'hang_up' };

/** An assistant that listens takes a shorter silence for a pause. */
const SHORTEST_PAUSE_SECONDS = 4;

/**
 * Asks for the key until a person who answers at the last ring would have had time to press it. An assistant that answers at
 * once hears the prompt first and rings its owner later, so the prompt is repeated during the ring time that is left.
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
 * Returns the instruction for a leg, based on the current call; null for a leg that the call does not have. Pressing 1 is
 * the only reliable filter against voicemail, so we ask every team member who has not accepted yet.
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
