import { readFileSync } from 'node:fs';
import type * as z from 'zod/mini';
import { OperatorError } from '../operator-error.ts';

/**
 * Reads a JSON file and checks it with the schema. If the file cannot be read or is not valid, throws an `OperatorError`
 * with the hint.
 */
export function readJsonFile<S extends z.ZodMiniType>(file: string, schema: S, hint: string): z.infer<S> {
	try {
		return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		throw new OperatorError(`${file} cannot be read: ${hint}`);
	}
}
