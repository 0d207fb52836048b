import type { Evidence, Step } from '../../../ops/evidence/evidence-file.ts';

// Histories of calls as the providers tell them, in the form of `ops evidence`. The names and values of the callbacks' fields
// are those of the sources; numbers, ids and times are replaced. `docs/telephony.md` says which statuses have a public capture.

/** Where a callback was seen, and when it was sent or written down. */
export const SOURCES = {
	twilio_docs: 'https://www.twilio.com/docs/voice/api/call-resource (documented names and values, read 2026-11-24)',
	initiated: 'https://github.com/zammad/zammad/issues/605 (2018-09-18, of a call of 2015-05-12)',
	order: 'https://github.com/twilio/twilio-java/issues/321 (2017-01-10)',
	no_answer: 'https://github.com/somleng/somleng-switch/issues/7 (2016-11-01)',
	busy_486: 'https://github.com/chobela/achire, pages/twilio/webhook.php (2022-05-07)',
	busy_487: 'https://elevenlabs.io/docs/eleven-agents/workflows/post-call-webhooks (2025-10-08)',
	completed_by_human: 'https://github.com/lamegom/nossocartorio (2018-03-25)',
	telnyx_docs: 'https://developers.telnyx.com/api-reference/callbacks/texml-call-completed (its examples, 2024-01-15)',
	telnyx_hangup: 'https://developers.telnyx.com/docs/voice/programmable-voice/texml-verbs/hangup (2021-04-28)',
	telnyx_limits:
		'https://developers.telnyx.com/docs/voice/sip-trunking/configuration/concurrent-limits (read 2026-11-24)',
} as const;

type Said = Readonly<Record<string, string>>;
type Outcome = Pick<Evidence['call'], 'status' | 'failure_reason' | 'duration_seconds'>;
export type History = {
	readonly name: string;
	readonly sources: readonly (keyof typeof SOURCES)[];
	readonly outcome: Outcome;
	readonly evidence: Evidence;
};

const BASE_MS = Date.parse('2026-11-24T10:00:00.000Z');
const at = (seconds: number): string => new Date(BASE_MS + Math.round(seconds * 1000)).toISOString();
/** A callback takes a moment. */
const ARRIVES_S = 0.4;

const phones: Readonly<Record<string, string>> = { 'member m1': 'phone 1', 'member m2': 'phone 2', visitor: 'phone 3' };
const rfc2822 = (seconds: number): string => new Date(BASE_MS + seconds * 1000).toUTCString().replace('GMT', '+0000');

/** A callback of Twilio, sent at a second of the call. */
function twilio(seconds: number, who: string, CallStatus: string, more: Said = {}, asks = false): Step {
	const said = { CallSid: phones[who] ?? '', CallStatus, Timestamp: rfc2822(seconds), ...more };
	return { step: 'callback', at: at(seconds + ARRIVES_S), who, asks, said };
}
function telnyx(seconds: number, who: string, CallStatus: string, more: Said = {}, asks = false): Step {
	const Timestamp = at(seconds).replace(/\.\d+Z$/, 'Z');
	return {
		step: 'callback',
		at: at(seconds + ARRIVES_S),
		who,
		asks,
		said: { CallSid: phones[who] ?? '', CallStatus, Timestamp, ...more },
	};
}
type Tell = typeof twilio;

function dial(seconds: number, who: string, said: Said = { phone: phones[who] ?? '' }): readonly Step[] {
	return [
		{ step: 'dialing', at: at(seconds), who },
		{ step: 'dial', at: at(seconds + 0.2), who, outcome: 'accepted', said },
	];
}
const hangUp = (seconds: number, who: string): Step => ({ step: 'hang_up', at: at(seconds), who, outcome: 'done' });

/** A member's phone from its dial at a second to the key 1 at `+9`. */
const accepts = (tell: Tell, from: number, who: string): readonly Step[] => [
	...dial(from, who),
	tell(from + 2, who, 'ringing'),
	tell(from + 6, who, 'in-progress', {}, true),
	tell(from + 9, who, 'in-progress', { Digits: '1' }, true),
];
/** A member accepts at 9; the visitor's phone is dialled at 10. */
const toVisitor = (tell: Tell): readonly Step[] => [...accepts(tell, 0, 'member m1'), ...dial(10, 'visitor')];
/** The visitor answers at 20. */
const talk = (tell: Tell): readonly Step[] => [...toVisitor(tell), tell(20, 'visitor', 'in-progress', {}, true)];
/** The visitor's phone ended without an answer, and the member's was hung up. */
const unreached = (tell: Tell, CallStatus: string, more: Said): readonly Step[] => [
	...toVisitor(tell),
	tell(20, 'visitor', CallStatus, { CallDuration: '0', ...more }),
	hangUp(21, 'member m1'),
	tell(21, 'member m1', 'completed', { CallDuration: '15' }),
];

const failed = (failure_reason: Outcome['failure_reason']): Outcome => {
	return { status: 'failed', failure_reason, duration_seconds: 0 };
};
const completed = (duration_seconds: number): Outcome => ({
	status: 'completed',
	failure_reason: null,
	duration_seconds,
});

function history(
	provider: 'twilio' | 'telnyx',
	name: string,
	sources: History['sources'],
	outcome: Outcome,
	steps: readonly Step[],
	members: readonly string[] = ['m1'],
): History {
	const asked = { language: 'en', visitor_name: 'xxxx', source_url: 'https://xxxx.xxxxxxx/', reference: null } as const;
	const call = {
		id: '01KAJQM400ABCDEFGHJKMNPQRS',
		created_at: at(-1),
		...asked,
		plan: { strategy: 'sequential' as const, order: 'agent_first' as const, members: [...members] },
		...outcome,
		connected_at: null,
		completed_at: null,
		legs: [],
	};
	const evidence: Evidence = { format: 'call-evidence/2', provider, call, steps: [...steps] };
	return { name: `${provider}: ${name}`, sources, outcome, evidence };
}

const ofTwilio = (...[name, sources, outcome, steps, members]: Tail) =>
	history('twilio', name, sources, outcome, steps, members);
const ofTelnyx = (...[name, sources, outcome, steps, members]: Tail) =>
	history('telnyx', name, sources, outcome, steps, members);
type Tail = [string, History['sources'], Outcome, readonly Step[], (readonly string[])?];

export const providerHistories: readonly History[] = [
	ofTwilio('both talk, and the visitor hangs up', ['twilio_docs', 'order'], completed(30), [
		...talk(twilio),
		twilio(50, 'visitor', 'completed', { CallDuration: '30', SipResponseCode: '200' }),
		twilio(51, 'member m1', 'completed', { CallDuration: '45', SipResponseCode: '200' }),
	]),
	ofTwilio('the member hangs up, and the visitor’s leg follows', ['twilio_docs'], completed(25), [
		...talk(twilio),
		twilio(45, 'member m1', 'completed', { CallDuration: '39' }),
		twilio(46, 'visitor', 'completed', { CallDuration: '26' }),
	]),
	ofTwilio('every status is told', ['initiated', 'order', 'completed_by_human'], completed(49), [
		...dial(0, 'member m1'),
		twilio(0, 'member m1', 'initiated', { SequenceNumber: '0' }),
		twilio(2, 'member m1', 'ringing', { SequenceNumber: '1' }),
		twilio(6, 'member m1', 'in-progress', { SequenceNumber: '2' }),
		twilio(6, 'member m1', 'in-progress', {}, true),
		twilio(9, 'member m1', 'in-progress', { Digits: '1' }, true),
		...dial(10, 'visitor'),
		twilio(10, 'visitor', 'initiated', { SequenceNumber: '0' }),
		twilio(12, 'visitor', 'ringing', { SequenceNumber: '1' }),
		twilio(20, 'visitor', 'in-progress', { AnsweredBy: 'human' }, true),
		twilio(69, 'visitor', 'completed', { SequenceNumber: '3', CallDuration: '49', AnsweredBy: 'human' }),
		twilio(70, 'member m1', 'completed', { SequenceNumber: '3', CallDuration: '64' }),
	]),
	ofTwilio(
		'the visitor’s phone is busy (486)',
		['busy_486'],
		failed('visitor_busy'),
		unreached(twilio, 'busy', { SipResponseCode: '486' }),
	),
	ofTwilio(
		'the visitor’s phone is busy (487)',
		['busy_487'],
		failed('visitor_busy'),
		unreached(twilio, 'busy', { SipResponseCode: '487', SequenceNumber: '2' }),
	),
	ofTwilio(
		'the visitor does not answer',
		['no_answer'],
		failed('visitor_no_answer'),
		unreached(twilio, 'no-answer', { SipResponseCode: '487', SequenceNumber: '0' }),
	),
	ofTwilio(
		'the visitor declines (603)',
		['twilio_docs'],
		failed('visitor_rejected'),
		unreached(twilio, 'busy', { SipResponseCode: '603' }),
	),
	ofTwilio(
		'the visitor’s number does not exist',
		['twilio_docs'],
		failed('number_unreachable'),
		unreached(twilio, 'failed', { SipResponseCode: '404' }),
	),
	ofTwilio(
		'a network fails',
		['twilio_docs'],
		failed('provider_error'),
		unreached(twilio, 'failed', { SipResponseCode: '503' }),
	),
	ofTwilio('the visitor’s voicemail answers', ['twilio_docs'], failed('voicemail'), [
		...toVisitor(twilio),
		twilio(20, 'visitor', 'in-progress', { AnsweredBy: 'machine_start' }, true),
		twilio(21, 'visitor', 'completed', { CallDuration: '1', AnsweredBy: 'machine_start' }),
		hangUp(21, 'member m1'),
		twilio(22, 'member m1', 'completed', { CallDuration: '16' }),
	]),
	ofTwilio(
		'the first member does not answer, the second does',
		['no_answer'],
		completed(30),
		[
			...dial(0, 'member m1'),
			twilio(2, 'member m1', 'ringing'),
			twilio(22, 'member m1', 'no-answer', { CallDuration: '0', SipResponseCode: '487' }),
			...accepts(twilio, 23, 'member m2'),
			...dial(33, 'visitor'),
			twilio(40, 'visitor', 'in-progress', {}, true),
			twilio(70, 'visitor', 'completed', { CallDuration: '30' }),
			twilio(71, 'member m2', 'completed', { CallDuration: '42' }),
		],
		['m1', 'm2'],
	),
	ofTwilio('the member’s voicemail presses no key', ['twilio_docs'], failed('no_agent_answer'), [
		...dial(0, 'member m1'),
		twilio(2, 'member m1', 'ringing'),
		twilio(6, 'member m1', 'in-progress', {}, true),
		twilio(25, 'member m1', 'completed', { CallDuration: '19' }),
	]),
	ofTwilio(
		'the visitor cancels while the member’s phone rings',
		['twilio_docs'],
		{ ...failed('canceled'), status: 'canceled' },
		[
			...dial(0, 'member m1'),
			twilio(2, 'member m1', 'ringing'),
			{ step: 'cancel', at: at(5) },
			hangUp(6, 'member m1'),
			twilio(6, 'member m1', 'canceled', { CallDuration: '0' }),
		],
	),
	ofTwilio('the call is cancelled while both talk', ['twilio_docs'], completed(30), [
		...talk(twilio),
		{ step: 'cancel', at: at(50) },
		hangUp(51, 'member m1'),
		hangUp(51, 'visitor'),
		twilio(51, 'visitor', 'completed', { CallDuration: '31' }),
		twilio(51, 'member m1', 'completed', { CallDuration: '45' }),
	]),
	ofTwilio('a dial is refused', ['twilio_docs'], failed('provider_rejected'), [
		{ step: 'dialing', at: at(0), who: 'member m1' },
		{
			step: 'dial',
			at: at(0.3),
			who: 'member m1',
			outcome: 'refused',
			code: '21216',
			said: { reason: 'provider_rejected' },
		},
	]),
	ofTwilio('a dial is throttled, and the next one is not', ['twilio_docs'], completed(30), [
		{ step: 'dialing', at: at(-0.5), who: 'member m1' },
		{ step: 'dial', at: at(-0.4), who: 'member m1', outcome: 'throttled', code: '20429', said: { seconds: '0' } },
		...talk(twilio),
		twilio(50, 'visitor', 'completed', { CallDuration: '30' }),
		twilio(51, 'member m1', 'completed', { CallDuration: '45' }),
	]),
	ofTwilio('the response to a dial is lost, and the first callback names the leg', ['twilio_docs'], completed(30), [
		...accepts(twilio, 0, 'member m1'),
		{ step: 'dialing', at: at(10), who: 'visitor' },
		{ step: 'dial', at: at(18), who: 'visitor', outcome: 'unclear', code: 'lost', said: {} },
		twilio(20, 'visitor', 'in-progress', {}, true),
		twilio(50, 'visitor', 'completed', { CallDuration: '30' }),
		twilio(51, 'member m1', 'completed', { CallDuration: '45' }),
	]),
	ofTelnyx('both talk, and the visitor hangs up', ['telnyx_docs'], completed(45), [
		...dial(0, 'member m1', {}),
		telnyx(0, 'member m1', 'initiated', { SequenceNumber: '0' }),
		telnyx(2, 'member m1', 'ringing', { SequenceNumber: '1' }),
		telnyx(6, 'member m1', 'in-progress', {}, true),
		telnyx(9, 'member m1', 'in-progress', { Digits: '1' }, true),
		...dial(10, 'visitor'),
		telnyx(15, 'visitor', 'in-progress', { SequenceNumber: '2' }, true),
		telnyx(60, 'visitor', 'completed', {
			SequenceNumber: '3',
			CallDuration: '45',
			AnsweredTime: at(15),
			HangupCause: 'normal_clearing',
		}),
		telnyx(60, 'member m1', 'completed', {
			SequenceNumber: '3',
			CallDuration: '54',
			AnsweredTime: at(6),
			HangupCause: 'normal_clearing',
		}),
	]),
	ofTelnyx('a completed callback without the time of the answer', ['telnyx_hangup'], completed(2), [
		...talk(telnyx),
		telnyx(22, 'visitor', 'completed', { SequenceNumber: '0', CallDuration: '2' }),
		telnyx(22, 'member m1', 'completed', { SequenceNumber: '0', CallDuration: '16' }),
	]),
	ofTelnyx(
		'the visitor declines, which is reported as busy (486)',
		['telnyx_docs'],
		failed('visitor_busy'),
		unreached(telnyx, 'busy', { HangupCause: 'call_rejected', SipHangupCause: '486' }),
	),
	ofTelnyx(
		'the visitor declines (603)',
		['telnyx_docs'],
		failed('visitor_rejected'),
		unreached(telnyx, 'busy', { HangupCause: 'call_rejected', SipHangupCause: '603' }),
	),
	ofTelnyx(
		'the visitor does not answer',
		['telnyx_docs'],
		failed('visitor_no_answer'),
		unreached(telnyx, 'no-answer', { HangupCause: 'timeout' }),
	),
	ofTelnyx('no channel is free for the visitor, and then one is', ['telnyx_limits'], completed(30), [
		...toVisitor(telnyx),
		telnyx(10, 'visitor', 'failed', { SipHangupCause: '403', ErrorMessage: 'User channel limit exceeded D1' }),
		...dial(13, 'visitor', { phone: 'phone 4' }),
		telnyx(20, 'visitor', 'in-progress', { CallSid: 'phone 4' }, true),
		telnyx(50, 'visitor', 'completed', { CallSid: 'phone 4', CallDuration: '30' }),
		telnyx(51, 'member m1', 'completed', { CallDuration: '45' }),
	]),
];
