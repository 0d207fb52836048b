import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { OpsDeps } from '../../../ops/connect.ts';
import { Call } from '../../../shared/contract/calls/calls.ts';
import type { SentMail } from '../../aws/mail.ts';
import type { Mailbox } from '../../aws/mailbox.ts';
import type { PhoneNetwork } from '../../phone-network/start.ts';
import {
	type CallStory,
	type CallWebhook,
	type ShownMail as ListedMail,
	NEWEST,
	type ReceivedWebhook,
	type Recent,
	type StackFacts,
	type Webhook,
} from '../page/wire.ts';
import type { DemoDepartments } from './departments.ts';
import type { followLogs } from './function-logs.ts';
import type { Inbox } from './inbox.ts';
import { newestTraces } from './newest-traces.ts';

export type RecentSources = {
	readonly inbox: Inbox;
	readonly inbox_name: string;
	readonly phones: PhoneNetwork;
	readonly mailbox: Mailbox;
	readonly logs: ReturnType<typeof followLogs>;
	readonly departments: DemoDepartments;
	/** Null until the stack has started. */
	running(): Running | null;
};

export type Running = { readonly facts: StackFacts; readonly deps: OpsDeps };

const Envelope = z.object({
	event: z.string(),
	created_at: z.string(),
	data: z.object({ id: z.string(), status: z.string() }),
});

/**
 * The event about a call in a webhook's body, as a list with one item. If the body is not such an event, the list is empty.
 */
function eventIn(webhook: ReceivedWebhook): readonly (CallWebhook & { readonly call_id: string })[] {
	try {
		const { event, created_at, data } = Envelope.parse(JSON.parse(webhook.body));
		const { received_at, verified } = webhook;
		return [
			{ call_id: data.id, event, created_at, status: data.status, anchor: anchorOf(webhook), received_at, verified },
		];
	} catch {
		return [];
	}
}

const anchorOf = ({ headers }: ReceivedWebhook): string =>
	`webhooks/${headers['service-delivery']}-${headers['service-attempt']}`;

function listedWebhook(webhook: ReceivedWebhook): Webhook {
	const anchor = anchorOf(webhook);
	return { ...webhook, anchor, id: `${webhook.received_at} ${anchor}` };
}

/** A mail as the list shows it. The HTML is left out, because a frame shows it. */
function listedMail({ html, ...mail }: SentMail): ListedMail {
	return { ...mail, has_html: html !== null };
}

/**
 * The only route that the pages of the console poll. If anything on these pages has changed, this route returns everything
 * that the pages show.
 */
export function recentRoute({ inbox, inbox_name, mailbox, departments, running }: RecentSources) {
	const tracesOf = newestTraces();
	async function newestCalls(workspaceIds: readonly string[], deps: OpsDeps): Promise<readonly CallStory[]> {
		const range = { from_id: null, before_id: null, limit: NEWEST.calls };
		const lists = await Promise.all(workspaceIds.map((id) => deps.store.list('call', id, range)));
		const records = lists
			.flat()
			.sort((a, b) => (a.id < b.id ? 1 : -1))
			.slice(0, NEWEST.calls);
		const traces = await tracesOf(records, deps);
		const webhooks = Map.groupBy(inbox.received(inbox_name).flatMap(eventIn), ({ call_id }) => call_id);
		return records.flatMap((record) => {
			const { id, visitor_name: name } = record;
			const trace = traces.get(id);
			const call = { ...Call.parse(record), name };
			return trace === undefined ? [] : [{ id, call, trace, webhooks: webhooks.get(id) ?? [] }];
		});
	}

	return async (seenToken: string): Promise<Recent> => {
		const up = running();
		if (up === null) return { stack: null, token: '', shown: null };
		const items = {
			calls: await newestCalls([up.facts.workspace_id, ...departments.ids()], up.deps),
			webhooks: inbox.received(inbox_name).slice(-NEWEST.webhooks).map(listedWebhook),
			mails: mailbox.mails().slice(-NEWEST.mails).map(listedMail),
		};
		const token = createHash('sha256').update(JSON.stringify(items)).digest('hex');
		return { stack: up.facts, token, shown: token === seenToken ? null : items };
	};
}
