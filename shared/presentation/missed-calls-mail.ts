import type { MissedCallsNotice } from '../ports/team-notifier.ts';
import { type Mail, type MailParts, mailOf } from './letter.ts';
import { html } from './markup.ts';
import { readableMask } from './readable-mask.ts';
import { fillIn, textsIn } from './team-texts.ts';
import { countText, oneLine, plainAddress, readableTime, whoAsked, withoutMarks } from './team-words.ts';

/** The mail about calls that the team did not answer, in the team's language. The mail shows only masked numbers. */
export function missedCallsMail(notice: MissedCallsNotice): Mail {
	const { calls, more, desk_url, locale } = notice;
	const texts = textsIn(locale.language);
	const { missed } = texts;
	const plain = (label: string, text: string) => ({ label, text, shown: html`<bdi>${text}</bdi>` });
	const rows = calls.flatMap((call, place) => {
		const number = readableMask(call.visitor_phone_masked);
		const who = `${whoAsked({ name: call.visitor_name }, locale)}, ${withoutMarks(number, texts)}`;
		const page = withoutMarks(plainAddress(call.source_url), texts);
		return [
			{ ...plain(readableTime(call.created_at, locale), who), apart: place > 0 },
			plain(texts.page, call.reference ? `${page} (${oneLine(call.reference)})` : page),
			plain(missed.rung, rungIn(call, missed.no_phone)),
		];
	});
	const letter: MailParts = {
		headline: `${calls.every(isNotCallable) ? missed.headline_no_phone : missed.headline}.`,
		initials: '',
		rows,
		steps: desk_url === null ? [] : [{ label: missed.call_back, does: { open: desk_url } }],
		notes: [...(more > 0 ? [countText(missed.more, more, locale.language)] : []), missed.note],
	};
	return mailOf(fillIn(missed.subject, String(calls.length + more)), letter, notice);
}

type MissedCall = MissedCallsNotice['calls'][number];

const isNotCallable = ({ failure_reason }: MissedCall): boolean => failure_reason === 'no_agent_callable';

/** The names of the members whose phones rang, or `none` if no phone could ring. */
const rungIn = (call: MissedCall, none: string): string =>
	isNotCallable(call) ? none : call.rung.map((name) => oneLine(readableMask(name))).join(', ');
