import type { ConsoleRoutes } from './console-server.ts';
import type { Inbox } from './inbox.ts';
import type { Mailbox } from './mailbox.ts';
import type { PhoneNetwork } from './phone-network/start.ts';
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

/** What the API lists at `path`, as a server of the demo workspace sees it. */
async function listed(facts: StackFacts | null, path: string): Promise<unknown> {
	if (facts === null) return { data: [] };
	const headers = { authorization: `Bearer ${facts.api_key}` };
	const response = await fetch(`${facts.base_url}${path}`, { headers, signal: AbortSignal.timeout(5000) });
	return response.json();
}

/** The JSON that the console's pages show. */
export function consoleRoutes({ inbox, inbox_name, phones, mailbox, facts }: Sources): ConsoleRoutes {
	return {
		stack: facts,
		phones: () => phones.log(),
		inbox: (name) => inbox.received(name || inbox_name),
		mailbox: () => mailbox.mails(),
		calls: () => listed(facts(), '/calls?limit=25'),
		leads: () => listed(facts(), '/callback-leads?limit=25'),
	};
}
