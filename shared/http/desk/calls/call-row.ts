import { missedReasonOf, winnerLeg } from '../../../domain/calls/call.ts';
import type { CallRecord } from '../../../domain/calls/call-record.ts';
import type { CallbackLead } from '../../../domain/leads/callback-lead.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import { isErased } from '../../../use-cases/desk/to-call-back.ts';
import { button } from '../kit/form.ts';
import { rowMenu } from '../kit/list.ts';
import { length, shortTime } from '../kit/times.ts';
import type { View } from '../kit/view.ts';

type Contact = CallRecord | CallbackLead;
/** A call or a lead: the visitor, the facts, the time and page, what to do, and a button that asks once more. */
export function contactRow(
	contact: Contact,
	view: View,
	name: string,
	says: Markup | false,
	buttons: readonly Markup[] = [],
): Markup {
	const { id, visitor_phone_masked, created_at, source_url, reference } = contact;
	const of = 'legs' in contact ? 'call' : 'callback_lead';
	const { do_not_call, do_not_call_hint, do_not_call_now } = view.texts;
	const path = URL.canParse(source_url) ? new URL(source_url).pathname : source_url;
	const row = buttons.length > 0 && html`<div class="row">${buttons}</div>`;
	const ask = () => button(view, { action: 'do-not-call', of, id }, do_not_call_now);
	// Nothing is left to refuse of a person who was erased.
	const menu =
		!isErased(contact) &&
		rowMenu(view, name, html`<p>${do_not_call}</p><p class="soft">${do_not_call_hint}</p>${ask()}`);
	const page = html`<a href="${source_url}" dir="ltr" rel="noreferrer noopener nofollow">${path}</a>`;
	const number = html`<bdi dir="ltr">${readableMask(visitor_phone_masked)}</bdi>`;
	const who =
		name === ''
			? toPage(contact, number)
			: html`${toPage(contact, html`<strong><bdi>${name}</bdi></strong>`)} ${number}`;
	return html`<li class="contact"><p>${who}</p>
<div>${says}</div>
<p class="soft"><time datetime="${created_at}">${shortTime(created_at, view)}</time>
${page}${reference && html` <bdi>${reference}</bdi>`}</p>
${row}${menu}</li>
`;
}

/** A link to the page of a call or lead. If the person was erased, only the text. */
function toPage(contact: Contact, label: Markup): Markup {
	if (isErased(contact)) return label;
	return html`<a href="calls?${'legs' in contact ? 'id' : 'lead'}=${contact.id}">${label}</a>`;
}

/** How a call ended, who answered, and for how long. */
export function outcomeOf(call: CallRecord, { texts, language }: View): Markup {
	const { failure_reason, duration_seconds } = call;
	const words = failure_reason === null ? texts.status[call.status] : texts.reasons[failure_reason];
	const taker = winnerLeg(call)?.member_name;
	const colour = call.status === 'completed' ? ' good' : '';
	const chip = missedReasonOf(call) === null ? `chip${colour}` : 'chip missed';
	// Isolates the name: the text beside it may have another direction.
	const [before = '', after = ''] = texts.answered_by.split('{0}');
	const answeredBy = taker !== undefined && html` · ${before}<bdi>${readableMask(taker)}</bdi>${after}`;
	const talked = duration_seconds ? html` · ${length(duration_seconds, language)}` : false;
	return html`<span class="${chip}">${words}</span>${answeredBy}${talked}`;
}

export const callRow = (call: CallRecord, view: View): Markup =>
	call.is_test ? testRow(call, view) : contactRow(call, view, call.visitor_name ?? '', outcomeOf(call, view));

/** A test: which phone rang, when, and how it ended. It has no visitor. */
const testRow = (call: CallRecord, view: View): Markup =>
	html`<li class="contact"><p>${toPage(call, html`<strong>${view.texts.test_call.title}</strong>`)}
<bdi dir="ltr">${readableMask(call.visitor_phone_masked)}</bdi></p>
<div>${outcomeOf(call, view)}</div>
<p class="soft"><time datetime="${call.created_at}">${shortTime(call.created_at, view)}</time></p></li>
`;
