import type { CallStatus, FailureReason } from '../../../shared/domain/calls/call.ts';
import type { UnavailableReason } from '../../../shared/domain/workspaces/workspace.ts';
import type { Config, ConsentText } from '../config.ts';
import { groupInternational } from '../number/group-number.ts';
import { NOTHING_TYPED, type Reading } from '../number/read-number.ts';
import type { TextKey, Texts } from '../words.ts';

/** The states in the event `callback:state`. Each is also the key of its text. */
export type State = 'idle' | 'sending' | CallStatus | 'closed' | 'lead_sent' | 'error';
export type StateDetail = {
	readonly state: State;
	/** The id of the call or the lead. Null as long as there is none. */
	readonly id: string | null;
	readonly reference: string | null;
	/** Why the call has failed. Null if it has not failed, or if the service does not say why. */
	readonly reason: FailureReason | null;
	/** The key of the visitor's workspace. Null if the page has several workspaces and the visitor has not chosen one yet. */
	readonly workspace_key: string | null;
};
export const places = ['phone', 'country', 'consent', 'form'] as const;
export type Errors = Readonly<Partial<Record<(typeof places)[number], TextKey | null>>>;

/** Everything that the view shows. The view is a function of this model. */
export type Model = {
	readonly open: boolean;
	readonly state: State;
	/** The id of the call or the lead. Null as long as there is none. */
	readonly id: string | null;
	/** Null until the service has answered. */
	readonly config: Config | null;
	/** Whether the visitor wants to be called back later, or the team did not answer the call. */
	readonly later: boolean;
	/** How far the call is: 0 sent, 1 ringing, 2 talking, 3 done. Null if there is no call. */
	readonly step: number | null;
	readonly reason: FailureReason | null;
	/** Whether the visitor's own phone is being called. */
	readonly ownPhoneRings: boolean;
	/** When the conversation began, as a time of `performance.now()`. Null before that. */
	readonly talkingSince: number | null;
	/** For how many seconds both people spoke, as the service says at the end. Null before that, or if they did not speak. */
	readonly talkedSeconds: number | null;
	readonly mayCancel: boolean;
	readonly reading: Reading;
	/** The number that was sent, with its groups. */
	readonly phone: string;
	readonly errors: Errors;
};

/** The fields of a model that has no call and no error. */
export const NO_CALL = {
	id: null,
	step: null,
	reason: null,
	ownPhoneRings: false,
	talkingSince: null,
	talkedSeconds: null,
	mayCancel: false,
	errors: {},
};

/** The model of the form before the visitor does anything. */
export function atRest(open: boolean, config: Config | null, later = false): Model {
	const state = isClosed(config) ? 'closed' : 'idle';
	return { open, config, later, state, reading: NOTHING_TYPED, phone: '', ...NO_CALL };
}

export function isClosed(config: Config | null): boolean {
	return config?.open === false || !!config?.unavailable;
}

/** Whether no member took the call. The form then offers a callback, and keeps what was typed. */
export const isMissed = ({ state, reason }: Pick<Model, 'state' | 'reason'>): boolean =>
	state === 'failed' && (reason === 'no_agent_answer' || reason === 'no_agent_callable');

/** The text after a call that no member took. If no phone was allowed to ring, it says that the service cannot call. */
const missedText = ({ reason }: Pick<Model, 'reason'>, texts: Texts): string =>
	texts[reason === 'no_agent_callable' ? 'calls_unavailable' : 'no_agent_answer'];

/** Whether the form asks for a callback, because the visitor wants one, the team is closed, or the team did not answer. */
export function asksLater({ later, config }: Model): boolean {
	return later || isClosed(config);
}

/** The consent text for the visitor. Calls and callbacks have different texts. Undefined until the configuration is there. */
export function termsOf(model: Model): ConsentText | undefined {
	return model.config?.consent_texts[asksLater(model) ? 'lead' : 'call'];
}

/** Failures that have a sentence of their own. Each is also the key of its text. */
const FAILURES = [
	'visitor_busy',
	'visitor_rejected',
	'visitor_no_answer',
	'voicemail',
	'number_unreachable',
	'agent_left',
] satisfies readonly FailureReason[];

/** Reasons that have a sentence of their own. Each is also the key of its text. */
const UNAVAILABLE = [
	'switched_off',
	'no_team',
	'daily_limit',
	'window_limit',
] as const satisfies readonly UnavailableReason[];
/** After these refusals, the widget offers a callback. */
const OFFERING = ['error', 'rate_limited', 'calls_unavailable', ...UNAVAILABLE] satisfies readonly TextKey[];

/** What the state looks like: in progress, success, or failure. */
export function moodOf(state: State): 'live' | 'good' | 'bad' {
	if (/fail|cancel|error/.test(state)) return 'bad';
	return /complete|lead/.test(state) ? 'good' : 'live';
}

/** The step of a status. If a call has failed or was canceled, the step stays the last one that the call reached. */
export function stepOf(status: CallStatus, before: number | null): number {
	return Math.max(['requested', 'ringing', 'connected', 'completed'].indexOf(status), before ?? 0);
}

/** Whether the form is shown, and not the status. */
export function showsForm({ step, config, state }: Model): boolean {
	return step === null && config !== null && state !== 'lead_sent';
}

/** Writes a number so that its digits stay from left to right in any text, and on one line. */
const isolate = (number: string): string => `\u2066${number.replaceAll(' ', '\u00a0')}\u2069`;

/** The number that the visitor's phone will show, with its groups. Empty if it is not known. */
function callerOf({ caller_number, numbers }: Config): string {
	return caller_number ? isolate(groupInternational(caller_number, numbers)) : '';
}

/** Whether to offer a callback instead, after a failure or if calls are not possible now. */
export function offersLead(model: Model): boolean {
	const { state, errors } = model;
	if (asksLater(model)) return false;
	return state === 'failed' || OFFERING.some((known) => known === errors.form);
}

/**
 * The text of the launcher's button. During a call, it is the call's status. After a failure, it says that the call has
 * failed, because the panel may be closed. Otherwise it is the usual text.
 */
export function launcherText({ state, step }: Model, texts: Texts): string {
	if (state === 'failed') return texts.failed;
	const live = moodOf(state) === 'live' && state !== 'sending';
	return (live && texts.steps[step ?? -1]) || texts.launcher;
}

/**
 * The sentence about the status of the call. Empty while the form is shown, except while a request is sent and after a missed
 * call.
 */
export function statusText(model: Model, texts: Texts): string {
	const { state, errors, reason, ownPhoneRings, config } = model;
	if (state === 'sending') return texts.sending;
	if (isMissed(model)) return missedText(model, texts);
	if (showsForm(model)) return '';
	if (errors.form) return texts[errors.form];
	if (state === 'ringing' && !ownPhoneRings) return texts.requested;
	if (state === 'ringing' && config?.caller_number) return texts.ringing_from.replace('{0}', callerOf(config));
	const sentence = FAILURES.find((known) => state === 'failed' && known === reason);
	return texts[sentence ?? state];
}

/** The minutes and seconds of a conversation. Empty if there is none. */
export function talkedText({ talkingSince, talkedSeconds }: Model, now: number): string {
	if (talkingSince === null && talkedSeconds === null) return '';
	const seconds = talkedSeconds ?? Math.max(0, Math.floor((now - (talkingSince ?? now)) / 1000));
	return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`;
}

/**
 * The hint below the field for the number. If what was typed is a number that will be called, the hint shows this number.
 * Otherwise it shows an example of a number in the workspace's country.
 */
export function hintText({ config, reading, errors }: Model, texts: Texts): string {
	const example = config?.numbers[0]?.example_national;
	if (reading.willRing && !errors.phone) return texts.will_call.replace('{0}', isolate(reading.shown));
	return example ? texts.hint.replace('{0}', isolate(example)) : '';
}

/** Whether to show a greeting: only above the form, and only if the form asks for a call now. */
export function greets(model: Model): boolean {
	return showsForm(model) && !asksLater(model);
}

/** The title of the panel. With the form, it says what the visitor will get; otherwise, it only names what the panel is about. */
export function titleText(model: Model, texts: Texts): string {
	if (model.step !== null) return texts.call;
	if (model.config?.unavailable) return texts.launcher;
	if (isClosed(model.config)) return texts.closed;
	if (showsForm(model)) return model.later ? texts.lead : texts.title;
	return texts.launcher;
}

/** If the opening is further away than this, the name of a weekday could mean two days. */
const FAR_MS = 6 * 24 * 3_600_000;

/**
 * When the team opens, in the visitor's time zone. If that is far away, the text has the date. If the shop's clock shows another
 * time, the text also names the visitor's time zone.
 */
function openingText({ opens_in_ms, time_zone }: Config, nextOpenAt: string, language: string): string {
	const at = new Date(nextOpenAt);
	const leftMs = opens_in_ms ?? Number(at) - Date.now();
	const date = leftMs >= FAR_MS && ({ day: 'numeric', month: 'long' } as const);
	const say = (more?: Intl.DateTimeFormatOptions) =>
		at.toLocaleString(language, { weekday: 'long', hour: 'numeric', minute: 'numeric', ...date, ...more });
	try {
		if (say({ timeZone: time_zone }) === say()) return say();
	} catch {
		// An old browser may not know the name of a newer time zone.
	}
	return say({ timeZoneName: 'short' });
}

/** When the team opens, in the visitor's time zone. Empty if no opening is planned. */
export const opensText = (config: Config | null, texts: Texts): string =>
	config?.next_open_at ? texts.opens.replace('{0}', openingText(config, config.next_open_at, texts.lang)) : '';

/** The sentence above the form: what the form promises, or why no call is possible. */
export function introText(model: Model, texts: Texts): string {
	const { config } = model;
	if (isMissed(model)) return missedText(model, texts);
	const reason = config?.unavailable;
	// A newer service may send a reason for which there is no sentence here.
	if (reason) return texts[UNAVAILABLE.find((known) => known === reason) ?? 'calls_unavailable'];
	const caller = config ? callerOf(config) : '';
	if (!asksLater(model)) return caller ? `${texts.intro} ${texts.calls_from.replace('{0}', caller)}` : texts.intro;
	return `${texts.intro_closed} ${opensText(config, texts)}`.trim();
}
