import type * as z from 'zod/mini';
import { parseBody } from '../../shared/http/request.ts';
import { OperatorError } from '../operator-error.ts';

/** What the API's schema makes of options; a mistake is said in the API's words. */
export function checked<S extends z.ZodMiniType>(schema: S, options: unknown): z.infer<S> {
	const outcome = parseBody(schema, options);
	if ('value' in outcome) return outcome.value;
	const { detail, extra } = outcome.problem;
	throw new OperatorError([detail, ...(extra ? [JSON.stringify(extra['errors'])] : [])].join(' '));
}
