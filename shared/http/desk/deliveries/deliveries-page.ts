import { ID_PATTERN } from '../../../domain/kernel/id.ts';
import { type Delivery, deliveryStatuses } from '../../../domain/webhooks/delivery.ts';
import { type EventKind, eventKinds } from '../../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import { fillMarkup, html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { numberIn } from '../../../presentation/team-words.ts';
import { type Page, searchPage } from '../../../use-cases/kernel/list-page.ts';
import { failureParts } from '../../../use-cases/webhooks/undelivered.ts';
import {
	type DeliveryFilters,
	deliveryParts,
	type Filtered,
	filteredFields,
	matchesFilters,
} from '../../webhooks/present-delivery.ts';
import { button } from '../kit/form.ts';
import { pageLinks, pageOf, rangeOf, rowMenu, tableList } from '../kit/list.ts';
import { noSuch } from '../kit/no-such.ts';
import { rowTime } from '../kit/times.ts';
import type { PageContent, PageDeps, View } from '../kit/view.ts';
import { answerOf, endpointName, saidBy } from '../webhooks/webhook-words.ts';
import { attemptsOf, deliveryPage, stateChip } from './delivery-page.ts';

/**
 * Above all other deliveries, the page shows at most this many failed or held deliveries, and at most as many deliveries that
 * are being retried.
 */
const FIRST_FAILED = 5;
/**
 * The page looks for deliveries that are being retried only among this many of the newest deliveries, because they are
 * pending, and there is no list of the pending deliveries (see `statusLists`).
 */
const NEWEST = 100;
/** The most deliveries that a search by filters goes through for one page. */
const MOST_SEARCHED = 300;
/** The word that stands for failed and held deliveries in the page's address. */
const FAILURES = 'missed';
/** The states by which people filter most. `OTHER_STATES` are the rest. */
const USUAL_STATES = [FAILURES, 'pending', 'succeeded'] as const;
const OTHER_STATES = ['failed', 'held', 'canceled'] as const;
const isTriedAgain = ({ status, last_attempt }: Delivery): boolean =>
	status === 'pending' && (last_attempt?.error ?? null) !== null;

/**
 * The deliveries of all endpoints or of one endpoint. Failed deliveries come first. If the query names a delivery, the page
 * of that delivery.
 */
export async function deliveriesPage(view: View, deps: PageDeps): Promise<PageContent> {
	const { texts, at, query } = view;
	const { id = '' } = query;
	const delivery = ID_PATTERN.test(id) ? await deps.store.get('delivery', { id }) : null;
	if (delivery?.workspace_id === at.workspace.id) return deliveryPage(delivery, view, deps);
	const { deliveries, fields } = texts;
	const endpoints = await deps.store.endpointsOf(at.workspace.id);
	const choices = filtersIn(query, endpoints);
	const { state, ...filters } = choices;
	const heads = [fields.event, deliveries.state, deliveries.endpoint, deliveries.created];
	const table = (items: readonly Delivery[], none: string): Markup => {
		const rows = items.map((each) => deliveryRow(each, endpoints, view));
		return tableList(heads, rows, none, 'sheet deliveries');
	};
	const isWhole = state === undefined && !ID_PATTERN.test(query['before'] ?? '');
	const [{ first, isCut }, page] = await Promise.all([
		isWhole ? firstOnes(filters, view, deps) : NO_FIRST,
		pageMatching(choices, view, deps),
	]);
	const none = page.next_before_id === null ? deliveries.none : deliveries.none_so_far;
	const others = page.items.filter(({ id }) => !first.some((each) => each.id === id));
	const before =
		first.length > 0 &&
		html`<h2>${deliveries.states.missed}</h2>
${table(first, '')}${others.length > 0 && html`<h2>${deliveries.others}</h2>`}`;
	const cut = isCut && searchedNote(filters, view);
	const rest = (first.length === 0 || others.length > 0) && table(others, none);
	return html`${noSuch('delivery', id, view)}${filterLinks(choices, endpoints, view)}
${before}${rest}${cut}${pageLinks(view, 'deliveries', page, { rest: choices })}`;
}

/** `isCut`: whether there are deliveries in which those that are being retried were not looked for. */
type FirstOnes = { readonly first: readonly Delivery[]; readonly isCut: boolean };
const NO_FIRST: FirstOnes = { first: [], isCut: false };

/**
 * The newest failed or held deliveries, and the deliveries that are being retried. Deliveries that are being retried are
 * looked for only among the newest deliveries of the workspace or, if one endpoint was chosen, of that endpoint.
 */
async function firstOnes(filters: DeliveryFilters, view: View, { store }: PageDeps): Promise<FirstOnes> {
	const { endpoint_id } = filters;
	const accept = (each: Filtered) => matchesFilters(each, filters);
	const part = endpoint_id === undefined ? undefined : { endpoint_id };
	const failed = { ...rangeOf('delivery', view), parts: failureParts, limit: FIRST_FAILED, most: NEWEST };
	const range = { from_id: null, before_id: null, limit: NEWEST, part };
	const [failures, newest] = await Promise.all([
		searchPage('delivery', failed, { fields: filteredFields, accept }, store),
		store.listFields('delivery', view.at.workspace.id, range, [...filteredFields, 'attempt_count']),
	]);
	// The response of an attempt may have 4 KiB, so only the deliveries that may be shown are read whole.
	const tried = newest.filter((each) => accept(each) && each.status === 'pending' && each.attempt_count > 0);
	const whole = await Promise.all(tried.slice(0, FIRST_FAILED).map(({ id }) => store.get('delivery', { id })));
	const again = whole.filter((each) => each !== null).filter(isTriedAgain);
	const first = [...failures.items, ...again].sort((a, b) => (a.id < b.id ? 1 : -1));
	return { first, isCut: newest.length === NEWEST };
}

/** Says where the deliveries that are being retried were looked for, with a link to all deliveries that wait. */
function searchedNote(filters: Chosen, { texts, language }: View): Markup {
	const { retries_searched, states } = texts.deliveries;
	const all = html`<a href="deliveries${queryOf({ ...filters, state: 'pending' })}">${states.pending}</a>`;
	return html`<p class="soft">${fillMarkup(retries_searched, html`${numberIn(language)(NEWEST)}`, all)}</p>
`;
}

/** One page of the deliveries that match all filters. */
function pageMatching({ state, ...filters }: Chosen, view: View, deps: PageDeps): Promise<Page<Delivery>> {
	if (state === undefined && Object.keys(filters).length === 0) return pageOf('delivery', view, deps);
	const asksForFailures = state === FAILURES;
	const query = { ...filters, ...(state !== undefined && !asksForFailures && { status: [state] }) };
	const parts = asksForFailures ? failureParts : deliveryParts(query);
	const accept = (each: Filtered) => matchesFilters(each, query);
	const range = { ...rangeOf('delivery', view), parts, most: MOST_SEARCHED };
	return searchPage('delivery', range, { fields: filteredFields, accept }, deps.store);
}

type Chosen = {
	readonly endpoint_id?: string;
	readonly event?: EventKind;
	readonly state?: Delivery['status'] | typeof FAILURES;
};

/** Reads the filters from the page's address. A value that is not one of the choices is ignored. */
function filtersIn(query: View['query'], endpoints: readonly WebhookEndpoint[]): Chosen {
	const oneOf = <T extends string>(name: string, all: readonly T[]) => all.find((each) => each === query[name]);
	const endpoint_id = oneOf(
		'endpoint_id',
		endpoints.map(({ id }) => id),
	);
	const event = oneOf('event', eventKinds);
	const state = oneOf('state', [FAILURES, ...deliveryStatuses]);
	return {
		...(endpoint_id !== undefined && { endpoint_id }),
		...(event !== undefined && { event }),
		...(state !== undefined && { state }),
	};
}

/**
 * The filters as links. One press sets a filter, and the page's address contains all filters. The usual states are always
 * shown. The other filters are shown only when a person opens them.
 */
function filterLinks(choices: Chosen, endpoints: readonly WebhookEndpoint[], { texts }: View): Markup {
	const { deliveries, fields, events } = texts;
	type Options = readonly (readonly [value: string, says: string])[];
	const chips = (name: keyof Chosen, label: string, options: Options): Markup => {
		const links = options.map(([value, says]) => {
			const current = value === (choices[name] ?? '') && html` aria-current="true"`;
			return html`<a href="deliveries${queryOf({ ...choices, [name]: value })}"${current} dir="auto">${says}</a>`;
		});
		return html`<p class="chips" role="group" aria-label="${label}">${links}</p>`;
	};
	const any = ['', deliveries.any] as const;
	const isChosen = (state: string) => state === choices.state;
	const words = (states: readonly (keyof typeof deliveries.states)[]): Options =>
		states.map((each) => [each, deliveries.states[each]]);
	const usual = [any, ...words([...USUAL_STATES, ...OTHER_STATES.filter(isChosen)])];
	const others = words(OTHER_STATES.filter((each) => !isChosen(each)));
	const ofEndpoint: Options = [any, ...endpoints.map((each) => [each.id, endpointName(each)] as const)];
	const ofEvent: Options = [any, ...eventKinds.map((kind) => [kind, events[kind]] as const)];
	const isNarrow = choices.endpoint_id !== undefined || choices.event !== undefined;
	return html`${chips('state', deliveries.state, usual)}
<details class="filters"${isNarrow && html` open`}><summary>${deliveries.more_filters}</summary>
<p class="label">${deliveries.state}</p>${chips('state', deliveries.state, others)}
<p class="label">${deliveries.endpoint}</p>${chips('endpoint_id', deliveries.endpoint, ofEndpoint)}
<p class="label">${fields.event}</p>${chips('event', fields.event, ofEvent)}</details>
`;
}

/** The query that sets these filters in the page's address. */
function queryOf(choices: Readonly<Partial<Record<keyof Chosen, string>>>): string {
	const set = Object.entries(choices).filter(([, value]) => value !== '');
	return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
}

/** The row of one delivery. The whole row is a link to its page. The menu lies above that link. */
function deliveryRow(delivery: Delivery, endpoints: readonly WebhookEndpoint[], view: View): Markup {
	const { deliveries, events } = view.texts;
	const { id, event, status, endpoint_id, created_at, last_attempt } = delivery;
	const endpoint = endpoints.find((each) => each.id === endpoint_id);
	const to = endpoint === undefined ? deliveries.endpoint_gone : endpointName(endpoint);
	const answer = last_attempt !== null && html` ${answerOf(last_attempt, view)}`;
	const said = last_attempt !== null && saidBy(last_attempt);
	const again = () => button(view, { action: 'retry-delivery', id }, deliveries.retry);
	const hasMenu = status !== 'succeeded' && endpoint !== undefined;
	// The row's date is when the event was created, and Today shows when the last attempt was made.
	const isMissed = status !== 'succeeded' && last_attempt !== null;
	const last = isMissed && fillIn(deliveries.last_attempt, rowTime(last_attempt.started_at, view));
	const attempts = attemptsOf(delivery, view);
	// A phone has no room for the time of the last attempt.
	const tried = html`${attempts}${last && html`<span class="wide">${attempts !== '' && ' · '}${last}</span>`}`;
	return html`<tr><th scope="row" class="who"><a href="deliveries?id=${id}"><strong>${events[event]}</strong></a>
<code dir="ltr">${event}</code></th><td class="result"><p>${stateChip(status, view)}${answer}</p>${said}
${(attempts !== '' || isMissed) && html`<p class="soft">${tried}</p>`}</td>
<td class="to" dir="auto">${to}</td><td class="when"><time datetime="${created_at}">${rowTime(created_at, view)}</time>
${hasMenu && rowMenu(view, events[event], again())}</td></tr>
`;
}
