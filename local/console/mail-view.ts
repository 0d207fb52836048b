import { element, keyedList, unchanging } from './element.ts';
import { clockTime, type Mail, type Snapshot } from './wire.ts';

const ADDRESS = /(https?:\/\/\S+)/;

/** A text with its addresses as links; everything else stays text. */
function linked(text: string): (Node | string)[] {
	return text.split(ADDRESS).map((part) => {
		if (!ADDRESS.test(part)) return part;
		return element('a', { href: part, target: '_blank', rel: 'noopener noreferrer' }, part);
	});
}

function mailItem({ received_at, from, to, subject, text }: Mail): HTMLElement {
	return element(
		'article',
		{ class: 'card mail' },
		element(
			'header',
			{},
			element('h3', {}, subject),
			element('time', { datetime: received_at }, clockTime(received_at)),
		),
		element('p', { class: 'muted' }, `from ${from} to ${to}`),
		element('div', { class: 'letter' }, ...linked(text)),
	);
}

/** What would have been sent by mail, newest first. */
export function mailView(list: HTMLElement, empty: HTMLElement) {
	const show = keyedList(list, ({ id }: Mail) => id, unchanging(mailItem));
	return ({ mails }: Snapshot): void => {
		empty.hidden = mails.length > 0;
		show(mails.toReversed());
	};
}
