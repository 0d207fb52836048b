import type { EndCause } from '../../shared/domain/calls/leg.ts';
import { isFiction } from './fiction-ranges.ts';

/** What the phone of a number does. Times are in seconds of the network's clock. */
export type Script = {
	readonly dial: 'accepts' | 'fails_after_accepting' | 'throttles_once' | 'refuses';
	readonly rings: boolean;
	/** What happens to the call. `rings_on`: the phone rings until the caller hangs up. */
	readonly outcome: 'answers' | 'rings_on' | Extract<EndCause, 'busy' | 'rejected' | 'voicemail' | 'unreachable'>;
	/** Whether a team member with this script presses 1 when asked. */
	readonly presses_1: boolean;
	/** Which side hangs up, and when. Null if neither side hangs up. */
	readonly leaves: {
		readonly role: 'visitor' | 'agent';
		readonly after: ScriptMoment;
		readonly seconds: number;
	} | null;
	readonly callbacks: 'in_order' | 'reversed_and_doubled' | 'none' | 'all_but_the_last';
};
export type ScriptMoment = 'answering' | 'accepting' | 'joining';

/** For each of these events, how many seconds pass before it happens, by the network's clock. */
export const SECONDS_UNTIL = { setup: 0.3, ring: 1.5, press: 1, unreachable: 0.5 } as const;

const talks: Script = {
	dial: 'accepts',
	rings: true,
	outcome: 'answers',
	presses_1: true,
	leaves: { role: 'visitor', after: 'joining', seconds: 6 },
	callbacks: 'in_order',
};
const notInService: Script = { ...talks, rings: false, outcome: 'unreachable' };

/** The scripts by the last two digits of a number. docs/local-stack.md lists them, too. */
const scripts: Readonly<Record<string, Script>> = {
	'01': talks,
	'02': { ...talks, rings: false, outcome: 'busy' },
	'03': { ...talks, outcome: 'rings_on' },
	'04': { ...talks, outcome: 'rejected' },
	'05': { ...talks, outcome: 'voicemail' },
	'06': notInService,
	'07': { ...talks, dial: 'fails_after_accepting' },
	'08': { ...talks, callbacks: 'reversed_and_doubled' },
	'09': { ...talks, outcome: 'rings_on', callbacks: 'none' },
	'10': { ...talks, leaves: null },
	'11': { ...talks, leaves: { role: 'agent', after: 'joining', seconds: 4 } },
	'12': { ...talks, leaves: { role: 'agent', after: 'accepting', seconds: 1 } },
	'13': { ...talks, presses_1: false },
	'14': { ...talks, dial: 'throttles_once' },
	'15': { ...talks, dial: 'refuses' },
	'16': { ...talks, callbacks: 'all_but_the_last' },
	'17': { ...talks, leaves: { role: 'visitor', after: 'answering', seconds: 0.2 } },
	// Most phones decline a call with SIP 486, which providers report as busy.
	'18': { ...talks, outcome: 'busy' },
	// For a second phone that talks, and whose masked number differs from the first.
	'19': talks,
};

/** The script of a number. Numbers that have no script, and all numbers that may be real, are not in service. */
export function scriptOf(e164: string): Script {
	return (isFiction(e164) ? scripts[e164.slice(-2)] : undefined) ?? notInService;
}
