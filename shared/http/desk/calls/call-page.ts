import { isTerminal } from '../../../domain/calls/call.ts';
import type { CallRecord } from '../../../domain/calls/call-record.ts';
import { sourceOf } from '../../../domain/calls/source.ts';
import { ID_PATTERN } from '../../../domain/kernel/id.ts';
import { shortened, visibleLine } from '../../../domain/kernel/visible-line.ts';
import { consentTextId } from '../../../domain/workspaces/consent-text.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { readableMask } from '../../../presentation/readable-mask.ts';
import { fillIn, textsIn } from '../../../presentation/team-texts.ts';
import { visitorsNote, withoutQuery } from '../../../presentation/team-words.ts';
import { type Contact, type ContactStory, readContactStory } from '../../../use-cases/desk/contact-story.ts';
import { isErased } from '../../../use-cases/desk/to-call-back.ts';
import { maySee } from '../actions.ts';
import { asks, button } from '../kit/form.ts';
import { itemList } from '../kit/list.ts';
import { noSuch } from '../kit/no-such.ts';
import { rowTime, shortTime } from '../kit/times.ts';
import type { PageContent, PageDeps, View } from '../kit/view.ts';
import { contactAddress, outcomeOf } from './call-row.ts';
import { callTimeline } from './call-timeline.ts';
import { callsPage, searchQuery } from './calls-page.ts';
import { callBy, dismissButton, requestButtons, whyNot } from './request-buttons.ts';
import { sentOf } from './sent-events.ts';

/** The page lists at most this many calls back. A team rarely calls a visitor back more often than this for one request. */
const MOST_CALLS_BACK = 30;

/** The page of the call or lead that the address names. If `callPage` finds no call or lead, the list of calls, which says so. */
export async function callOrList(view: View, deps: PageDeps): Promise<PageContent> {
	const page = await callPage(view, deps);
	if (page !== null) return page;
	const { id = '', lead = '' } = view.query;
	const missing = id === '' ? noSuch('lead', lead, view) : noSuch('call', id, view);
	if (isReader(view)) return { ...html`<p class="back">${toDeliveries(view)}</p>${missing}`, title: view.texts.calls };
	return html`${missing}${await callsPage(view, deps)}`;
}

/**
 * The page of the call (`id`) or lead (`lead`) that the address names. Null if the workspace has no such call or lead, or
 * if the visitor's data was erased.
 */
async function callPage(view: View, deps: PageDeps): Promise<PageContent | null> {
	const { id = '', lead = '' } = view.query;
	const asked = ID_PATTERN.test(id) ? ({ of: 'call', id } as const) : ({ of: 'callback_lead', id: lead } as const);
	const read = ID_PATTERN.test(asked.id) ? await readContactStory(view.at.workspace, asked, deps) : null;
	if (read === null) return null;
	const story = isReader(view) ? withoutNames(read, view) : read;
	const { at } = view;
	const timeline = story.of === 'call' && callTimeline(story.asked, view);
	const sent = maySee(at.person, 'deliveries') && !isTest(story) && (await sentOf(story, view, deps));
	const isLive = callsOf(story).some(({ status }) => !isTerminal(status));
	const { markup } = html`<p class="back">${wayBack(story, view)}</p>
<div id="lists"${isLive && html` data-live="true"`}>${summary(story, view)}${timeline}${agreement(story, view)}
${callsBack(story, view)}${sent}</div>`;
	return { markup, title: titleOf(story, view) };
}

/** Whether the person may only read the page: a developer, who comes from a delivery. */
const isReader = ({ at }: View): boolean => !maySee(at.person, 'calls');

/**
 * What a developer sees of a call or a request: no name of a visitor or of a member, no note, no reference, and of the page only
 * its address without the query, in which a shop may have put a name. A key that reads the names and notes of requests is one
 * about which every owner gets a mail.
 */
function withoutNames(story: ContactStory, view: View): ContactStory {
	const calls_back = story.calls_back.map((call) => unnamedCall(call, view));
	if (story.of === 'call') return { ...story, calls_back, asked: unnamedCall(story.asked, view) };
	const source_url = withoutQuery(story.asked.source_url);
	return { ...story, calls_back, asked: { ...story.asked, name: null, note: null, reference: null, source_url } };
}

/** A call whose members are called *Member 1*, *Member 2* and so on. */
function unnamedCall({ reference: _, ...call }: CallRecord, { texts }: View): CallRecord {
	const members = [...new Set(call.legs.map(({ member }) => member))];
	const legs = call.legs.map((leg) => {
		const member_name = fillIn(texts.member, `${members.indexOf(leg.member) + 1}`);
		return leg.role === 'visitor' ? leg : { ...leg, member_name };
	});
	return { ...call, legs, visitor_name: null, source_url: withoutQuery(call.source_url) };
}

const toDeliveries = ({ texts }: View): Markup =>
	html`<a href="../developers/deliveries">${texts.pages.deliveries}</a>`;

/**
 * The way back to the list of calls, with the search with which the person came. Only *Today* lists callback requests, so
 * without a search their way back leads there.
 */
function wayBack({ of }: Contact, view: View): Markup {
	const { texts } = view;
	if (isReader(view)) return toDeliveries(view);
	const list = searchQuery(view);
	if (list !== '') return html`<a href="calls?${list}">${texts.calls}</a>`;
	return of === 'call' ? html`<a href="calls">${texts.calls}</a>` : html`<a href="today">${texts.pages.today}</a>`;
}

/**
 * The calls that the page shows: the call itself, unless the page is about a lead, and the calls back. While one of them is
 * live, the script loads the page again and again.
 */
const callsOf = (story: ContactStory): readonly CallRecord[] => [
	...(story.of === 'call' ? [story.asked] : []),
	...story.calls_back,
];

const isTest = ({ of, asked }: Contact): boolean => of === 'call' && asked.is_test === true;

function titleOf({ of, asked }: Contact, { texts, language }: View): string {
	if (of === 'call' && asked.is_test) return texts.test_call.title;
	const name = of === 'call' ? asked.visitor_name : asked.name;
	return visibleLine(name ?? '') || textsIn(language).visitor;
}

/**
 * The first card of the page: the visitor's number, the time and the page of the request, how the request or the call
 * ended, and the buttons.
 */
function summary(story: ContactStory, view: View): Markup {
	const { asked } = story;
	const { call_page, search } = view.texts;
	const { visitor_phone_masked, created_at, reference, source_url } = asked;
	const { campaign } = sourceOf(source_url);
	const note = story.of === 'callback_lead' ? visitorsNote(story.asked) : '';
	const facts: readonly (readonly [string, Markup | string | null | undefined])[] = [
		[call_page.number, html`<bdi dir="ltr">${readableMask(visitor_phone_masked)}</bdi>`],
		[call_page.requested, html`<time datetime="${created_at}">${shortTime(created_at, view)}</time>`],
		[call_page.answers, answersOf(story, view)],
		[call_page.page, isTest(story) ? null : pageLink(source_url)],
		[search.reference, reference && html`<bdi>${reference}</bdi>`],
		[call_page.campaign, campaign && html`<bdi>${campaign}</bdi>`],
		[call_page.note, note && html`<bdi>${note}</bdi>`],
	];
	const rows = facts.map(
		([name, value]) =>
			value &&
			html`<div><dt>${name}</dt><dd>${value}</dd></div>
`,
	);
	const buttons = !isReader(view) && buttonsOf(story, view);
	return html`<div class="card about"><p class="state">${stateOf(story, view)}</p>
<dl class="facts">${rows.flatMap((row) => row || [])}</dl>${buttons && html`<div class="row">${buttons}</div>`}${never(story, view)}</div>
`;
}

/**
 * The buttons of a waiting request, after the reason if the team cannot call back. If it waits no longer, the button that puts
 * it back.
 */
function buttonsOf(story: ContactStory, view: View): Markup | false {
	const { waiting } = story;
	if (waiting === null) return putBackButton(story, view);
	const why = whyNot(waiting, view);
	const reason = why && html`<span class="soft">${why}</span>`;
	return html`${reason}${requestButtons(waiting, view)}${dismissButton(waiting, view)}`;
}

/** The button that puts a request back on the list of people to call back. False if no person took it off. */
function putBackButton({ of, asked, is_taken_off }: ContactStory, view: View): Markup | false {
	const about = of === 'call' ? { id: asked.id, of } : { id: asked.id, was: asked.status };
	return is_taken_off && button(view, { action: 'reopen-request', ...about }, view.texts.undo);
}

/** How the call ended, until when it may be called back, or what became of the request. */
function stateOf({ of, asked, waiting: waits, is_taken_off }: ContactStory, view: View): Markup {
	const { call_page, handled, waiting } = view.texts;
	if (of === 'call') {
		const chip = is_taken_off && html` <span class="chip good">${handled}</span>`;
		return html`${outcomeOf(asked, view, view.texts.reasons)}${waits && callBy(waits, view)}${chip}`;
	}
	const words = { pending: waiting, handled, dismissed: call_page.dismissed };
	return html`${call_page.lead}: ${words[asked.status]}`;
}

/** The most characters of a path that are shown. The link has the whole address. */
const MOST_PATH = 200;

/** The address of a web page. It is a link if it begins with http or https. */
function pageLink(address: string): Markup {
	const page = URL.canParse(address) ? new URL(address) : null;
	if (page === null || !['http:', 'https:'].includes(page.protocol)) return html`<bdi dir="ltr">${address}</bdi>`;
	const says = html`${page.host}<wbr>${shortened(page.pathname, MOST_PATH)}`;
	return html`<a href="${address}" dir="ltr" rel="noreferrer noopener nofollow">${says}</a>`;
}

/** The address of the page of a call or lead. */
const addressOf = ({ of, asked: { id } }: Contact, view: View): string =>
	contactAddress(of === 'call' ? 'id' : 'lead', id, searchQuery(view));

/** If this call was placed to answer a missed call or a lead, a link to that call or lead. Otherwise null. */
function answersOf({ answers }: ContactStory, view: View): Markup | null {
	if (answers === null) return null;
	const { call_page, figures } = view.texts;
	const { created_at } = answers.asked;
	const kind = answers.of === 'call' ? figures.missed : call_page.lead;
	return html`<a href="${addressOf(answers, view)}">${kind}, <time datetime="${created_at}">${shortTime(created_at, view)}</time></a>`;
}

/**
 * A button that suppresses the visitor's number. Before that, the button asks for confirmation. If the number is suppressed
 * already, a sentence that says so. False for a test call, and for a developer.
 */
function never(story: ContactStory, view: View): Markup | false {
	const { do_not_call, do_not_call_hint, do_not_call_now, call_page } = view.texts;
	if (isTest(story)) return false;
	if (isReader(view)) return false;
	if (story.is_suppressed) return html`<p class="soft">${call_page.never_called}</p>`;
	const about = { action: 'do-not-call', of: story.of, id: story.asked.id } as const;
	return asks(view, about, do_not_call, do_not_call_hint, do_not_call_now);
}

/** The visitor's consent, word for word, with its time and with the page on which it was given. Not for a developer. */
function agreement(story: ContactStory, view: View): Markup | false {
	if (isTest(story) || isReader(view)) return false;
	const { call_page } = view.texts;
	const { consent, answers } = story;
	const heading = html`<h2>${call_page.agreed}</h2>`;
	if (consent === null) return html`${heading}<p class="empty">${call_page.not_kept}</p>`;
	const { text, language, given_at, page_url } = consent;
	const purpose = (answers ?? story).of === 'call' ? 'call' : 'lead';
	const spoken = language !== null && html` lang="${language}"`;
	const id = language !== null && html` · <bdi dir="ltr">${consentTextId(language, purpose, text)}</bdi>`;
	return html`${heading}<div class="card"><blockquote dir="auto"${spoken}>${text}</blockquote>
<p class="soft"><time datetime="${given_at}">${shortTime(given_at, view)}</time> · ${pageLink(page_url)}${id}</p></div>
`;
}

/** The calls back of a request. Each has a link to its own page, unless the visitor's data was erased. */
function callsBack({ calls_back }: ContactStory, view: View): Markup | false {
	if (calls_back.length === 0) return false;
	const rows = calls_back.slice(-MOST_CALLS_BACK).map((call) => callBackRow(call, view));
	return html`<h2>${view.texts.call_page.calls_back}</h2>${itemList(rows, '')}`;
}

function callBackRow(call: CallRecord, view: View): Markup {
	const time = html`<time datetime="${call.created_at}">${rowTime(call.created_at, view)}</time>`;
	const when = isErased(call) ? time : html`<a href="${contactAddress('id', call.id, searchQuery(view))}">${time}</a>`;
	return html`<li><p>${when} · ${outcomeOf(call, view)}</p></li>
`;
}
