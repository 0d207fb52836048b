import type { ListedMail, Mail } from '../aws/mail.ts';
import type { Mailbox } from '../aws/mailbox.ts';
import type { PhoneNetwork } from '../phone-network/start.ts';
import type { Inbox } from './inbox.ts';
import type { ConsoleActions, ConsoleRoutes } from './server.ts';
import type { StackFacts } from './stack-facts.ts';

type Sources = {
	readonly inbox: Inbox;
	/** The inbox that is meant when none is named. */
	readonly inbox_name: string;
	readonly phones: PhoneNetwork;
	readonly mailbox: Mailbox;
	/** Null until the stack is up. */
	facts(): StackFacts | null;
};

/** How much of each the pages show: they ask twice a second, on a stack that may have run for days. */
const SHOWN = { calls: 50, rings: 1000, webhooks: 300, mails: 50 } as const;

/** Asks the API as a server of the demo workspace would. */
async function ask({ base_url, api_key }: StackFacts, path: string, method = 'GET', body: object | null = null) {
	const response = await fetch(`${base_url}${path}`, {
		method,
		headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
		body: body === null ? null : JSON.stringify(body),
		signal: AbortSignal.timeout(5000),
	});
	const answer: unknown = await response.json();
	return { status: response.status, body: answer };
}

/** The newest that the API lists at `path`. */
async function listed(facts: StackFacts | null, path: string): Promise<unknown> {
	return facts === null ? { data: [] } : (await ask(facts, `${path}?limit=${SHOWN.calls}`)).body;
}

/** What a browser without the console's key is shown: no API key. */
function withoutKey(facts: StackFacts | null): Omit<StackFacts, 'api_key'> | null {
	if (facts === null) return null;
	const { api_key: _api_key, ...others } = facts;
	return others;
}

/** A mail of the list: its HTML is a frame of its own. */
function withoutHtml({ html, ...mail }: Mail): ListedMail {
	return { ...mail, has_html: html !== null };
}

/** Routes that show the API key. */
export const keyedRoutes = ['stack'] as const;

/** The JSON that the console's pages show. */
export function consoleRoutes({ inbox, inbox_name, phones, mailbox, facts }: Sources): ConsoleRoutes {
	return {
		stack: facts,
		phones: () => phones.log(),
		inbox: (name) => inbox.received(name || inbox_name),
		mailbox: () => mailbox.mails(),
		/** All of it at once, newest at the end of what is not a list of the API. */
		recent: async (_parameter, has_key) => {
			const stack = facts();
			const [calls, leads] = await Promise.all([listed(stack, '/calls'), listed(stack, '/callback-leads')]);
			return {
				...{ stack: has_key ? stack : withoutKey(stack), calls, leads },
				rings: phones.log().slice(-SHOWN.rings),
				webhooks: inbox.received(inbox_name).slice(-SHOWN.webhooks),
				mails: mailbox.mails().slice(-SHOWN.mails).map(withoutHtml),
			};
		},
	};
}

/** What its buttons do. */
export function consoleActions(facts: () => StackFacts | null): ConsoleActions {
	const act = async (path: string, method: string, body: object | null = null) => {
		const stack = facts();
		if (stack === null) return { status: 503, body: { title: 'The stack is still starting.' } };
		return ask(stack, path, method, body);
	};
	return {
		'hang-up': (id) => act(`/calls/${encodeURIComponent(id)}/cancel`, 'POST'),
		'mark-handled': (id) => act(`/callback-leads/${encodeURIComponent(id)}`, 'PATCH', { status: 'handled' }),
	};
}
