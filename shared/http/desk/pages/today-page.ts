import { missedReasonOf, winnerLeg } from '../../../domain/calls/call.ts';
import type { CallRecord } from '../../../domain/calls/call-record.ts';
import type { CallbackLead } from '../../../domain/leads/callback-lead.ts';
import { closesAt, teamState } from '../../../domain/workspaces/business-hours.ts';
import { ringableMembers } from '../../../domain/workspaces/silenced-members.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { visitorsNote, whoAsked } from '../../../presentation/team-words.ts';
import { listToCallBack, MOST_MISSED, type Waiting } from '../../../use-cases/desk/to-call-back.ts';
import { type SpentLimit, spentLimit } from '../../../use-cases/widget/spent-limit.ts';
import { length, shortTime } from './desk-words.ts';
import { desksOnToday } from './desks-page.ts';
import { firstSteps } from './first-steps.ts';
import { asks, button, itemList, type PageDeps, pageLinks, pageOf, startOf, type View } from './frame.ts';
import { meanwhileNote } from './made-meanwhile.ts';

/** Those who wait, on one page, which stays below 30 KB. */
const WAITING_PER_PAGE = 6;

/** Open or closed, who waits to be called back, and the calls. */
export async function todayPage(view: View, deps: PageDeps): Promise<Markup> {
	const { texts, at } = view;
	const [spent, { items, next, is_cut }, calls] = await Promise.all([
		spentLimit(at.workspace, deps),
		listToCallBack(at.workspace, startOf(view, 'waiting'), WAITING_PER_PAGE, deps),
		pageOf('call', view, deps),
	]);
	const waiting = items.map((each) => waitingRow(each, view));
	const rows = calls.items.map((call) => callRow(call, view));
	const more = next && html`<p class="row"><a class="button quiet" href="today?waiting=${next}">${texts.go_on}</a></p>`;
	const isQuiet = items.length === 0 && calls.items.every(({ is_test }) => is_test);
	const isTested = calls.items.some(({ connected_at }) => connected_at !== null);
	return html`${await meanwhileNote(view, deps)}${await desksOnToday(view, deps)}<div class="card">${stateNow(view, spent)}</div>
${isQuiet && (await firstSteps(view, isTested, deps))}
<h2>${texts.waiting}</h2>
${is_cut && html`<p class="soft">${fillIn(texts.missed_cut, `${MOST_MISSED}`)}</p>`}${itemList(waiting, texts.none_waiting)}${more}
<h2>${texts.calls}</h2><p><a href="calls">${texts.pages.calls}</a></p>
${itemList(rows, texts.no_calls)}${pageLinks(view, 'today', calls)}`;
}

function stateNow(view: View, spent: SpentLimit | null): Markup {
	const { now_ms, texts, at } = view;
	const { calls_enabled, team, paused_until = null } = at.workspace;
	const state = teamState(at.workspace, now_ms);
	const says = (text: string, until: string | null, open = false): Markup =>
		html`<p class="state"><span class="${open ? 'dot on' : 'dot'}"></span>${fillIn(text, until === null ? '' : shortTime(until, view))}</p>`;
	if (!calls_enabled) return says(texts.calls_off, null);
	if (team.length === 0) return html`${says(texts.closed, null)}<p class="soft">${texts.no_team}</p>`;
	if (ringableMembers(at.workspace).length === 0)
		return html`${says(texts.closed, null)}<p class="missed">${texts.none_callable}</p>`;
	if (paused_until !== null && Date.parse(paused_until) > now_ms) {
		return html`${says(texts.paused_until, paused_until)}${button(view, { action: 'resumed' }, texts.resume, html``)}`;
	}
	if (!state.open) return says(state.next_open_at === null ? texts.closed : texts.closed_until, state.next_open_at);
	if (spent !== null) return says(texts.calls_spent[spent.reason], spent.again_at);
	const closing = closesAt(at.workspace, now_ms);
	return html`${says(closing === null ? texts.open_now : texts.open_until, closing, true)}
<div class="row">${button(view, { action: 'paused', for: 'hour' }, texts.pause_hour)}
${button(view, { action: 'paused', for: 'day' }, texts.pause_day)}</div>`;
}

type Contact = CallRecord | CallbackLead;
/** The latest calls back that a card shows; of earlier ones it says how many there are. */
const MOST_ATTEMPTS = 3;
/** A call or a lead: who, what is said of it, when and from which page, what to do, and a button that asks once more. */
function contactRow(contact: Contact, view: View, name: string, says: Markup | false, buttons: Markup[] = []): Markup {
	const { id, visitor_phone_masked, created_at, source_url, reference } = contact;
	const of = 'legs' in contact ? 'call' : 'callback_lead';
	const { do_not_call, do_not_call_hint, do_not_call_now } = view.texts;
	const path = URL.canParse(source_url) ? new URL(source_url).pathname : source_url;
	const row = buttons.length > 0 && html`<div class="row">${buttons}</div>`;
	const suppress = asks(view, { action: 'number_suppressed', of, id }, do_not_call, do_not_call_hint, do_not_call_now);
	return html`<li><p><strong><bdi>${name}</bdi></strong> <bdi dir="ltr">${readableMask(visitor_phone_masked)}</bdi></p>
${says && html`<div>${says}</div>`}
<p class="soft"><time datetime="${created_at}">${shortTime(created_at, view)}</time>
<a href="${source_url}" dir="ltr" rel="noreferrer noopener nofollow">${path}</a>${reference && html` <bdi>${reference}</bdi>`}</p>
${row}${suppress}</li>
`;
}

function waitingRow({ of, asked, attempts, refused }: Waiting, view: View): Markup {
	const { call_back, handled, dismiss, refusals, reasons } = view.texts;
	const { id } = asked;
	const about = of === 'call' ? { id, of } : { id };
	const buttons = [
		refused === null
			? button(view, { action: 'lead_called', ...about }, call_back, html``)
			: html`<span class="soft">${refusals[refused]}</span>`,
		button(view, { action: 'lead_handled', ...about }, handled),
		of === 'call' ? html`` : button(view, { action: 'lead_dismissed', id }, dismiss),
	];
	const note = of === 'call' ? '' : visitorsNote(asked);
	const reason = of === 'call' ? (missedReasonOf(asked) ?? 'no_agent_answer') : null;
	const why = reason === null ? html`<bdi>${note}</bdi>` : html`<span class="missed">${reasons[reason]}</span>`;
	const earlier = attempts.length - MOST_ATTEMPTS;
	const tries = attempts.slice(-MOST_ATTEMPTS).map((call) => attemptLine(call, view));
	if (earlier > 0) tries.unshift(html`<p class="soft">↩ <bdi>+${earlier}</bdi></p>`);
	const name = whoAsked({ name: of === 'call' ? asked.visitor_name : asked.name }, view);
	return contactRow(asked, view, name, html`${why}${tries}`, buttons);
}

const attemptLine = (call: CallRecord, view: View): Markup =>
	html`<p class="soft">↩ <time datetime="${call.created_at}">${shortTime(call.created_at, view)}</time>: ${outcomeOf(call, view)}</p>`;

function outcomeOf(call: CallRecord, { texts, language }: View): Markup {
	const { failure_reason, duration_seconds } = call;
	const words = failure_reason === null ? texts.status[call.status] : texts.reasons[failure_reason];
	const taker = winnerLeg(call)?.member_name;
	const missed = missedReasonOf(call) !== null && html` class="missed"`;
	const answeredBy = taker !== undefined && html` · ${fillIn(texts.answered_by, readableMask(taker))}`;
	const talked = duration_seconds ? html` · ${length(duration_seconds, language)}` : false;
	return html`<span${missed}>${words}</span>${answeredBy}${talked}`;
}

/** A call of a list. */
export const callRow = (call: CallRecord, view: View): Markup =>
	call.is_test ? testRow(call, view) : contactRow(call, view, call.visitor_name ?? '', outcomeOf(call, view));

/** A test: which phone rang, when, and how it ended. It has no visitor. */
const testRow = (call: CallRecord, view: View): Markup =>
	html`<li><p><strong>${view.texts.test_call.title}</strong> <bdi dir="ltr">${readableMask(call.visitor_phone_masked)}</bdi></p>
<div>${outcomeOf(call, view)}</div>
<p class="soft"><time datetime="${call.created_at}">${shortTime(call.created_at, view)}</time></p></li>
`;
