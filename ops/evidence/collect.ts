import { isJoined } from '../../shared/domain/calls/call-aggregation.ts';
import type { CallRecord } from '../../shared/domain/calls/call-record.ts';
import { OperatorError } from '../operator-error.ts';
import type { CallLine } from './call-lines.ts';
import { Evidence, legEvidence, type Step, whoOf } from './evidence-file.ts';

/** The evidence of a call, from its record and the lines that the functions have logged about it. */
export function evidenceOf(call: CallRecord, lines: readonly CallLine[], provider: string): Evidence {
	const { id, created_at, language, plan, status, failure_reason } = call;
	const { connected_at, completed_at, duration_seconds } = call;
	const logged = lines.flatMap((line) => stepsIn(line, call).map((step) => ({ step, version: line.version })));
	const steps = asWritten([...logged, ...cancelOf(call).map((step) => ({ step }))]);
	const evidence = Evidence.safeParse({
		format: 'call-evidence/2',
		provider,
		call: {
			id,
			created_at,
			language,
			plan,
			status,
			failure_reason,
			connected_at,
			completed_at,
			duration_seconds,
			visitor_name: call.visitor_name === null ? null : unreadable(call.visitor_name),
			source_url: unreadable(call.source_url.replace(/[?#].*/s, '')),
			reference: call.reference ? 'reference 1' : null,
			legs: call.legs.map(legEvidence),
		},
		steps: withNumbers(steps),
	}).data;
	if (evidence !== undefined) return evidence;
	throw new OperatorError(`a call of the provider ${provider} has no evidence`);
}

/** Takes the same time to say: a member's time to press 1 begins after the name and the page. */
function unreadable(text: string): string {
	const [scheme = ''] = /^https?:/.exec(text) ?? [];
	const rest = text.slice(scheme.length).replace(/[\p{L}\p{M}\p{N}]/gu, (letter) => {
		if (/\p{N}/u.test(letter)) return '0';
		if (/\p{Script=Latin}/u.test(letter)) return 'x';
		return /\p{Script=Arabic}/u.test(letter) ? 'ا' : 'ж';
	});
	return scheme + rest;
}

/**
 * In the order in which they changed the call: reports that were handled at once may be logged in another. What changed
 * nothing comes after all that was logged before it.
 */
function asWritten(steps: readonly { readonly step: Step; readonly version?: number | undefined }[]): readonly Step[] {
	let last = 0;
	const placed = steps
		.toSorted((a, b) => a.step.at.localeCompare(b.step.at))
		.map(({ step, version = last }) => {
			last = Math.max(last, version);
			return { step, version };
		});
	return placed.sort((a, b) => a.version - b.version).map(({ step }) => step);
}

function stepsIn(line: CallLine, call: CallRecord): readonly Step[] {
	const { timestamp: at, fact, outcome, code } = line;
	const leg = call.legs.find(({ id }) => id === line.leg_id);
	const fields = Object.fromEntries(new URLSearchParams(line.said));
	if (fact === 'time passed') return [{ step: 'time', at, speed: Number(fields['speed'] ?? 1) }];
	if (leg === undefined) return [];
	const who = whoOf(leg);
	switch (fact) {
		case 'dialing':
			return [{ step: 'dialing', at, who }];
		case 'dial accepted':
		case 'dial refused':
		case 'dial throttled':
		case 'dial dropped':
		case 'dial unclear':
			return [{ step: 'dial', at, who, outcome: dialSteps[fact], ...(code !== '' && { code }), said: fields }];
		case 'callback':
		case 'callback ignored':
		case 'unsigned, admitted by its address':
			return [{ step: 'callback', at, who, asks: line.operation === 'instruct-leg', said: fields }];
		case 'hang-up':
			return [{ step: 'hang_up', at, who, outcome }];
		case 'hang-up unclear':
			return [{ step: 'hang_up', at, who, outcome: code }];
		case 'look-up':
			return lookUpOutcome(outcome).map((known) => ({ step: 'look_up', at, who, outcome: known, said: fields }));
		default:
			return [];
	}
}

const dialSteps = {
	'dial accepted': 'accepted',
	'dial refused': 'refused',
	'dial throttled': 'throttled',
	'dial dropped': 'dropped',
	'dial unclear': 'unclear',
} as const;
const lookUpOutcome = (outcome: string) =>
	(['found', 'missing', 'unclear'] as const).filter((known) => known === outcome);

/** The record shows a cancel: no other decision ends a call and both of its legs at the same moment. */
function cancelOf(call: CallRecord): readonly Step[] {
	const { status, completed_at: at } = call;
	if (at === null) return [];
	const talk_legs = call.legs.filter((leg) => isJoined(leg, call));
	const both = talk_legs.length === 2 && talk_legs.every(({ hangup_requested_at }) => hangup_requested_at === at);
	return status === 'canceled' || (status === 'completed' && both) ? [{ step: 'cancel', at }] : [];
}

const IDS = ['CallSid', 'phone', 'provider_id'];

/** Numbers replace even the log's stand-ins for the provider's ids. */
function withNumbers(steps: readonly Step[]): Step[] {
	const ids: string[] = [];
	return steps.map((step) => {
		if (!('said' in step)) return step;
		const fields = Object.entries(step.said).map(([name, value]): [string, string] => {
			if (!IDS.includes(name)) return [name, value];
			if (!ids.includes(value)) ids.push(value);
			return [name, `phone ${ids.indexOf(value) + 1}`];
		});
		return { ...step, said: Object.fromEntries(fields) };
	});
}
