import type { CallRecord } from '../../../domain/calls/call-record.ts';
import type { CallbackLead } from '../../../domain/leads/callback-lead.ts';
import { closesAt, teamState } from '../../../domain/workspaces/business-hours.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { visitorsNote, whoAsked } from '../../../presentation/team-words.ts';
import type { today } from '../../../use-cases/desk/read-desk.ts';
import type { HttpRequest } from '../../request.ts';
import type { HttpResponse } from '../../response.ts';
import { length, memberName, shortTime } from './desk-words.ts';
import { button, deskPage, pageLinks, type View } from './frame.ts';

/** Open or closed, who waits to be called back, and the calls. */
export function todayPage(
	view: View,
	{ calls, waiting }: Awaited<ReturnType<typeof today>>,
	query: HttpRequest['query'],
): HttpResponse {
	const { texts } = view;
	const leads =
		waiting.items.length === 0
			? html`<p class="empty">${texts.none_waiting}</p>`
			: html`<ul class="list">${waiting.items.map((lead) => leadRow(lead, view))}</ul>`;
	const rows = calls.items.map((call) => callRow(call, view));
	const list = rows.length === 0 ? html`<p class="empty">${texts.no_calls}</p>` : html`<ul class="list">${rows}</ul>`;
	const main = html`<div class="card">${stateNow(view)}</div>
<h2>${texts.waiting}</h2>${leads}${pageLinks(view, 'today', waiting.next_before_id, query['waiting'] !== undefined, 'waiting')}
<h2>${texts.calls}</h2>${list}${pageLinks(view, 'today', calls.next_before_id, query['before'] !== undefined)}`;
	return deskPage(view, 'today', main);
}

function stateNow(view: View): Markup {
	const { now_ms, texts } = view;
	const { workspace } = view.at;
	const { paused_until = null } = workspace;
	const state = teamState(workspace, now_ms);
	const says = (text: string, at: string | null, bare: string, open = false): Markup =>
		html`<p class="state"><span class="${open ? 'dot on' : 'dot'}"></span>${at === null ? bare : fillIn(text, shortTime(at, view))}</p>`;
	if (!workspace.calls_enabled) return says('', null, texts.calls_off);
	if (workspace.team.length === 0) return html`${says('', null, texts.closed)}<p class="soft">${texts.no_team}</p>`;
	if (paused_until !== null && Date.parse(paused_until) > now_ms) {
		return html`${says(texts.paused_until, paused_until, '')}${button(view, { act: 'resumed' }, texts.resume, { loud: true })}`;
	}
	if (!state.open) return says(texts.closed_until, state.next_open_at, texts.closed);
	return html`${says(texts.open_until, closesAt(workspace.business_hours, now_ms), texts.open_now, true)}
<div class="row">${button(view, { act: 'paused', for: 'hour' }, texts.pause_hour)}${button(view, { act: 'paused', for: 'day' }, texts.pause_day)}</div>`;
}

const mask = (masked: string): Markup => html`<bdi dir="ltr">${readableMask(masked)}</bdi>`;
const pageOf = (url: string): Markup =>
	html`<a href="${url}" dir="ltr" rel="noreferrer noopener nofollow">${URL.canParse(url) ? new URL(url).pathname : url}</a>`;

/** A button that asks once more, without a script. */
function doNotCall(of: 'call' | 'callback_lead', id: string, view: View): Markup {
	const { texts } = view;
	return html`<details><summary>${texts.do_not_call}</summary><p class="soft">${texts.do_not_call_hint}</p>${button(view, { act: 'number_suppressed', of, id }, texts.do_not_call_now)}</details>`;
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
<div class="row">${button(view, { act: 'lead_called', id }, texts.call_back, { loud: true })}${button(view, { act: 'lead_handled', id }, texts.handled)}${button(view, { act: 'lead_dismissed', id }, texts.dismiss)}</div>${doNotCall('callback_lead', id, view)}</li>
`;
}

function callRow(call: CallRecord, view: View): Markup {
	const { texts, language } = view;
	const words = call.failure_reason === null ? texts.status[call.status] : texts.reasons[call.failure_reason];
	const place = call.legs.find(({ id }) => id === call.winner_leg_id)?.member ?? null;
	const answeredBy = place === null ? '' : fillIn(texts.answered_by, memberName(view, place));
	const seconds = call.duration_seconds ?? 0;
	const facts = [answeredBy, seconds > 0 ? length(seconds, language) : ''].filter((fact) => fact !== '');
	const status = { markup: call.failure_reason === 'no_agent_answer' ? ' class="missed"' : '' };
	return html`<li><p><strong><bdi>${call.visitor_name ?? ''}</bdi></strong> ${mask(call.visitor_phone_masked)}</p>
<p><span${status}>${words}</span>${facts.map((fact) => html` · ${fact}`)}</p>
<p class="soft"><time datetime="${call.created_at}">${shortTime(call.created_at, view)}</time> ${pageOf(call.source_url)}${referenceOf(call.reference)}</p>${doNotCall('call', call.id, view)}</li>
`;
}
