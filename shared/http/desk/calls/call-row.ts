import { missedReasonOf, winnerLeg } from '../../../domain/calls/call.ts';
import type { CallRecord } from '../../../domain/calls/call-record.ts';
import { shortened } from '../../../domain/kernel/visible-line.ts';
import type { CallbackLead } from '../../../domain/leads/callback-lead.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import type { MissedState } from '../../../use-cases/desk/missed-state.ts';
import { isErased } from '../../../use-cases/desk/to-call-back.ts';
import { asks } from '../kit/form.ts';
import { rowMenu, tableList } from '../kit/list.ts';
import { length, rowTime } from '../kit/times.ts';
import type { View } from '../kit/view.ts';

type Contact = CallRecord | CallbackLead;
type Row = {
	/** The visitor's name. Empty if it is unknown. */
	readonly name: string;
	/** How the call or the request ended, in a few words. */
	readonly result: Markup | false;
	/** Further lines below the row, such as the calls back. */
	readonly more: readonly Markup[];
	/** The buttons of the row. `label` adds the visitor to the label of a button, for screen readers. */
	readonly buttons: (label: (text: string) => Markup) => readonly Markup[];
	/** Rarely used buttons, for the menu of the row. */
	readonly rare: Markup | false;
};

/**
 * Limits of the link to the page from which the visitor asked for the call. `MOST_PATH`: the most characters of its path that
 * the row shows. `MOST_ADDRESS`: the most characters of its whole address. If the address is longer, the row has no link, so
 * that the list stays small. The page about the call still has the link.
 */
const MOST_PATH = 60;
const MOST_ADDRESS = 300;
/** The most characters of the visitor's name in the label of a button. The row itself has the whole name. */
const MOST_LABEL = 20;

/** The visitors who wait, as a table of rows from `waitingRow`. The columns of notes and buttons need no visible heading. */
export function waitingTable(rows: readonly Markup[], view: View, none: string): Markup {
	const { call_page, row } = view.texts;
	const unseen = [call_page.note, row.actions].map((head) => html`<span class="unseen">${head}</span>`);
	return tableList([...headsIn(view), ...unseen], rows, none, 'waits');
}

/**
 * The row of a visitor who waits to be called back. The whole row is a link to the page of the call or the lead. The buttons,
 * the link to the shop's page and the menu lie above that link, so that people can use them.
 */
export function waitingRow(contact: Contact, view: View, { name, result, more, buttons, rare }: Row): Markup {
	const { who, number, page, time, menu } = partsOf(contact, view, name, { rare });
	const visitor = shortened(name || readableMask(contact.visitor_phone_masked), MOST_LABEL);
	const label = (text: string): Markup => html` aria-label="${text}: ${visitor}"`;
	return html`<tr class="contact"><td class="who">${who}</td><td class="number">${number}</td>
<td class="result">${result}</td><td class="from">${page}</td><td class="when">${time}</td>
<td class="more">${more}</td><td class="row">${buttons(label)}${menu}</td></tr>
`;
}

/**
 * The calls as a table. A row is a link to the page of its call, unless the visitor's data was erased. `states`: what became of
 * each missed call, in the order of the calls. `list`: the query of the list (see `searchQuery`), which the links keep.
 */
export function callTable(
	calls: readonly CallRecord[],
	view: View,
	none: string,
	{ states = [], list = '' }: { readonly states?: readonly (MissedState | null)[]; readonly list?: string } = {},
): Markup {
	const rows = calls.map((call, nth) => callRow(call, states[nth] ?? null, view, list));
	return tableList(headsIn(view), rows, none);
}

/** The headings of what each row shows (see `partsOf`). */
function headsIn({ texts: { timeline, call_page, search } }: View): readonly string[] {
	return [timeline.visitor, call_page.number, search.end, call_page.page, call_page.requested];
}

/** A call as a row of the table. A test call has no visitor: its row shows which phone rang. */
function callRow(call: CallRecord, state: MissedState | null, view: View, list: string): Markup {
	const { is_test, visitor_name } = call;
	const name = is_test ? view.texts.test_call.title : (visitor_name ?? '');
	const { who, number, page, time, menu } = partsOf(call, view, name, { list });
	return html`<tr class="contact"><td class="who">${who}</td><td class="number">${number}</td>
<td class="result">${outcomeOf(call, view)}${state && stateChip(state, call, view, list)}</td><td class="from">${!is_test && page}</td>
<td class="when">${time}${!is_test && menu}</td></tr>
`;
}

/**
 * What became of a missed call. If the visitor still waits, a link to the page with the buttons, which is that of the visitor's
 * newest missed call.
 */
function stateChip({ state, id }: MissedState, call: CallRecord, { texts }: View, list: string): Markup {
	const words = { ...texts.after_missed, handled: texts.handled, not_from_here: texts.no_call_back.title };
	if (state === 'waits' || state === 'not_from_here') {
		const says = id === call.id ? words[state] : words.asked_again;
		return html` <a class="chip" href="${contactAddress('id', id, list)}">${says}</a>`;
	}
	return html` <span class="chip${state !== 'not_called' && ' good'}">${words[state]}</span>`;
}

type Also = { readonly rare?: Markup | false; readonly list?: string };

/** What a row shows. A row without a name has the number in the place of the name. `rare`: further buttons of its menu. */
function partsOf(contact: Contact, view: View, name: string, { rare = false, list = '' }: Also) {
	const { visitor_phone_masked, source_url, reference, created_at } = contact;
	const path = URL.canParse(source_url) ? new URL(source_url).pathname : source_url;
	const number = html`<bdi dir="ltr">${readableMask(visitor_phone_masked)}</bdi>`;
	const label = shortened(path, MOST_PATH);
	const page =
		source_url.length > MOST_ADDRESS
			? html`<bdi dir="ltr">${label}</bdi>`
			: html`<a href="${source_url}" dir="ltr" rel="noreferrer noopener nofollow">${label}</a>`;
	const address = contactAddress('legs' in contact ? 'id' : 'lead', contact.id, list);
	const who = name === '' ? number : html`<strong><bdi>${name}</bdi></strong>`;
	return {
		who: isErased(contact) ? who : html`<a href="${address}">${who}</a>`,
		number: name !== '' && number,
		page: html`${page}${reference && html` <bdi>${reference}</bdi>`}`,
		time: html`<time datetime="${created_at}">${rowTime(created_at, view)}</time>`,
		menu: !isErased(contact) && contactMenu(contact, view, name, address, rare),
	};
}

/** The address of the page of a call (`id`) or of a callback request (`lead`). `list`: as in `callTable`. */
export const contactAddress = (name: 'id' | 'lead', id: string, list = ''): string =>
	`calls?${name}=${id}${list && `&${list}`}`;

/**
 * The menu of a row. What cannot be taken back is at its end. A row whose visitor's data was erased has no menu, because there
 * is nothing left to open and no number to suppress.
 */
function contactMenu(contact: Contact, view: View, name: string, address: string, rare: Markup | false): Markup {
	const { id } = contact;
	const { row, copied, do_not_call, do_not_call_hint, do_not_call_now } = view.texts;
	const about = { action: 'do-not-call', of: 'legs' in contact ? 'call' : 'callback_lead', id } as const;
	const content = html`<a href="${address}">${row.open}</a>
<button class="plain" type="button" data-text="${id}" data-copied="${copied}" hidden>${row.copy_id}</button>
${rare}${asks(view, about, do_not_call, do_not_call_hint, do_not_call_now)}`;
	return rowMenu(view, name, content);
}

/**
 * How a call ended, who answered, and how long the conversation was. `reasons`: the words for a call without a conversation.
 */
export function outcomeOf(call: CallRecord, { texts, language }: View, reasons = texts.short_reasons): Markup {
	const { failure_reason, duration_seconds } = call;
	const words = failure_reason === null ? texts.status[call.status] : reasons[failure_reason];
	const taker = winnerLeg(call)?.member_name;
	const isTalk = call.status === 'completed';
	const chip = missedReasonOf(call) === null ? `chip${isTalk ? ' good' : ''}` : 'chip missed';
	// The name gets an element of its own, because it may be written in another direction than the text beside it.
	const [before = '', after = ''] = texts.answered_by.split('{0}');
	const name = taker !== undefined && html`<bdi>${readableMask(taker)}</bdi>`;
	// After a conversation, the name alone says enough.
	const answeredBy = name && (isTalk ? html` · ${name}` : html` · ${before}${name}${after}`);
	const talked = duration_seconds ? html`<span class="extra"> · ${length(duration_seconds, language)}</span>` : false;
	return html`<span class="${chip}">${words}</span><span class="soft${!isTalk && ' extra'}">${answeredBy}${talked}</span>`;
}
