import { missedReasonOf } from '../../../domain/calls/call.ts';
import type { CallRecord } from '../../../domain/calls/call-record.ts';
import { ID_PATTERN, lowestIdAt, timeOfId } from '../../../domain/kernel/id.ts';
import { SHOWN_DIGITS } from '../../../domain/kernel/phone-mask.ts';
import { plainNumber } from '../../../domain/kernel/phone-number.ts';
import { startOfDate } from '../../../domain/workspaces/business-hours.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { readDate } from '../../../presentation/short-date.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { numberIn } from '../../../presentation/team-words.ts';
import { missedState } from '../../../use-cases/desk/missed-state.ts';
import { listPage, type Page, searchPage } from '../../../use-cases/kernel/list-page.ts';
import { hiddenFields } from '../kit/form.ts';
import { pageLinks } from '../kit/list.ts';
import { shortTime } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { callTable } from './call-row.ts';

const PER_PAGE = 10;
/** The most calls that a search goes through for one page. */
const MOST_SEARCHED = 200;
const DAY_MS = 24 * 3_600_000;
const ends = ['missed', 'completed', 'failed', 'canceled'] as const;
/**
 * The form of the search accepts this many digits, which is a few more than a mask shows. So no person can enter a complete
 * phone number, and no page's address contains one.
 */
const MOST_DIGITS = 4;
const MOST_TYPED = 64;

type Search = {
	/** A local date. Empty: any day. */
	readonly day: string;
	readonly end: (typeof ends)[number] | null;
	/** Part of the visitor's name. */
	readonly name: string;
	readonly reference: string;
	readonly digits: string;
};

/** Reads the search from the page's address. A value that is not one of the choices is ignored. */
function searchIn(view: View): Search {
	const { day = '', end, name = '', reference = '', digits = '' } = view.query;
	const date = readDate(day, view);
	// A name that a person has typed where the digits belong is searched, too.
	const isName = name === '' && /\p{L}/u.test(digits);
	return {
		day: /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date)) ? date : '',
		end: ends.find((each) => each === end) ?? null,
		name: (isName ? digits : name).trim().slice(0, MOST_TYPED),
		reference: reference.trim().slice(0, MOST_TYPED),
		digits: plainNumber(digits).replace(/\D/g, '').slice(-SHOWN_DIGITS),
	};
}

const searchedFields = ['status', 'failure_reason', 'visitor_name', 'visitor_phone_masked', 'reference'] as const;
type Searched = Pick<CallRecord, (typeof searchedFields)[number]>;

/**
 * Whether a call matches the search. Of a number, only the last digits are compared, because a mask shows no others. The form
 * shows the digits that are compared.
 */
function isFound(call: Searched, { end, name, reference, digits }: Omit<Search, 'day'>): boolean {
	const isEnd = end === 'missed' ? missedReasonOf(call) !== null : end === null || call.status === end;
	const [shown = ''] = /\d*$/.exec(call.visitor_phone_masked) ?? [];
	const isNumber = digits === '' || (shown !== '' && (digits.endsWith(shown) || shown.endsWith(digits)));
	const has = (text: string | null | undefined, part: string): boolean =>
		plainText(text ?? '').includes(plainText(part));
	return isEnd && isNumber && has(call.visitor_name, name) && has(call.reference, reference);
}

/** A text without accents and in lower case, so that `jose` finds `José`. */
const plainText = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** A search for missed calls reads only their part of the list. */
const partOf = ({ end }: Search) => (end === 'missed' ? { parts: [{ status: end }] as const } : {});

/**
 * The form that searches calls by name, day, end, reference and last digits, and the calls that it has found. The page's address
 * contains the search.
 */
export async function callsPage(view: View, deps: PageDeps): Promise<Markup> {
	const { at, query, texts } = view;
	const { store } = deps;
	const search = searchIn(view);
	const idAt = (dayMs: number) => lowestIdAt(startOfDate(view.time_zone, new Date(dayMs).toISOString().slice(0, 10)));
	const dayMs = search.day === '' ? null : Date.parse(search.day);
	const endId = dayMs === null ? null : idAt(dayMs + DAY_MS);
	const { before = '' } = query;
	const range = {
		workspace_id: at.workspace.id,
		from_id: dayMs === null ? null : idAt(dayMs),
		before_id: ID_PATTERN.test(before) ? before : endId,
		limit: PER_PAGE,
	};
	const isSearch = search.end !== null || isTyped(search);
	const accept = (call: Searched) => isFound(call, search);
	const page = isSearch
		? await searchPage(
				'call',
				{ ...range, most: MOST_SEARCHED, ...partOf(search) },
				{ fields: searchedFields, accept },
				store,
			)
		: await listPage('call', range, () => true, store);
	const states = await Promise.all(page.items.map((call) => missedState(call, at.workspace, deps)));
	const filters = Object.fromEntries(
		Object.entries(search).flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
	);
	const none = page.next_before_id === null ? texts.search.none : texts.deliveries.none_so_far;
	const isEmpty = page.items.length === 0 && (isTyped(search) || search.day !== '');
	return html`<a class="button quiet find" href="#name">${texts.search.go}</a>
${endLinks(search, filters, view)}${searchForm(search, view)}
${isSearch && (page.items.length > 0 || page.next_before_id !== null) && foundNote(page, view)}
${callTable(page.items, view, none, states)}${isEmpty && html`<p><a href="${clearOf(search)}">${texts.search.clear}</a></p>`}${pageLinks(view, 'calls', page, { rest: filters })}`;
}

/** Whether a person has typed something into the form, apart from the day. */
const isTyped = ({ name, reference, digits }: Search): boolean => [name, reference, digits].some((text) => text !== '');

/** How many calls this page has found, and how far back it has searched if there are older calls. */
function foundNote({ items, next_before_id }: Page<CallRecord>, view: View): Markup {
	const { found, back_to } = view.texts.search;
	const count = fillIn(found, numberIn(view.language)(items.length));
	const since = next_before_id && shortTime(new Date(timeOfId(next_before_id)).toISOString(), view);
	return html`<p class="soft" role="status">${count}${since && html` · ${fillIn(back_to, since)}`}</p>`;
}

/** One link for each way in which calls end, and one for all calls. A link keeps the rest of the search. */
function endLinks(current: Search, filters: Readonly<Record<string, string>>, { texts }: View): Markup {
	const { search, deliveries, short_reasons, status } = texts;
	const labels = { ...status, missed: short_reasons.no_agent_answer };
	const { end: _, ...others } = filters;
	const links = [null, ...ends].map((end) => {
		const query = new URLSearchParams({ ...others, ...(end !== null && { end }) }).toString();
		const mark = end === current.end && html` aria-current="true"`;
		const label = end === null ? deliveries.any : labels[end];
		return html`<a href="${query === '' ? 'calls' : `calls?${query}`}"${mark}>${label}</a>`;
	});
	return html`<p class="chips" role="group" aria-label="${search.end}">${links}</p>
`;
}

/** The address of the list without what a person has typed. */
const clearOf = ({ end }: Pick<Search, 'end'>): string => (end === null ? 'calls' : `calls?end=${end}`);

/**
 * The form of the search. On a phone, it is hidden until the link *Search* leads to it, unless the list shows the result of a
 * search.
 */
function searchForm({ end, ...typed }: Search, { texts: { search, fields } }: View): Markup {
	const { day, name, reference, digits } = typed;
	const isUsed = Object.values(typed).some((text) => text !== '');
	return html`<form method="get" class="search${isUsed && ' used'}" id="search">${end !== null && hiddenFields({ end })}
<div><label for="name">${fields.member}</label>
<input id="name" name="name" maxlength="${MOST_TYPED}" autocomplete="off" value="${name}"></div>
<div><label for="digits">${search.digits}</label>
<input id="digits" name="digits" inputmode="numeric" dir="ltr" maxlength="${MOST_DIGITS}" autocomplete="off"
value="${digits}"></div>
<div><label for="day">${search.day}</label><input type="date" id="day" name="day" value="${day}"></div>
<div><label for="reference">${search.reference}</label>
<input id="reference" name="reference" maxlength="${MOST_TYPED}" value="${reference}"></div>
<p><button class="quiet">${search.go}</button><a class="button quiet" href="${clearOf({ end })}">${search.clear}</a></p></form>`;
}
