import { isTerminal, missedReasonOf } from '../../../domain/calls/call.ts';
import type { CallRecord } from '../../../domain/calls/call-record.ts';
import { shortened, visibleLine } from '../../../domain/kernel/visible-line.ts';
import { meansTomorrow } from '../../../domain/leads/means-tomorrow.ts';
import { closesAt, dateAt, plusDays, teamState } from '../../../domain/workspaces/business-hours.ts';
import { ringableMembers } from '../../../domain/workspaces/silenced-members.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { visitorsNote } from '../../../presentation/team-words.ts';
import { missedStates } from '../../../use-cases/desk/missed-state.ts';
import {
	listToCallBack,
	MOST_MISSED,
	type Waiting,
	type WaitingPage,
	type WaitingPlace,
} from '../../../use-cases/desk/to-call-back.ts';
import { type SpentLimit, spentLimit } from '../../../use-cases/widget/spent-limit.ts';
import { maySee } from '../actions.ts';
import { callTable, outcomeOf, waitingRow, waitingTable } from '../calls/call-row.ts';
import { callBy, dismissButton, requestButtons, whyNot } from '../calls/request-buttons.ts';
import { desksOnToday } from '../desks/desks-page.ts';
import { button, LOUD } from '../kit/form.ts';
import { pageLinks, pageOf, startOf } from '../kit/list.ts';
import { dayInWords, rowTime, shortDay, timeUntil } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { testCallForm } from '../team/test-call-form.ts';
import type { lostCard } from '../webhooks/undelivered-card.ts';
import type { firstSteps } from './first-steps.ts';

type Parts = { readonly firstSteps: typeof firstSteps; readonly lostCard: typeof lostCard };

/** The most waiting people on one page. With this limit, a page with its style stays below 60 KB. */
const WAITING_PER_PAGE = 5;

/**
 * The page *Today*: whether the shop is open, who waits to be called back, and the calls. `parts`: what to set up, for the
 * owner of a shop without calls, and what has not reached the endpoints. The answer to a refused form has neither, except for
 * the form of the test call.
 */
export async function todayPage(view: View, deps: PageDeps, parts?: Parts): Promise<Markup> {
	const { texts, at } = view;
	const place = { from_id: startOf(view, 'waiting'), before_id: startOf(view, 'missed') };
	const [spent, waiting, { calls, states }, desks, lost] = await Promise.all([
		spentLimit(at.workspace, deps),
		listToCallBack(at.workspace, place, WAITING_PER_PAGE, deps),
		callsWithStates(view, deps),
		desksOnToday(view, deps),
		parts?.lostCard(view, deps),
	]);
	const isQuiet = waiting.items.length === 0 && calls.items.every(({ is_test }) => is_test);
	const isTested = calls.items.some(({ connected_at }) => connected_at !== null);
	const test = testCallForm(view);
	const setUp =
		isQuiet && (parts ? await parts.firstSteps(view, isTested, test, deps) : at.person.role === 'owner' && test);
	const isLive = calls.items.some(({ status }) => !isTerminal(status));
	return html`${desks}
<div class="card now">${stateNow(view, spent)}</div>
${setUp}
<div id="lists"${isLive && html` data-live="true"`}><div class="beside"><h2>${texts.waiting}</h2>${orderNote(waiting, place, view)}</div>
${waitingPart(waiting, place, view)}${lost}
<div class="beside"><h2>${texts.calls}</h2>
<p><a href="calls?end=missed">${texts.short_reasons.no_agent_answer}</a> · <a href="calls#search">${texts.pages.calls}</a></p></div>
${callTable(calls.items, view, texts.no_calls, { states })}${pageLinks(view, 'today', calls)}</div>`;
}

/** A page of the calls, and what became of each of them that was missed. */
async function callsWithStates(view: View, deps: PageDeps) {
	const calls = await pageOf('call', view, deps);
	const states = await missedStates(calls.items, view.at.workspace, deps);
	return { calls, states };
}

function stateNow(view: View, spent: SpentLimit | null): Markup {
	const { now_ms, texts, at } = view;
	const { calls_enabled, team, paused_until = null } = at.workspace;
	const state = teamState(at.workspace, now_ms);
	const says = (text: string, until: string | null, open = false, page?: 'hours' | 'team'): Markup => {
		const words = fillIn(text, until === null ? '' : timeUntil(until, view));
		const link = page && maySee(at.person, page) && html` <a class="soft" href="${page}">${texts.pages[page]}</a>`;
		return html`<p class="state"><span class="${open ? 'dot on' : 'dot'}"></span>${words}${link}</p>`;
	};
	const noPhone = says(texts.closed, null, false, 'team');
	if (!calls_enabled) return says(texts.calls_off, null);
	if (team.length === 0) return html`${noPhone}<p class="soft">${texts.no_team}</p>`;
	if (ringableMembers(at.workspace).length === 0) return html`${noPhone}<p class="missed">${texts.none_callable}</p>`;
	if (paused_until !== null && Date.parse(paused_until) > now_ms) {
		return html`${says(texts.paused_until, paused_until, false, 'hours')}${button(view, { action: 'resume-calls' }, texts.resume, LOUD)}`;
	}
	if (!state.open) {
		const text = state.next_open_at === null ? texts.closed : texts.closed_until;
		return says(text, state.next_open_at, false, 'hours');
	}
	if (spent !== null) return says(texts.calls_spent[spent.reason], spent.again_at);
	const closing = closesAt(at.workspace, now_ms);
	const unbounded = at.workspace.business_hours === null ? texts.always_open : texts.open_now;
	return html`${says(closing === null ? unbounded : texts.open_until, closing, true, 'hours')}
<div class="row">${button(view, { action: 'pause-calls', for: 'hour' }, texts.pause_hour)}
${button(view, { action: 'pause-calls', for: 'day' }, texts.pause_day)}</div>`;
}

/** How many people wait, and in which order they are listed. False if nobody waits. */
function orderNote({ items, next, older }: WaitingPage, place: WaitingPlace, { texts }: View): Markup | false {
	if (items.length === 0) return false;
	const isFirst = place.from_id === null && place.before_id === null;
	const count = isFirst && html`<bdi>${items.length}${(next ?? older) && '+'}</bdi> · `;
	return html`<span class="soft">${count}${texts.waiting_order}</span>`;
}

/** The most characters of a note. The page of the request has the whole note. */
const MOST_NOTE = 100;

/** One page of the people who wait, with links to the rest of its list, to the next list, and back to the first list. */
function waitingPart({ items, next, older }: WaitingPage, { before_id }: WaitingPlace, view: View): Markup {
	const { texts } = view;
	const list = before_id && html`missed=${before_id}&amp;`;
	const cut = older && html`<p class="soft">${fillIn(texts.missed_cut, `${MOST_MISSED}`)}</p>`;
	const none = before_id || older ? texts.none_in_list : texts.none_waiting;
	const more = next && html`<a class="button quiet" href="today?${list}waiting=${next}">${texts.go_on}</a>`;
	const links = html`${more}${pageLinks(view, 'today', { next_before_id: older }, { name: 'missed' })}`;
	return html`${cut}${waitingLists(items, none, view)}${links.markup && html`<div class="row">${links}</div>`}`;
}

/**
 * The visitors whom the team may call back, the longest wait first. Below them are those whom it may not call back, newest
 * first, each with the reason.
 */
function waitingLists(items: readonly Waiting[], none: string, view: View): Markup {
	const { no_call_back } = view.texts;
	const rowsOf = (isOn: (each: Waiting) => boolean) => items.filter(isOn).map((each) => requestRow(each, view));
	const callable = rowsOf(isCallable);
	const others = rowsOf((each) => !isCallable(each)).toReversed();
	const list = waitingTable(callable, view, none);
	if (others.length === 0) return list;
	return html`${list}<h3>${no_call_back.title}</h3><p class="soft">${no_call_back.hint}</p>${waitingTable(others, view, '')}`;
}

/**
 * Whether the visitor is in the list of people whom the team may call back. A visitor who is being called right now stays in
 * that list.
 */
const isCallable = ({ refused }: Waiting): boolean => refused === null || refused === 'calling_now';

function requestRow(request: Waiting, view: View): Markup {
	const { of, asked, attempts } = request;
	const { call_page, short_reasons } = view.texts;
	const note = of === 'call' ? '' : shortened(visitorsNote(asked), MOST_NOTE);
	const reason = of === 'call' ? (missedReasonOf(asked) ?? 'no_agent_answer') : null;
	const result =
		reason === null
			? html`<span class="chip">${call_page.lead}</span>`
			: html`<span class="chip missed">${short_reasons[reason]}</span>${callBy(request, view)}`;
	const name = visibleLine((of === 'call' ? asked.visitor_name : asked.name) ?? '');
	const why = whyNot(request, view);
	const more = [
		note === '' ? [] : noteLine(note, asked.created_at, view),
		attemptLine(attempts, view) || [],
		why ? html`<p class="soft">${why}</p>` : [],
	].flat();
	return waitingRow(asked, view, {
		name,
		result,
		more,
		buttons: (label) => requestButtons(request, view, label),
		rare: dismissButton(request, view),
	});
}

/** What the visitor wrote, as a quotation. If it says `tomorrow`, that day follows, and whether it is over. */
function noteLine(note: string, createdAt: string, view: View): Markup {
	const day = plusDays(dateAt(view.time_zone, Date.parse(createdAt)), 1);
	const today = dateAt(view.time_zone, view.now_ms);
	const says = day === today ? dayInWords(new Date(view.now_ms).toISOString(), view) : shortDay(day, view);
	const late = day < today && html` <span class="chip missed">${view.texts.overdue}</span>`;
	return html`<p><q><bdi>${note}</bdi></q>${meansTomorrow(note) && html` <span class="soft">· ${says}</span>${late}`}</p>`;
}

/** The newest call back, after the number of earlier ones. False if no one has called back. */
function attemptLine(attempts: readonly CallRecord[], view: View): Markup | false {
	const newest = attempts.at(-1);
	if (newest === undefined) return false;
	const earlier = attempts.length > 1 && html`<bdi>+${attempts.length - 1}</bdi> · `;
	const time = html`<time datetime="${newest.created_at}">${rowTime(newest.created_at, view)}</time>`;
	return html`<p class="soft">↩ ${earlier}${time}: ${outcomeOf(newest, view)}</p>`;
}
