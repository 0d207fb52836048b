import type { LogFields } from './log-redaction.ts';

/** Writes one line of JSON for each fact. */
export type Log = {
	info(fact: string, fields: LogFields): void;
	warn(fact: string, fields: LogFields): void;
	error(fact: string, fields: LogFields): void;
	/**
	 * Called when an invocation begins. All lines have these fields until `begins` is called again. A process handles one
	 * invocation at a time.
	 */
	begins?(fields: LogFields): void;
};
