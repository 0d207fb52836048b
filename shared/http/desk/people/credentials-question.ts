import { shortened } from '../../../domain/kernel/visible-line.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { withoutQuery } from '../../../presentation/team-words.ts';
import { type Credentials, credentialIds } from '../../../use-cases/desk/credentials.ts';
import { hiddenFields, tick } from '../kit/form.ts';
import type { View } from '../kit/view.ts';

/** The prefix of a check box's name. After it comes the id of the credential that the check box ends. */
export const ENDS = 'ends_';
/** The most characters of a label, so that the question about many credentials stays small. */
const MOST_LABEL = 80;
/** The field with the ids of the credentials that the form has shown. */
export const SEEN = 'seen_credentials';

/**
 * Asks which of a person's keys and endpoints are to end when the person loses access to the desk or the right to make
 * keys. At first, all boxes are checked. Empty if the person has no keys and no endpoints.
 */
export function credentialsQuestion(credentials: Credentials, { texts }: View): Markup {
	const ids = credentialIds(credentials);
	if (ids.length === 0) return html``;
	const ends = (id: string, label: string): Markup =>
		tick('checkbox', `${ENDS}${id}`, 'yes', 'yes', shortened(label, MOST_LABEL));
	const keys = credentials.keys.map(({ id, name }) => ends(id, `${texts.pages.keys}: ${name}`));
	const endpoints = credentials.endpoints.map(({ id, url }) =>
		ends(id, `${texts.pages.webhooks}: ${withoutQuery(url)}`),
	);
	return html`<fieldset><legend>${texts.asks.credentials}</legend>${keys}${endpoints}</fieldset>
${hiddenFields({ [SEEN]: ids.join(' ') })}`;
}
