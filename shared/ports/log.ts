import type { LogFields } from './log-redaction.ts';

/** One line of JSON for each fact. */
export type Log = {
	info(fact: string, fields: LogFields): void;
	warn(fact: string, fields: LogFields): void;
	error(fact: string, fields: LogFields): void;
	/** An invocation begins: all lines until the next one get these fields. A process handles one at a time. */
	begins?(fields: LogFields): void;
};
