import { writeFileSync } from 'node:fs';
import {
	type Call,
	type CallStatus,
	callStatuses,
	type FailureReason,
	failureReasons,
	isTerminal,
} from '../shared/domain/calls/call.ts';
import { isLater } from '../shared/domain/calls/call-aggregation.ts';
import { announced } from '../shared/domain/calls/call-events.ts';
import { newCall } from '../shared/domain/calls/call-transitions.ts';
import { DEADLINE_SECONDS, deadlinesOf } from '../shared/domain/calls/deadlines.ts';
import { type Leg, type LegRank, type LegRole, legRanks, newLeg } from '../shared/domain/calls/leg.ts';
import { DEFAULT_LIMITS } from '../shared/domain/workspaces/workspace.ts';

// Writes docs/call-states.md: the code's decisions, in tables. A text without a fact, or a fact without a text, does not
// compile or fails a test, and a test compares the file with this.

const at = '2026-01-01T00:00:00.000Z';
const blank: Call = newCall(
	{
		id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
		workspace: {
			id: '01ARZ3NDEKTSV4RRFFQ69G5FAW',
			version: 1,
			name: '',
			region: 'US',
			workspace_key: '',
			calls_enabled: true,
			origins: [],
			allowed_regions: [],
			team: [{ phone_masked: '' }],
			team_email: null,
			ring_strategy: 'sequential',
			ring_order: 'agent_first',
			limits: DEFAULT_LIMITS,
			business_hours: null,
			consent_text: '',
			created_at: at,
		},
		visitor_phone_masked: '',
		visitor_name: 'Ada',
		source_url: 'https://shop.example/',
	},
	{ now_ms: Date.parse(at), speed: 1 },
).call;

/** Why a status follows another. Pairs that `isLater` permits but nothing causes are in `never` instead. */
export const causes: Readonly<Record<string, string>> = {
	'requested -> ringing': 'a phone rings, or at providers that do not report ringing has been answered',
	'requested -> connected': 'everything up to the joining was reported at once',
	'requested -> completed': 'the whole conversation was reported at once',
	'requested -> failed': 'no team member is left to try, the call was refused, or a deadline has passed',
	'requested -> canceled': 'cancelled before the call was connected',
	'ringing -> connected': 'a team member and the visitor are joined',
	'ringing -> completed': 'the whole conversation was reported at once',
	'ringing -> failed': 'no team member is left to try, the call was refused, or a deadline has passed',
	'ringing -> canceled': 'cancelled before the call was connected',
	'connected -> completed': 'both have left, or it was cancelled: with the duration until then',
	'connected -> failed':
		'a late report shows that one side had left before the other joined: they were never connected',
};
/** A cancel during a conversation completes the call. */
export const never: readonly string[] = ['connected -> canceled'];

const reasons: Readonly<Record<FailureReason, string>> = {
	no_agent_answer: 'no team member answered and pressed 1',
	visitor_no_answer: 'the visitor did not answer in time',
	visitor_busy: 'the visitor’s line was busy',
	visitor_rejected: 'the visitor rejected the call',
	voicemail: 'a voicemail answered for the visitor',
	number_unreachable: 'the number is not in service',
	agent_left: 'the team member left before the visitor came',
	setup_timeout: 'setting it up took longer than it may',
	provider_error: 'the provider failed, or never said what became of it',
	provider_rejected: 'the provider refused to dial',
	canceled: 'cancelled before the call was connected',
};

const ranks: Readonly<Record<LegRank, string>> = {
	created: 'wanted, and its dial message sent',
	dialing: 'taken by the one job that dials it; from here on it is never dialled again',
	ringing: 'the phone rings',
	answered: 'picked up; a team member is asked to press 1',
	accepted: 'the team member pressed 1 (the visitor has no such rank)',
	ended: 'over; later reports change nothing',
};

const deadlines: Readonly<Record<keyof typeof DEADLINE_SECONDS, string>> = {
	undialed: 'a leg whose dial message was not processed: the message is sent again',
	queued: 'accepted by the provider and not ringing: it is asked',
	agent_ring: 'a team member’s phone rings',
	press_one: 'a team member decides, once the question has been said',
	visitor_ring: 'the visitor’s phone rings',
	set_up: 'from the request until two people are joined',
	silence: 'the provider says nothing of a live leg: it is asked',
	talking: 'the same while two people talk: it is asked about both legs at once',
	conversation: 'two people talk',
	unclear_ask: 'it is unknown whether a dial was processed: the provider is asked',
	unclear_end: '… and the leg is given up',
	hang_up: 'a hang-up is asked for again',
	hang_up_often: '… repeatedly for this long',
	hang_up_seldom: '… and then after each of these, until the provider says that the leg is over',
	leg: 'the provider ends any leg by itself: nothing is asked of it any more',
	rings: 'no phone rings longer after its dial: until then its number is not called for another call',
	sweep: 'the sweep looks after a call, in case every timer was lost',
	unheard_end: 'all legs are being hung up: the call ends without waiting longer for the provider’s word',
};

type Row = readonly string[];
function table(head: Row, rows: readonly Row[]): string {
	const line = (cells: Row): string => `| ${cells.join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
const code = (text: string): string => `\`${text}\``;

/** Every pair of statuses in which the second may follow the first. */
export function permitted(): readonly (readonly [CallStatus, CallStatus])[] {
	const pairs = callStatuses.flatMap((from) => callStatuses.map((to) => [from, to] as const));
	return pairs.filter(([from, to]) => isLater(to, from) && !never.includes(`${from} -> ${to}`));
}

function transitions(): string {
	const rows = permitted().map(([from, to]) => {
		const events = announced({ ...blank, status: from }, { ...blank, status: to }).map(({ kind }) => code(kind));
		return [code(from), code(to), causes[`${from} -> ${to}`] ?? '', events.join(', then ')];
	});
	return table(
		['from', 'to', 'because', 'events'],
		[['', code('requested'), 'a visitor asked', code('call.requested')], ...rows],
	);
}

function diagram(): string {
	const arrows = permitted().map(([from, to]) => `    ${from} --> ${to}`);
	const ends = callStatuses.filter(isTerminal).map((status) => `    ${status} --> [*]`);
	return ['```mermaid', 'stateDiagram-v2', '    [*] --> requested', ...arrows, ...ends, '```'].join('\n');
}

const whatIsDone = {
	ask_again: 'its message is sent again',
	look_up: 'the provider is asked',
	end_leg: 'the leg ends',
	set_up_over: 'the call fails: `setup_timeout`',
	unheard_end: 'the call ends by what is known',
	conversation_over: 'the call is ended as by a cancel',
} as const;

/** The deadlines that `deadlinesOf` gives a leg of each rank, in seconds since its last report. */
function legRows(role: LegRole): readonly Row[] {
	const known = (rank: LegRank, provider_id: string | null): Leg => {
		const leg = newLeg(blank.id, role, role === 'agent' ? 0 : null, Date.parse(at));
		return { ...leg, rank, dialed_at: at, provider_id };
	};
	const states: readonly (readonly [string, Leg])[] = [
		['created', known('created', null)],
		['dialing, the provider’s answer unclear', known('dialing', null)],
		['dialing', known('dialing', 'known')],
		['ringing', known('ringing', 'known')],
		['answered', known('answered', 'known')],
		...(role === 'agent' ? [['accepted', known('accepted', 'known')] as const] : []),
	];
	return states.flatMap(([name, leg]) => {
		const due = deadlinesOf({ ...blank, legs: [leg] }, 1).filter((deadline) => 'leg_id' in deadline);
		const end = due.findIndex((deadline) => deadline.due === 'end_leg');
		return due.slice(0, end < 0 ? due.length : end + 1).map((deadline) => {
			const cause = 'cause' in deadline ? ` as ${code(deadline.cause)}` : '';
			const seconds = (deadline.at_ms - Date.parse(at)) / 1000;
			return [role, name, `${seconds} s`, `${whatIsDone[deadline.due]}${cause}`];
		});
	});
}

export function callStatesDocument(): string {
	const terminal = (status: CallStatus): string => (isTerminal(status) ? 'yes, for good' : 'no');
	return `# States of a call

Written by \`node build/call-states.ts\` from the code that decides; edit that, not this. A call's status is a pure function of
its legs, of a cancel and of time ([call-aggregation.ts](../shared/domain/calls/call-aggregation.ts)), so the order in which a
provider's reports come in cannot change what it ends as.

## Statuses

${table(
	['status', 'terminal'],
	callStatuses.map((status) => [code(status), terminal(status)]),
)}

${diagram()}

Statuses may be skipped and never go back; each event is made at most once. ${code('canceled')} is announced by
${code('call.failed')}, whose ${code('data.status')} says so.

${transitions()}

## Why a call failed

${table(
	['failure_reason', 'meaning'],
	failureReasons.map((reason) => [code(reason), reasons[reason]]),
)}

## Legs

One telephone connection each: a team member's, the visitor's. They are never shown. A rank only rises.

${table(
	['rank', 'meaning'],
	legRanks.map((rank) => [code(rank), ranks[rank]]),
)}

## Deadlines

By our clock. On one machine phones can be made faster (\`--speed\`), deadlines at most three times as fast.

${table(
	['', 'seconds', 'how long'],
	Object.entries(deadlines).map(([name, words]) => {
		const seconds = Object.entries(DEADLINE_SECONDS).find(([key]) => key === name)?.[1];
		return [code(name), String(seconds), words];
	}),
)}

What falls due for a leg of which nothing more is heard, here with the question for "Ada" on "shop.example". A provider
ends its own ringing at the limit; ours comes 3 s later, should it not.

${table(['leg', 'rank', 'after', 'then'], [...legRows('agent'), ...legRows('visitor')])}
`;
}

if (import.meta.main) writeFileSync(new URL('../docs/call-states.md', import.meta.url), callStatesDocument());
