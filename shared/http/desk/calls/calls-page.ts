import { missedReasonOf } from '../../../domain/calls/call.ts';
import type { CallRecord } from '../../../domain/calls/call-record.ts';
import { lowestIdAt, timeOfId } from '../../../domain/kernel/id.ts';
import { SHOWN_DIGITS } from '../../../domain/kernel/phone-mask.ts';
import { plainNumber } from '../../../domain/kernel/phone-number.ts';
import { startOfDate } from '../../../domain/workspaces/business-hours.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { readDate } from '../../../presentation/short-date.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { numberIn } from '../../../presentation/team-words.ts';
import { missedStates } from '../../../use-cases/desk/missed-state.ts';
import { listPage, type Page, searchPage } from '../../../use-cases/kernel/list-page.ts';
import { hiddenFields } from '../kit/form.ts';
import { pageLinks, startOf } from '../kit/list.ts';
import { shortTime } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { callTable } from './call-row.ts';

const PER_PAGE = 10;
/** The most calls that a search goes through for one page. */
const MOST_SEARCHED = 200;
const DAY_MS = 24 * 3_600_000;
const ends = ['missed', 'completed', 'failed', 'canceled'] as const;
const MOST_TYPED = 64;

type Search = {
	/** A local date. Empty: any day. */
	readonly day: string;
	readonly end: (typeof ends)[number] | null;
	/** What a person typed: part of the visitor's name or of the reference, or the last digits of the number. */
	readonly name: string;
	/** Part of the reference, and last digits. Addresses of earlier releases have them; the form has only one field. */
	readonly reference: string;
	readonly digits: string;
};

/** Reads the search from the page's address. A value that is not one of the choices is ignored. */
function searchIn(view: View): Search {
	const { day = '', end, name = '', reference = '', digits = '' } = view.query;
	const date = readDate(day, view);
	// In addresses of earlier releases, a name may be where the digits belong.
	const isName = name === '' && /\p{L}/u.test(digits);
	return {
		day: /^\d{4}-\d\d-\d\d$/.test(date) && !Number.isNaN(Date.parse(date)) ? date : '',
		end: ends.find((each) => each === end) ?? null,
		name: typedText(isName ? digits : name),
		reference: reference.trim().slice(0, MOST_TYPED),
		digits: lastDigits(digits),
	};
}

/**
 * A text without letters that has seven digits or more, and is not just a number without a leading zero. It may be a complete
 * phone number. The form refuses it, so that no page's address contains a phone number.
 */
const WHOLE_NUMBER = '(?:[^\\d\\p{L}]*\\d){7}[^\\p{L}]*';
const PLAIN = '[1-9]\\d*';
const FORM_PATTERN = `${PLAIN}|(?!${WHOLE_NUMBER}$).*`;
const isWholeNumber = (text: string): boolean => new RegExp(`^(?!${PLAIN}$)${WHOLE_NUMBER}$`, 'u').test(text);

/** What a person typed. Of a complete phone number, only the digits that are compared. */
function typedText(text: string): string {
	return isWholeNumber(plainNumber(text)) ? lastDigits(text) : text.trim().slice(0, MOST_TYPED);
}

/** The digits of a number that are compared: as many as a mask shows. */
const lastDigits = (text: string): string => plainNumber(text).replace(/\D/g, '').slice(-SHOWN_DIGITS);

/** The search as parameters of the page's address. */
const filtersOf = (search: Search): Readonly<Record<string, string>> =>
	Object.fromEntries(Object.entries(search).flatMap(([name, value]) => (value ? [[name, value] as const] : [])));

/**
 * The search and the place in the list, as a query. The page of a call has them in its address, so that its way back leads to
 * the same part of the list. Empty: the whole list from its start.
 */
export function searchQuery(view: View): string {
	const before = startOf(view, 'before');
	return new URLSearchParams({ ...filtersOf(searchIn(view)), ...(before !== null && { before }) }).toString();
}

const searchedFields = ['status', 'failure_reason', 'visitor_name', 'visitor_phone_masked', 'reference'] as const;
type Searched = Pick<CallRecord, (typeof searchedFields)[number]>;

/** Whether a call matches the search. */
function isFound(call: Searched, { end, name, reference, digits }: Omit<Search, 'day'>): boolean {
	const isEnd = end === 'missed' ? missedReasonOf(call) !== null : end === null || call.status === end;
	const isTyped = has(call.visitor_name, name) || has(call.reference, name) || isLastDigits(call, name);
	return isEnd && isTyped && has(call.reference, reference) && (digits === '' || isLastDigits(call, digits));
}

const has = (text: string | null | undefined, part: string): boolean => plainText(text ?? '').includes(plainText(part));

/** Whether the number ends in these digits. Only the digits that the mask shows are compared. */
function isLastDigits({ visitor_phone_masked }: Searched, text: string): boolean {
	const digits = /\p{L}/u.test(text) ? '' : lastDigits(text);
	const [shown = ''] = /\d*$/.exec(visitor_phone_masked) ?? [];
	return digits !== '' && shown !== '' && (digits.endsWith(shown) || shown.endsWith(digits));
}

/** A text without accents and in lower case, so that `jose` finds `José`. */
const plainText = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** A search for missed calls reads only their part of the list. */
const partOf = ({ end }: Search) => (end === 'missed' ? { parts: [{ status: end }] as const } : {});

/**
 * The form that searches calls by name, number, reference, day and end, and the calls that it has found. The page's address
 * contains the search.
 */
export async function callsPage(view: View, deps: PageDeps): Promise<Markup> {
	const { at, texts } = view;
	const { store } = deps;
	const search = searchIn(view);
	const idAt = (dayMs: number) => lowestIdAt(startOfDate(view.time_zone, new Date(dayMs).toISOString().slice(0, 10)));
	const dayMs = search.day === '' ? null : Date.parse(search.day);
	const endId = dayMs === null ? null : idAt(dayMs + DAY_MS);
	const range = {
		workspace_id: at.workspace.id,
		from_id: dayMs === null ? null : idAt(dayMs),
		before_id: startOf(view, 'before') ?? endId,
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
	const states = await missedStates(page.items, at.workspace, deps);
	const filters = filtersOf(search);
	const isAll = !isSearch && range.before_id === null;
	const nothing = isAll ? texts.no_calls : texts.search.none;
	const none = page.next_before_id === null ? nothing : texts.deliveries.none_so_far;
	return html`<a class="button quiet find" href="#name">${texts.search.go}</a>
${endLinks(search, filters, view)}${searchForm(search, view)}
${isSearch && (page.items.length > 0 || page.next_before_id !== null) && foundNote(page, view)}
${callTable(page.items, view, none, { states, list: searchQuery(view) })}${pageLinks(view, 'calls', page, { rest: filters })}`;
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

/**
 * The form of the search. On a phone, it is hidden until the link *Search* leads to it, unless the list shows the result of a
 * search. Its `action` has no fragment, so that the page with the result starts at its top.
 */
function searchForm({ end, ...typed }: Search, { texts: { search } }: View): Markup {
	const { day, name, reference, digits } = typed;
	const isUsed = Object.values(typed).some((text) => text !== '');
	const clear = end === null ? 'calls' : `calls?end=${end}`;
	return html`<form method="get" action="calls" class="search${isUsed && ' used'}" id="search">${end !== null && hiddenFields({ end })}
<div><label for="name">${search.typed}</label>
<input id="name" name="name" maxlength="${MOST_TYPED}" pattern="${FORM_PATTERN}" title="${search.digits}"
autocomplete="off" value="${name || reference || digits}"></div>
<div><label for="day">${search.day}</label><input type="date" id="day" name="day" value="${day}"></div>
<p><button class="quiet">${search.go}</button><a class="button quiet" href="${clear}">${search.clear}</a></p></form>`;
}
