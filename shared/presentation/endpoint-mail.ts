import type { EndpointFact } from '../domain/notices/team-notice.ts';
import type { EndpointNotice } from '../ports/team-notifier.ts';
import { type EndpointTexts, endpointTextsIn } from './endpoint-texts.ts';
import { type Mail, type MailParts, mailOf } from './letter.ts';
import { html } from './markup.ts';
import { fillIn, type TeamTexts, textsIn } from './team-texts.ts';
import { plainAddress, readableTime, withoutMarks, withoutQuery } from './team-words.ts';

/**
 * The command that starts the operators' program. The build of the functions defines this constant, because the command is
 * not the same in a clone and in the package `@call-back/cdk`.
 */
declare const OPS_COMMAND: string | undefined;
const OPS = typeof OPS_COMMAND === 'undefined' ? 'npm run ops --' : OPS_COMMAND;

/**
 * The mail about a webhook endpoint, in the team's language: which endpoint it is, what happened, and what to do. Of the
 * URL, the mail shows only the host and the path, because a query may contain a secret.
 */
export function endpointMail(notice: EndpointNotice): Mail {
	const { fact, url, workspace_id, locale } = notice;
	const texts = textsIn(locale.language);
	const words = endpointTextsIn(locale.language);
	const { host } = new URL(url);
	const plain = (label: string, text: string) => ({ label, text, shown: html`${text}` });
	const code = (label: string, text: string) => ({
		label,
		text: withoutMarks(text, texts),
		shown: html`<bdi dir="ltr">${text}</bdi>`,
	});
	const letter: MailParts = {
		headline: `${words[fact.fact]}.`,
		initials: '',
		rows: [
			code(words.endpoint, plainAddress(withoutQuery(url))),
			plain(words.reason, reasonOf(fact, words, texts)),
			plain(texts.when, readableTime(fact.at, locale)),
			...(fact.fact === 'gave_up' ? [code(words.delivery, fact.delivery_id)] : []),
		],
		steps: [
			{ label: words[`fix_${fact.fact}`], does: { enter: remedy(fact) } },
			{
				label: words.look,
				does: { enter: `${OPS} endpoint status --workspace ${workspace_id} --endpoint ${fact.endpoint_id}` },
			},
		],
		notes: [fact.fact === 'gave_up' ? words.once_a_day : words.held],
	};
	return mailOf(`${words[fact.fact]}: ${withoutMarks(host, texts)}`, letter, notice);
}

function reasonOf(fact: EndpointFact, words: EndpointTexts, texts: TeamTexts): string {
	if (fact.fact === 'disabled') return words[fact.reason];
	const { response_status, error } = fact;
	const last = response_status === null ? (error ?? 'internal') : `HTTP ${response_status}`;
	return fillIn(words.last_attempt, withoutMarks(last, texts));
}

/**
 * The longest time from an event until the end of its delivery's retries: the last attempt, or the moment when the delivery
 * is put on hold.
 */
const SCHEDULE_MS = 4 * 86_400_000;

function remedy(fact: EndpointFact): string {
	const endpoint = `/v1/webhook-endpoints/${fact.endpoint_id}`;
	const recover = (since: string): string => `POST ${endpoint}/recover {"since":"${since}","mode":"failed"}`;
	if (fact.fact === 'gave_up') return recover(fact.event_at);
	const since = new Date(Date.parse(fact.at) - SCHEDULE_MS).toISOString();
	return `PATCH ${endpoint} {"status":"enabled"}\n${recover(since)}`;
}
