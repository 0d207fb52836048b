import type * as z from 'zod/mini';
import { parseBody } from '../../shared/http/edge/request.ts';
import { OperatorError } from '../operator-error.ts';

/** Parses options with the API's schema, so that a mistake is reported in the API's words. */
export function checked<S extends z.ZodMiniType>(schema: S, options: unknown): z.infer<S> {
	const outcome = parseBody(schema, options);
	if ('value' in outcome) return outcome.value;
	const { detail, extra } = outcome.problem;
	throw new OperatorError([detail, ...(extra ? [JSON.stringify(extra['errors'])] : [])].join(' '));
}
