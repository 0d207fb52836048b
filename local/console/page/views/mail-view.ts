import { element, titleOf, unchanging } from '../element.ts';
import { newestList } from '../newest.ts';
import { type Shown, type ShownMail, whenText } from '../wire.ts';

const ADDRESS = /(https?:\/\/\S+)/;

/** Splits a text into links, one for each URL, and the text between them. */
function withLinks(text: string): (Node | string)[] {
	return text.split(ADDRESS).map((part) => {
		if (!ADDRESS.test(part)) return part;
		return element('a', { href: part, target: '_blank', rel: 'noopener noreferrer' }, part);
	});
}

/**
 * A frame that shows the mail in its full height. The mail is HTML of unknown origin. So the frame runs no script and opens
 * links in another tab.
 */
function letterFrame({ id, subject }: ShownMail): HTMLElement {
	const frame = element('iframe', {
		class: 'letter-frame',
		src: `/letter/${encodeURIComponent(id)}`,
		title: `Mail: ${subject}`,
		loading: 'lazy',
		sandbox: 'allow-same-origin allow-popups allow-popups-to-escape-sandbox',
	});
	frame.addEventListener('load', () => {
		const height = frame.contentDocument?.documentElement.scrollHeight;
		if (height) frame.style.height = `${height + 2}px`;
	});
	return frame;
}

function letterOf(mail: ShownMail): HTMLElement {
	const text = element('div', { class: 'letter' }, ...withLinks(mail.text));
	if (!mail.has_html) return text;
	const plain = element('details', {}, element('summary', {}, 'Plain text'), text);
	return element('div', {}, letterFrame(mail), plain);
}

function mailItem(mail: ShownMail): HTMLElement {
	const { received_at, from, to, subject } = mail;
	return element(
		'article',
		{ class: 'card mail' },
		element('header', {}, titleOf(subject), element('time', { datetime: received_at }, whenText(received_at))),
		element('p', { class: 'muted' }, `from ${from} to ${to}`),
		letterOf(mail),
	);
}

/** Shows the mails that a deployment would have sent to teams and to the people of desks. */
export function mailView(most: number) {
	const timeOf = ({ received_at, id }: ShownMail): string => `${received_at} ${id}`;
	const list = newestList<ShownMail>({ name: 'mail', timeOf, most, make: unchanging(mailItem) });
	return ({ mails }: Shown): void => list.take(mails);
}
