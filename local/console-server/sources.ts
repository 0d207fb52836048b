import type { OpsDeps } from '../../ops/connect.ts';
import type { Mailbox } from '../aws/mailbox.ts';
import type { PhoneNetwork } from '../phone-network/start.ts';
import type { followLogs } from './function-logs.ts';
import type { Inbox } from './inbox.ts';
import type { StackFacts } from './stack-facts.ts';

/** What the console's routes show. */
export type Sources = {
	readonly inbox: Inbox;
	/** The default inbox. */
	readonly inbox_name: string;
	readonly phones: PhoneNetwork;
	readonly mailbox: Mailbox;
	readonly logs: ReturnType<typeof followLogs>;
	/** Null until the stack has started. */
	running(): Running | null;
};

/** A running stack: its facts, and the operator's use cases. */
export type Running = { readonly facts: StackFacts; readonly deps: OpsDeps };
