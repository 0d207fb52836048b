import type { SecretNotice } from '../ports/team-notifier.ts';
import { deskTextsIn } from './desk-texts.ts';
import { type Mail, mailOf } from './letter.ts';
import { html } from './markup.ts';
import { textsIn } from './team-texts.ts';
import { oneLine, plainAddress, readableTime, withoutMarks } from './team-words.ts';

/** The mail to an owner about a new secret of the workspace. The mail does not contain the secret. */
export function secretMail(notice: SecretNotice): Mail {
	const { made, desk_url, locale } = notice;
	const { mail } = deskTextsIn(locale.language);
	const words = mail[made.what];
	const texts = textsIn(locale.language);
	const about = made.what === 'key_created' ? oneLine(made.about) : plainAddress(made.about);
	const letter = {
		headline: `${words.subject}.`,
		initials: '',
		rows: [
			{ label: words.about, text: withoutMarks(about, texts), shown: html`<bdi>${about}</bdi>` },
			{ label: mail.by, text: withoutMarks(made.by, texts), shown: html`<bdi dir="ltr">${made.by}</bdi>` },
			{ label: texts.when, text: readableTime(made.at, locale), shown: html`${readableTime(made.at, locale)}` },
		],
		steps: [{ label: mail.open, does: { open: desk_url } }],
		notes: [words.unexpected],
	};
	return mailOf(`${words.subject}: ${withoutMarks(about, texts)}`, letter, notice);
}
