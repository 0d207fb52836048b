import * as z from 'zod/mini';
import type { OpsDeps } from '../../ops/connect.ts';
import { recentChanges } from './changes.ts';
import {
	type ListedWebhook,
	type ListQuery,
	listCalls,
	listDeliveries,
	listLeads,
	listMails,
	listWebhooks,
	visitors,
} from './lists.ts';
import type { ReceivedWebhook } from './received.ts';
import type { ConsoleRoutes } from './server.ts';
import type { Sources } from './sources.ts';
import type { StackFacts } from './stack-facts.ts';

const EnvelopeIds = z.object({ data: z.object({ id: z.string() }) });

/** The id of the call or lead that a webhook is about. */
function subjectOf({ body }: ReceivedWebhook): string {
	try {
		return EnvelopeIds.safeParse(JSON.parse(body)).data?.data.id ?? '';
	} catch {
		return '';
	}
}

/** The key sorts by time, and tells attempts of one delivery from each other. */
function keyOf({ received_at, headers }: ReceivedWebhook): string {
	return `${received_at} ${headers['service-delivery']}-${headers['service-attempt']}`;
}

const NO_PAGE = { data: [], next: null };
const STARTING_ANSWER = {
	stack: null,
	reload: true,
	token: '',
	calls: [],
	leads: [],
	rings: [],
	webhooks: [],
	mails: 0,
};

/** The lists of the console: a page of the items that match a query, and what has changed since the last request. */
export function listRoutes({ inbox, inbox_name, phones, mailbox, running }: Sources): ConsoleRoutes {
	const visitorOf = visitors();
	const logs = new Map<string, ReturnType<typeof recentChanges>>();
	const withVisitor = async (received: ReceivedWebhook, { store }: OpsDeps): Promise<ListedWebhook> => {
		return { ...received, key: keyOf(received), visitor: await visitorOf(subjectOf(received), store) };
	};
	/** What the phones of these calls did, and their webhooks. */
	const storyOf = async (ids: ReadonlySet<string>, deps: OpsDeps) => ({
		rings: phones.log().filter(({ call_id }) => ids.has(call_id)),
		webhooks: await Promise.all(
			inbox.received(inbox_name).flatMap((one) => (ids.has(subjectOf(one)) ? [withVisitor(one, deps)] : [])),
		),
	});
	const listRoute =
		(list: (query: ListQuery, deps: OpsDeps, parameter: string) => Promise<object>) =>
		(parameter: string, search: URLSearchParams): Promise<object> | object => {
			const up = running();
			return up === null ? NO_PAGE : list(queryOf(search, up.facts), up.deps, parameter);
		};
	return {
		calls: listRoute(async (query, deps) => {
			const page = await listCalls(query, deps);
			return { ...page, ...(await storyOf(new Set(page.data.map(({ id }) => id)), deps)) };
		}),
		leads: listRoute(listLeads),
		mails: listRoute((query, deps) => listMails(mailbox.mails(), query, deps)),
		webhooks: listRoute(async (query, deps) =>
			listWebhooks(await Promise.all(inbox.received(inbox_name).map((one) => withVisitor(one, deps))), query),
		),
		deliveries: listRoute((query, deps, endpoint) => listDeliveries(endpoint, query, deps, visitorOf)),
		/** What has changed since the answer with this token. Without one, only a token. */
		recent: async (token, search) => {
			const up = running();
			if (up === null) return STARTING_ANSWER;
			const newest = { ...queryOf(search, up.facts), state: '', search: '', before: '' };
			const [calls, leads] = await Promise.all([listCalls(newest, up.deps), listLeads(newest, up.deps)]);
			const log = logs.get(newest.workspace) ?? recentChanges();
			logs.set(newest.workspace, log);
			const last_seen = log.lastSeen(token);
			const after = last_seen ?? Number.POSITIVE_INFINITY;
			const webhooks = log.added(inbox.received(inbox_name), after);
			const changes = {
				calls: log.changed('calls', calls.data, after),
				leads: log.changed('leads', leads.data, after),
				rings: log.added(phones.log(), after),
				/** How many mails arrived, for any workspace. */
				mails: log.added(mailbox.mails(), after).length,
			};
			const answer = { stack: up.facts, reload: last_seen === null, token: log.token(), ...changes };
			return { ...answer, webhooks: await Promise.all(webhooks.map((one) => withVisitor(one, up.deps))) };
		},
		workspaces: async () => {
			const up = running();
			const all: { id: string; name: string }[] = [];
			if (up === null) return all;
			for await (const { workspaces } of up.deps.workspaces())
				all.push(...workspaces.map(({ id, name }) => ({ id, name })));
			return all.sort((a, b) => a.id.localeCompare(b.id));
		},
	};
}

/** The query in an address; without a workspace, it is about the demo workspace. */
const queryOf = (search: URLSearchParams, { workspace_id }: StackFacts): ListQuery => {
	const part = (name: string): string => search.get(name) ?? '';
	return {
		workspace: part('workspace') || workspace_id,
		state: part('state'),
		search: part('search'),
		before: part('before'),
	};
};
