import type { CallStatus, FailureReason } from '../../shared/domain/calls/call.ts';
import type { Config } from '../config.ts';
import { groupNational } from '../number/group-number.ts';
import { NOTHING_TYPED, type Reading } from '../number/read-number.ts';
import type { TextKey, Texts } from '../words.ts';

/** What `callback:state` reports. Each is also the key of the text that says so. */
export type State = 'idle' | 'sending' | CallStatus | 'closed' | 'lead_sent' | 'error';
/** Where something can be wrong: a field, or the request as a whole. */
export const places = ['phone', 'country', 'consent', 'form'] as const;
export type Errors = Readonly<Partial<Record<(typeof places)[number], TextKey | null>>>;

/** Everything that is shown; the view is a function of it. */
export type Model = {
	readonly open: boolean;
	readonly state: State;
	/** Null until the service has answered. While it is closed, the form asks for a call back later. */
	readonly config: Config | null;
	/** How far the call came: 0 sent, 1 ringing, 2 talking, 3 done. Null while there is no call. */
	readonly step: number | null;
	/** Why it failed, when the service says so. */
	readonly reason: FailureReason | null;
	/** Whether it is the visitor's own phone that rings. */
	readonly ownPhoneRings: boolean;
	/** When the conversation began, on the clock of `performance.now()`. */
	readonly talkingSince: number | null;
	/** Whether the browser works to have the request taken, while it is sent. */
	readonly works: boolean;
	/** Whether the visitor may cancel the call. */
	readonly mayCancel: boolean;
	/** The number as it is typed. */
	readonly reading: Reading;
	/** The number that was sent, with its groups. */
	readonly phone: string;
	readonly errors: Errors;
};

/** The form as it is before anything was sent. */
export function atRest(open: boolean, config: Config | null): Model {
	const state = isClosed(config) ? 'closed' : 'idle';
	const noCall = { step: null, reason: null, ownPhoneRings: false, talkingSince: null, works: false, mayCancel: false };
	return { open, config, state, ...noCall, reading: NOTHING_TYPED, phone: '', errors: {} };
}

export function isClosed(config: Config | null): boolean {
	return config?.open === false;
}

/** Failures with a sentence of their own; each is also its key. */
const FAILURES = [
	...(['visitor_busy', 'visitor_rejected', 'visitor_no_answer', 'voicemail'] as const),
	...(['number_unreachable', 'no_agent_answer', 'agent_left'] as const),
] satisfies readonly FailureReason[];

/** How it looks: under way, come to a good end, or not. */
export function moodOf(state: State): 'live' | 'good' | 'bad' {
	if (/failed|canceled|error/.test(state)) return 'bad';
	return /completed|lead/.test(state) ? 'good' : 'live';
}

/** The step a status stands for; a call that failed or was cancelled stays at the step it had reached. */
export function stepOf(status: CallStatus, before: number | null): number {
	return Math.max(['requested', 'ringing', 'connected', 'completed'].indexOf(status), before ?? 0);
}

/** Whether the form shows; else the state of things does. */
export function showsForm({ step, config, state }: Model): boolean {
	return step === null && config !== null && state !== 'lead_sent';
}

/** Digits stand from left to right in any text. */
const isolated = (number: string): string => `\u2066${number}\u2069`;

/** Whether a call back later is offered instead: after a failure, or where calls cannot be had now. */
export function offersLead({ state, errors: { form } }: Model): boolean {
	return state === 'failed' || form === 'error' || form === 'rate_limited' || form === 'calls_unavailable';
}

/** What the launcher says: how far the call is, while one is under way. */
export function launcherText({ state, step }: Model, texts: Texts): string {
	const live = moodOf(state) === 'live' && state !== 'sending';
	return (live && texts.steps[step ?? -1]) || texts.launcher;
}

/** The sentence that says where things stand. A form speaks for itself. */
export function statusText(model: Model, texts: Texts): string {
	const { state, errors, reason, ownPhoneRings, config } = model;
	if (state === 'sending') return sendingText(model, texts);
	if (showsForm(model)) return '';
	if (errors.form) return texts[errors.form];
	if (state === 'ringing' && !ownPhoneRings) return texts.requested;
	if (state === 'ringing' && config?.caller_number) {
		return texts.ringing_from.replace('{0}', isolated(spaced(config.caller_number, config.numbers)));
	}
	const sentence = FAILURES.find((known) => state === 'failed' && known === reason);
	return texts[sentence ?? state];
}

/** What is said while a request is sent. */
export function sendingText({ works }: Model, texts: Texts): string {
	return works ? texts.works : texts.sending;
}

/** A number in E.164 with the groups of its country, if that is one that is called. */
function spaced(e164: string, numbers: Config['numbers']): string {
	const guide = numbers.find(({ calling_code }) => e164.startsWith(`+${calling_code}`));
	if (!guide) return e164;
	return `+${guide.calling_code} ${groupNational(e164.slice(1 + guide.calling_code.length), guide)}`;
}

/** Minutes and seconds of a conversation; empty when there is none. */
export function talkedText({ talkingSince }: Model, now: number): string {
	if (talkingSince === null) return '';
	const seconds = Math.max(0, Math.floor((now - talkingSince) / 1000));
	return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`;
}

/** Under the number's field: how such a number looks in this country, or which one is about to be called. */
export function hintText({ config, reading }: Model, texts: Texts): string {
	const example = config?.numbers[0]?.example_national;
	if (reading.shown) return texts.will_call.replace('{0}', isolated(reading.shown));
	return example ? texts.hint.replace('{0}', isolated(example)) : '';
}

/** Whether the page's own greeting stands above: over the form, while the team is there. */
export function greets(model: Model): boolean {
	return showsForm(model) && !isClosed(model.config);
}

/** A form promises a call; over anything else stands only what it is about. */
export function titleText(model: Model, texts: Texts): string {
	if (isClosed(model.config)) return texts.closed;
	return showsForm(model) ? texts.title : texts.launcher;
}

/** What the form promises: a call in a moment, or when the team is back. The time is the visitor's own. */
export function introText(config: Config | null, texts: Texts): string {
	if (!isClosed(config)) return texts.intro;
	if (!config?.next_open_at) return texts.intro_closed;
	const style = { weekday: 'long', hour: 'numeric', minute: 'numeric' } as const;
	const when = new Date(config.next_open_at).toLocaleString(texts.lang, style);
	return `${texts.intro_closed} ${texts.opens.replace('{0}', when)}`;
}
