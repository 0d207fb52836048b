import type { Log } from '../ports/log.ts';
import { type LogFields, logFields } from '../ports/log-redaction.ts';

/**
 * The types of the log's fields. The types are also enforced at run time: a field that is not in this list, or has another
 * type, is left out.
 */
const typeOf = new Map<string, 'string' | 'number'>(Object.entries(logFields));

/** The longest value, in characters: enough for a stack trace, and longer than any identifier. */
const LONGEST = 2000;

const writeOut = (line: string) => void process.stdout.write(line);

type Level = 'INFO' | 'WARN' | 'ERROR';

/**
 * Writes one line of JSON for each fact to the standard output. Lambda passes these lines on unchanged and filters by
 * `level` and `timestamp`. Lambda treats a line without these fields as INFO ("Log-level filtering"). Every line includes
 * `context` and the fields that were passed to the latest `begins`.
 */
export function jsonLog(context: LogFields, write: (line: string) => void = writeOut): Log {
	const always = permittedFields(context);
	let ofInvocation: Record<string, string | number> = {};
	const line = (level: Level, fact: string, fields: LogFields): void => {
		const head = { timestamp: new Date().toISOString(), level, fact };
		write(`${JSON.stringify({ ...head, ...always, ...ofInvocation, ...permittedFields(fields) })}\n`);
	};
	return {
		info: (fact, fields) => line('INFO', fact, fields),
		warn: (fact, fields) => line('WARN', fact, fields),
		error: (fact, fields) => line('ERROR', fact, fields),
		begins: (fields) => {
			ofInvocation = permittedFields(fields);
		},
	};
}

/** At most `LONGEST` characters. A text that was cut ends in an ellipsis. */
const shortened = (text: string): string =>
	(text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text).toWellFormed();

function permittedFields(fields: LogFields): Record<string, string | number> {
	const fieldsToWrite: Record<string, string | number> = {};
	for (const [name, value] of Object.entries<unknown>(fields)) {
		const type = typeOf.get(name);
		if (type === 'string' && typeof value === 'string') fieldsToWrite[name] = shortened(value);
		if (type === 'number' && typeof value === 'number') fieldsToWrite[name] = value;
	}
	return fieldsToWrite;
}
