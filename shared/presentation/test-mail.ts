import type { TestNotice } from '../ports/team-notifier.ts';
import { deskTextsIn } from './desk-texts.ts';
import { type Mail, mailOf } from './letter.ts';
import { html } from './markup.ts';
import { fillIn, textsIn } from './team-texts.ts';
import { oneLine, readableTime } from './team-words.ts';

/** The message that only shows whether messages arrive. */
export function testMail(notice: TestNotice): Mail {
	const { test, locale, workspace_name } = notice;
	const { test_notice, mail } = deskTextsIn(locale.language);
	const at = readableTime(test.at, locale);
	const letter = {
		headline: fillIn(test_notice.headline, oneLine(workspace_name)),
		initials: '',
		rows: [
			{ label: mail.by, text: test.by, shown: html`<bdi dir="ltr">${test.by}</bdi>` },
			{ label: textsIn(locale.language).when, text: at, shown: html`${at}` },
		],
		steps: [],
		notes: [test_notice.note],
	};
	return mailOf(fillIn(test_notice.subject, oneLine(workspace_name)), letter, notice);
}
