import { element, keyedList } from './element.ts';
import { clockTime, type LeadRecord, type Mail } from './wire.ts';

const LINK = /(https?:\/\/[^\s<>"]+)/;

/** Text whose addresses can be followed. */
function withLinks(text: string): (Node | string)[] {
	return text
		.split(LINK)
		.map((part) => (LINK.test(part) ? element('a', { href: part, target: '_blank', rel: 'noreferrer' }, part) : part));
}

function mailItem({ sent_at, to, subject, text }: Mail): HTMLElement {
	return element(
		'article',
		{ class: 'card mail' },
		element('header', {}, element('h3', {}, subject), element('time', { datetime: sent_at }, clockTime(sent_at))),
		element('p', { class: 'muted' }, `to ${to}`),
		element('p', { class: 'text' }, ...withLinks(text)),
	);
}

function leadItem({ name, visitor_phone_masked, source_url, status, created_at }: LeadRecord): HTMLElement {
	return element(
		'article',
		{ class: 'card lead' },
		element(
			'header',
			{},
			element('h3', {}, name === null ? visitor_phone_masked : `${name}, ${visitor_phone_masked}`),
			element('span', { class: `chip ${status}` }, status),
			element('time', { datetime: created_at }, clockTime(created_at)),
		),
		element('p', { class: 'muted' }, `asked for a call back on ${source_url}`),
	);
}

type Places = Readonly<Record<'mails' | 'noMails' | 'leads' | 'noLeads', HTMLElement>>;

/** What the team is told: its mailbox, and the callback leads. */
export function teamView(places: Places) {
	const showMails = keyedList(places.mails);
	const showLeads = keyedList(places.leads);
	return (mails: readonly Mail[], leads: readonly LeadRecord[]): void => {
		places.noMails.hidden = mails.length > 0;
		places.noLeads.hidden = leads.length > 0;
		showMails(
			[...mails].reverse(),
			({ sent_at, to, subject }) => `${sent_at} ${to} ${subject}`,
			() => '',
			mailItem,
		);
		showLeads(leads, ({ id }) => id, JSON.stringify, leadItem);
	};
}
