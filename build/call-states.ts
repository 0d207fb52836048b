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
	'requested -> ringing': 'a phone rings, or has been answered at a provider that does not report ringing',
	'requested -> connected': 'everything up to the joining was reported at once',
	'requested -> completed': 'the whole conversation was reported at once',
	'requested -> failed': 'no team member is left to try, the call was refused, or a deadline has passed',
	'requested -> canceled': 'cancelled before the call was connected',
	'ringing -> connected': 'a team member and the visitor are connected',
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
	agent_left: 'the team member left before the visitor joined',
	setup_timeout: 'the setup took too long',
	provider_error: 'the provider failed, or never reported the result',
	provider_rejected: 'the provider refused to dial',
	canceled: 'cancelled before the call was connected',
};

const ranks: Readonly<Record<LegRank, string>> = {
	created: 'requested, and its dial message sent',
	dialing: 'claimed by the one job that dials it; after that it is never dialled again',
	ringing: 'the phone rings',
	answered: 'picked up; we ask a team member to press 1',
	accepted: 'the team member pressed 1 (the visitor has no such rank)',
	ended: 'ended; later reports change nothing',
};

const deadlines: Readonly<Record<keyof typeof DEADLINE_SECONDS, string>> = {
	undialed: 'a leg whose dial message was not processed: the message is sent again',
	queued: 'accepted by the provider and not ringing: we look it up',
	agent_ring: 'a team member’s phone rings',
	press_one: 'a team member decides, counted from the end of the prompt',
	visitor_ring: 'the visitor’s phone rings',
	set_up: 'from the request until two people are connected',
	silence: 'the provider has not reported on a live leg: we look it up',
	talking: 'the same during the conversation: we look up both legs together',
	conversation: 'two people talk',
	unclear_ask: 'it is unknown whether the provider processed a dial: we look it up',
	unclear_end: '… then we give the leg up',
	hang_up: 'we repeat a hang-up',
	hang_up_often: '… at that interval for this long',
	hang_up_seldom: '… then at this interval, until the provider reports the end of the leg',
	leg: 'the provider ends any leg by itself: we stop asking',
	rings: 'no phone rings longer after its dial: until then we do not call its number for another call',
	sweep: 'the sweep checks a call, in case every timer was lost',
	sweep_talking: '… and during a conversation',
	unheard_end: 'all legs are being hung up: the call ends without waiting longer for the provider’s report',
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
		[['', code('requested'), 'a visitor requested a call', code('call.requested')], ...rows],
	);
}

function diagram(): string {
	const arrows = permitted().map(([from, to]) => `    ${from} --> ${to}`);
	const ends = callStatuses.filter(isTerminal).map((status) => `    ${status} --> [*]`);
	return ['```mermaid', 'stateDiagram-v2', '    [*] --> requested', ...arrows, ...ends, '```'].join('\n');
}

const whatIsDone = {
	ask_again: 'its message is sent again',
	look_up: 'we ask the provider',
	end_leg: 'the leg ends',
	set_up_over: 'the call fails: `setup_timeout`',
	unheard_end: 'the call ends, based on what is known',
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

A call may skip statuses but never goes back; it emits each event at most once. ${code('canceled')} is announced by
${code('call.failed')}, whose ${code('data.status')} says so.

${transitions()}

## Why a call failed

${table(
	['failure_reason', 'meaning'],
	failureReasons.map((reason) => [code(reason), reasons[reason]]),
)}

## Legs

Each leg is one telephone connection: a team member's or the visitor's. The API never shows legs. A rank only rises.

${table(
	['rank', 'meaning'],
	legRanks.map((rank) => [code(rank), ranks[rank]]),
)}

## Deadlines

All deadlines use our clock. On the local stack you can speed phones up (\`--speed\`), and deadlines at most three times.

${table(
	['', 'seconds', 'how long'],
	Object.entries(deadlines).map(([name, words]) => {
		const seconds = Object.entries(DEADLINE_SECONDS).find(([key]) => key === name)?.[1];
		return [code(name), String(seconds), words];
	}),
)}

What falls due for a leg without further reports, here with the prompt for "Ada" on "shop.example". A provider stops
ringing at the limit; if it does not, ours applies 3 s later.

${table(['leg', 'rank', 'after', 'then'], [...legRows('agent'), ...legRows('visitor')])}
`;
}

if (import.meta.main) writeFileSync(new URL('../docs/call-states.md', import.meta.url), callStatesDocument());
