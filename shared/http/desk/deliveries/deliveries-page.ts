import { ID_PATTERN } from '../../../domain/kernel/id.ts';
import { type Delivery, deliveryStatuses } from '../../../domain/webhooks/delivery.ts';
import { type EventKind, eventKinds } from '../../../domain/webhooks/event.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import { html, type Markup } from '../../../presentation/markup.ts';
import { fillIn } from '../../../presentation/team-texts.ts';
import { withoutQuery } from '../../../presentation/team-words.ts';
import { type DeliveryFilters, deliveryParts, matchesFilters } from '../../webhooks/present-delivery.ts';
import { button } from '../kit/form.ts';
import { itemList, pageLinks, pageOf } from '../kit/list.ts';
import { shortTime } from '../kit/times.ts';
import type { PageDeps, View } from '../kit/view.ts';
import { attemptView } from '../webhooks/attempt-view.ts';
import { deliveryPage } from './delivery-page.ts';

/** At most this many failed deliveries stand above all others. */
const FIRST_FAILED = 5;
/**
 * Deliveries that are being retried stand there too, if they are among this many of the newest: the lists by status hold only
 * ended ones.
 */
const NEWEST = 100;
/** The most characters of a response in a list. The page of the delivery shows the rest. */
const EXCERPT = 200;
/** The word in the address for deliveries that have failed or are held. */
const FAILURES = 'missed';
const failureParts = [{ status: 'failed' }, { status: 'held' }] as const;
const isTriedAgain = ({ status, last_attempt }: Delivery): boolean =>
	status === 'pending' && (last_attempt?.error ?? null) !== null;

/** The deliveries of all endpoints or of one, failed ones first; or the one delivery that the query names. */
export async function deliveriesPage(view: View, deps: PageDeps): Promise<Markup> {
	const { texts, at, query } = view;
	const { id = '' } = query;
	const delivery = ID_PATTERN.test(id) ? await deps.store.get('delivery', { id }) : null;
	if (delivery?.workspace_id === at.workspace.id) return deliveryPage(delivery, view, deps);
	const { deliveries } = texts;
	const endpoints = await deps.store.endpointsOf(at.workspace.id);
	const choices = filtersIn(query, endpoints);
	const { state, ...filters } = choices;
	const row = (each: Delivery) => deliveryRow(each, endpoints, view);
	const isWhole = state === undefined && !ID_PATTERN.test(query['before'] ?? '');
	const [first, page] = await Promise.all([
		isWhole && firstOnes(filters, view, deps),
		pageOf('delivery', view, deps, allMatching(choices)),
	]);
	const none = page.next_before_id === null ? deliveries.none : deliveries.none_so_far;
	const more = html`<p><a href="deliveries${queryOf({ ...choices, state: FAILURES })}">${deliveries.all_missed}</a></p>`;
	const before =
		first &&
		first.length > 0 &&
		html`<h2>${deliveries.states.missed}</h2><p class="soft">${fillIn(deliveries.first_hint, String(NEWEST))}</p>
${itemList(first.map(row), '')}${more}<h2>${deliveries.all}</h2>`;
	return html`${filterLinks(choices, endpoints, view)}
${before}${itemList(page.items.map(row), none)}${pageLinks(view, 'deliveries', page, { rest: choices })}`;
}

/** The newest failed or held deliveries, and the retried ones among the newest of all. */
async function firstOnes(filters: DeliveryFilters, view: View, deps: PageDeps): Promise<readonly Delivery[]> {
	const { endpoint_id } = filters;
	const accept = (each: Delivery) => matchesFilters(each, filters);
	const part = endpoint_id === undefined ? undefined : { endpoint_id };
	const range = { from_id: null, before_id: null, limit: NEWEST, part };
	const [failures, newest] = await Promise.all([
		pageOf('delivery', view, deps, { parts: failureParts, accept, limit: FIRST_FAILED }),
		deps.store.list('delivery', view.at.workspace.id, range),
	]);
	const again = newest.filter((each) => isTriedAgain(each) && accept(each)).slice(0, FIRST_FAILED);
	return [...failures.items, ...again].sort((a, b) => (a.id < b.id ? 1 : -1));
}

function allMatching({ state, ...filters }: Chosen) {
	const asksForFailures = state === FAILURES;
	const query = { ...filters, ...(state !== undefined && !asksForFailures && { status: [state] }) };
	const parts = asksForFailures ? failureParts : deliveryParts(query);
	return { parts, accept: (each: Delivery) => matchesFilters(each, query) };
}

type Chosen = {
	readonly endpoint_id?: string;
	readonly event?: EventKind;
	readonly state?: Delivery['status'] | typeof FAILURES;
};

/** Reads the filters from the address. A value that is not one of the choices does not filter. */
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
 * The filters as links, so that one press sets each and the address contains them. The states are always shown, the rest on
 * demand.
 */
function filterLinks(choices: Chosen, endpoints: readonly WebhookEndpoint[], { texts }: View): Markup {
	const { deliveries, fields } = texts;
	const chips = (name: keyof Chosen, label: string, options: readonly (readonly [string, string])[]): Markup => {
		const links = [['', deliveries.any] as const, ...options].map(([value, says]) => {
			const current = value === (choices[name] ?? '') && html` aria-current="true"`;
			return html`<a href="deliveries${queryOf({ ...choices, [name]: value })}"${current} dir="auto">${says}</a>`;
		});
		return html`<p class="chips" role="group" aria-label="${label}">${links}</p>`;
	};
	const ofEndpoint = endpoints.map(({ id, url }) => [id, shortAddress(url)] as const);
	const ofState = ([FAILURES, ...deliveryStatuses] as const).map((each) => [each, deliveries.states[each]] as const);
	const ofEvent = eventKinds.map((kind) => [kind, kind] as const);
	const isNarrow = choices.endpoint_id !== undefined || choices.event !== undefined;
	return html`${chips('state', deliveries.state, ofState)}
<details${isNarrow && html` open`}><summary>${deliveries.endpoint} · ${fields.event}</summary>
${chips('endpoint_id', deliveries.endpoint, ofEndpoint)}${chips('event', fields.event, ofEvent)}</details>
`;
}

/** The query of an address with these filters. */
function queryOf(choices: Readonly<Partial<Record<keyof Chosen, string>>>): string {
	const set = Object.entries(choices).filter(([, value]) => value !== '');
	return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
}

/** An address without its query, cut to the given length. */
function shortAddress(url: string): string {
	const text = withoutQuery(url);
	return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function deliveryRow(delivery: Delivery, endpoints: readonly WebhookEndpoint[], view: View): Markup {
	const { deliveries } = view.texts;
	const { id, event, status, endpoint_id, created_at, attempt_count, next_attempt_at, last_attempt } = delivery;
	const endpoint = endpoints.find((each) => each.id === endpoint_id);
	const to =
		endpoint === undefined ? deliveries.endpoint_gone : html`<bdi dir="ltr">${shortAddress(endpoint.url)}</bdi>`;
	const next =
		next_attempt_at !== null &&
		html`<p class="soft">${fillIn(deliveries.next_attempt, shortTime(next_attempt_at, view))}</p>`;
	const again = status !== 'succeeded' && endpoint !== undefined;
	return html`<li><p><strong><a href="deliveries?id=${id}" dir="ltr">${event}</a></strong> · ${deliveries.states[status]}</p>
<p class="soft"><time datetime="${created_at}">${shortTime(created_at, view)}</time> · ${to}</p>
<p class="soft">${fillIn(deliveries.attempts, String(attempt_count))}</p>${next}
${last_attempt !== null && attemptView(last_attempt, view, EXCERPT)}
${again && button(view, { action: 'retry-delivery', id }, deliveries.retry)}</li>
`;
}
