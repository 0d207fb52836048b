import type { Log } from '../../../shared/ports/log.ts';
import type { LogFields } from '../../../shared/ports/log-redaction.ts';
import { currentProcess, onStage } from './stage.ts';

/** Errors that the world itself causes. */
const INJECTED = new Set(['StoreBusy', 'VaultBusy', 'Died', 'IdempotencyConflict']);

/**
 * A log that passes every line to the world. The world looks in it for forbidden values, and for errors that it did not cause.
 */
export function hearLog(operation: string): Log {
	const hear = (fact: string, fields: LogFields): void => {
		const stage = onStage();
		const process = currentProcess();
		if (process?.dead === true) return;
		stage.outputs.push(`${operation} ${fact} ${JSON.stringify({ ...fields, stack: undefined })}`);
		const { error } = fields;
		if (typeof error === 'string' && !INJECTED.has(error))
			stage.broken('no error but the injected ones', `${operation}: ${fact}: ${error} ${fields.stack ?? ''}`);
	};
	return { info: hear, warn: hear, error: hear };
}
