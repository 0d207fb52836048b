import type { CallRecord } from '../../../domain/calls/call-record.ts';
import type { CallbackLead } from '../../../domain/leads/callback-lead.ts';
import { closesAt, teamState } from '../../../domain/workspaces/business-hours.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import { filled } from '../../../presentation/team-texts.ts';
import { visitorsNote, whoAsked } from '../../../presentation/team-words.ts';
import type { today } from '../../../use-cases/desk/read-desk.ts';
import type { HttpRequest } from '../../request.ts';
import type { HttpResponse } from '../../response.ts';
import { length, shortTime } from './desk-words.ts';
import { button, deskPage, type View } from './frame.ts';

/** Open or closed, who waits to be called back, and the calls. */
export function todayPage(
	view: View,
	{ calls, waiting }: Awaited<ReturnType<typeof today>>,
	query: HttpRequest['query'],
): HttpResponse {
	const { texts } = view;
	const leads =
		waiting.items.length === 0
			? html`<p>${texts.none_waiting}</p>`
			: html`<ul class="list">${waiting.items.map((lead) => leadRow(lead, view))}</ul>`;
	const rows = calls.items.map((call) => callRow(call, view));
	const list = rows.length === 0 ? html`<p>${texts.no_calls}</p>` : html`<ul class="list">${rows}</ul>`;
	const main = html`<div class="card">${stateNow(view)}</div>
<h2>${texts.waiting}</h2>${leads}${pager(view, 'today', waiting.next_before_id, query['waiting'] !== undefined, 'waiting')}
<h2>${texts.calls}</h2>${list}${pager(view, 'today', calls.next_before_id, query['before'] !== undefined)}`;
	return deskPage(view, 'today', main);
}

/** Links to the next page of a list, and back to its beginning. `name`: what the address calls the start of the list. */
export function pager({ texts }: View, page: string, next: string | null, older: boolean, name = 'before'): Markup {
	const back = older ? html`<a class="button quiet" href="${page}">${texts.newest}</a>` : html``;
	const on = next === null ? html`` : html`<a class="button quiet" href="${page}?${name}=${next}">${texts.older}</a>`;
	return html`<p class="row">${back}${on}</p>`;
}

function stateNow(view: View): Markup {
	const { at, now_ms, texts } = view;
	const { workspace } = at;
	const { paused_until = null } = workspace;
	const time = (instant: string): string => shortTime(instant, view);
	if (!workspace.calls_enabled) return html`<p class="state">${texts.calls_off}</p>`;
	if (paused_until !== null && Date.parse(paused_until) > now_ms) {
		return html`<p class="state">${filled(texts.paused_until, time(paused_until))}</p>${button(view, { act: 'resume' }, texts.resume, { loud: true })}`;
	}
	const state = teamState(workspace, now_ms);
	const pause = html`<div class="row">${button(view, { act: 'pause', for: 'hour' }, texts.pause_hour)}${button(view, { act: 'pause', for: 'day' }, texts.pause_day)}</div>`;
	if (state.open) {
		const until = closesAt(workspace.business_hours, now_ms);
		return html`<p class="state">${until === null ? texts.open_now : filled(texts.open_until, time(until))}</p>${pause}`;
	}
	const { next_open_at } = state;
	return html`<p class="state">${next_open_at === null ? texts.closed : filled(texts.closed_until, time(next_open_at))}</p>`;
}

const mask = (masked: string): Markup => html`<bdi dir="ltr">${readableMask(masked)}</bdi>`;
const pageOf = (url: string): Markup =>
	html`<a href="${url}" dir="ltr" rel="noreferrer noopener nofollow">${URL.canParse(url) ? new URL(url).pathname : url}</a>`;

/** A button that asks once more, without a script. */
function doNotCall(of: 'call' | 'callback_lead', id: string, view: View): Markup {
	const { texts } = view;
	return html`<details><summary>${texts.do_not_call}</summary><p class="soft">${texts.do_not_call_hint}</p>${button(view, { act: 'do_not_call', of, id }, texts.do_not_call_now)}</details>`;
}

const referenceOf = (reference: string | null | undefined): Markup =>
	reference ? html` <bdi>${reference}</bdi>` : html``;

function leadRow(lead: CallbackLead, view: View): Markup {
	const { texts, language, time_zone } = view;
	const note = visitorsNote(lead);
	const { id } = lead;
	return html`<li><p><strong><bdi>${whoAsked(lead, { language, time_zone })}</bdi></strong> ${mask(lead.visitor_phone_masked)}</p>
<p class="soft"><time datetime="${lead.created_at}">${shortTime(lead.created_at, view)}</time> ${pageOf(lead.source_url)}${referenceOf(lead.reference)}</p>
${note === '' ? html`` : html`<p><bdi>${note}</bdi></p>`}
<div class="row">${button(view, { act: 'call_back', id }, texts.call_back, { loud: true })}${button(view, { act: 'lead', id, status: 'handled' }, texts.handled)}${button(view, { act: 'lead', id, status: 'dismissed' }, texts.dismiss)}</div>${doNotCall('callback_lead', id, view)}</li>
`;
}

function callRow(call: CallRecord, view: View): Markup {
	const { texts, language, at } = view;
	const words = call.failure_reason === null ? texts.status[call.status] : texts.reasons[call.failure_reason];
	const winner = call.legs.find(({ id }) => id === call.winner_leg_id);
	const place = winner?.member ?? null;
	const member = place === null ? null : (at.workspace.team[place]?.name ?? filled(texts.member, `${place + 1}`));
	const answered = member === null ? '' : filled(texts.answered_by, member);
	const seconds = call.duration_seconds ?? 0;
	const facts = [words, answered, seconds > 0 ? length(seconds, language) : ''].filter((fact) => fact !== '');
	return html`<li><p><strong><bdi>${call.visitor_name ?? ''}</bdi></strong> ${mask(call.visitor_phone_masked)}</p>
<p>${facts.join(' · ')}</p>
<p class="soft"><time datetime="${call.created_at}">${shortTime(call.created_at, view)}</time> ${pageOf(call.source_url)}${referenceOf(call.reference)}</p>${doNotCall('call', call.id, view)}</li>
`;
}
