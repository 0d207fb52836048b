import type * as z from 'zod/mini';
import type { OpsDeps } from '../../ops/connect.ts';
import { Call } from '../../shared/contract/calls/calls.ts';
import { CallbackLead } from '../../shared/contract/leads/callback-leads.ts';
import { WebhookDelivery } from '../../shared/contract/webhooks/webhook-deliveries.ts';
import type { Delivery } from '../../shared/domain/webhooks/delivery.ts';
import type { Workspace } from '../../shared/domain/workspaces/workspace.ts';
import { readableMask } from '../../shared/presentation/readable-mask.ts';
import { listPage } from '../../shared/use-cases/kernel/list-page.ts';
import type { ListedMail, Mail } from '../aws/mail.ts';
import type { ReceivedWebhook } from './received.ts';

/** A call as the API shows it, with the visitor's name, which it does not show. */
export type ListedCall = z.infer<typeof Call> & { readonly name: string | null };
export type ListedLead = z.infer<typeof CallbackLead>;
/** `visitor`: who called or left the lead that it is about. */
export type ListedDelivery = z.infer<typeof WebhookDelivery> & { readonly visitor: string };
export type ListedWebhook = ReceivedWebhook & { readonly key: string; readonly visitor: string };
/** A page of a list, newest first. `next`: where the next page starts; null on the last. */
export type ListPage<T> = { readonly data: readonly T[]; readonly next: string | null };

/** Filters a list; an empty string matches everything. */
export type ListQuery = {
	readonly workspace: string;
	/** A status, or the type of an event. */
	readonly state: string;
	/** Part of any text of an item. */
	readonly search: string;
	/** `next` of the page before. */
	readonly before: string;
};

/** Items on a page: enough for a screen or two. */
const PAGE = 50;
const DELIVERIES_PAGE = 8;

/** Whether the query chooses an item with this state and these texts. */
function matches(
	{ state, search }: ListQuery,
	is: string,
	texts: readonly (string | number | null | undefined)[],
): boolean {
	const words = search.trim().toLowerCase();
	if (state !== '' && state !== is) return false;
	return words === '' || texts.some((text) => `${text ?? ''}`.toLowerCase().replaceAll('_', ' ').includes(words));
}

const rangeOf = ({ workspace, before }: ListQuery, limit = PAGE) => {
	return { workspace_id: workspace, from_id: null, before_id: before === '' ? null : before, limit };
};

export async function listCalls(query: ListQuery, { store }: OpsDeps): Promise<ListPage<ListedCall>> {
	const { items, next_before_id } = await listPage(
		'call',
		rangeOf(query),
		({ id, status, failure_reason, visitor_name, visitor_phone_masked, source_url }) =>
			matches(query, status, [
				id,
				visitor_name,
				readableMask(visitor_phone_masked),
				source_url,
				status,
				failure_reason,
			]),
		store,
	);
	return { data: items.map((item) => ({ ...Call.parse(item), name: item.visitor_name })), next: next_before_id };
}

export async function listLeads(query: ListQuery, { store }: OpsDeps): Promise<ListPage<ListedLead>> {
	const { items, next_before_id } = await listPage(
		'callback_lead',
		rangeOf(query),
		({ id, status, name, note, visitor_phone_masked, source_url }) =>
			matches(query, status, [id, name, note, readableMask(visitor_phone_masked), source_url]),
		store,
	);
	return { data: items.map((item) => CallbackLead.parse(item)), next: next_before_id };
}

/** A delivery with a summary of its newest attempt, as the API shows it. */
function shownDelivery(item: Delivery): z.infer<typeof WebhookDelivery> {
	const { started_at = null, response_status = null, error = null } = item.last_attempt ?? {};
	return WebhookDelivery.parse({ ...item, last_attempt_at: started_at, response_status, error });
}

/** The deliveries to one endpoint. */
export async function listDeliveries(
	endpoint_id: string,
	query: ListQuery,
	{ store }: OpsDeps,
	visitorOf: VisitorOf,
): Promise<ListPage<ListedDelivery>> {
	const accept = (item: Delivery): boolean => {
		const { id, event, status, error, response_status } = shownDelivery(item);
		return matches(query, status, [id, event, error, response_status]);
	};
	const range = { ...rangeOf(query, DELIVERIES_PAGE), parts: [{ endpoint_id }] };
	const { items, next_before_id } = await listPage('delivery', range, accept, store);
	const data = items.map(async (item) => ({
		...shownDelivery(item),
		visitor: await visitorOf(item.subject_id, store),
	}));
	return { data: await Promise.all(data), next: next_before_id };
}

/** The page of items that the query chooses, by a key that sorts by time. */
function pageOf<T>(
	all: readonly T[],
	keyOf: (item: T) => string,
	{ before }: ListQuery,
	accept: (item: T) => boolean,
): ListPage<T> {
	const older = all.filter((item) => (before === '' || keyOf(item) < before) && accept(item));
	const data = older.sort((a, b) => keyOf(b).localeCompare(keyOf(a))).slice(0, PAGE);
	const last = data.at(-1);
	return { data, next: last === undefined || older.length === data.length ? null : keyOf(last) };
}

export function listWebhooks(all: readonly ListedWebhook[], query: ListQuery): ListPage<ListedWebhook> {
	return pageOf(
		all,
		({ key }) => key,
		query,
		({ headers, body, visitor }) =>
			matches(query, `${headers['service-event']}`, [visitor, body, `${headers['service-delivery']}`]),
	);
}

/** A mail in the list, without its HTML, which has its own frame. */
function listedMail({ html, ...mail }: Mail): ListedMail {
	return { ...mail, has_html: html !== null };
}

const addressesOf = ({ team_email, desk = [] }: Workspace): readonly string[] =>
	[team_email ?? [], desk.map(({ address }) => address)].flat();

/** The mails to a workspace's team and the people of its desk, and those to addresses that no other workspace has now. */
export async function listMails(all: readonly Mail[], query: ListQuery, deps: OpsDeps): Promise<ListPage<ListedMail>> {
	const own = new Set<string>();
	const others = new Set<string>();
	for await (const { workspaces } of deps.workspaces()) {
		for (const workspace of workspaces) {
			for (const address of addressesOf(workspace)) (workspace.id === query.workspace ? own : others).add(address);
		}
	}
	return pageOf(
		all.map(listedMail),
		({ received_at, id }) => `${received_at} ${id}`,
		query,
		({ from, to, subject, text }) => (own.has(to) || !others.has(to)) && matches(query, '', [from, to, subject, text]),
	);
}

/** The visitor of a call or lead; empty if there is none with this id. */
export type VisitorOf = (id: string, store: OpsDeps['store']) => Promise<string>;

/** Names and masked numbers of visitors, by their call or lead; each is read once, because it never changes. */
export function visitors(): VisitorOf {
	const summaries = new Map<string, Promise<string>>();
	const read = async (id: string, store: OpsDeps['store']): Promise<string> => {
		const [call, lead] = await Promise.all([store.get('call', { id }), store.get('callback_lead', { id })]);
		const mask = call?.visitor_phone_masked ?? lead?.visitor_phone_masked;
		return mask === undefined ? '' : [call?.visitor_name ?? lead?.name ?? [], readableMask(mask)].flat().join(', ');
	};
	return (id, store) => {
		const visitor = summaries.get(id) ?? read(id, store);
		summaries.set(id, visitor);
		return visitor;
	};
}
