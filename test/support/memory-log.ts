import type { Log } from '../../shared/ports/log.ts';
import type { LogFields } from '../../shared/ports/log-redaction.ts';

/** A log that keeps its lines for a test to read. */
export function memoryLog() {
	const lines: ({ readonly fact: string } & LogFields)[] = [];
	const write = (fact: string, fields: LogFields): void => void lines.push({ fact, ...fields });
	const log: Log = { info: write, warn: write, error: write };
	return { log, lines };
}
