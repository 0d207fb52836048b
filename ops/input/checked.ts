import type * as z from 'zod/mini';
import { parseBody } from '../../shared/http/edge/request.ts';
import { OperatorError } from '../operator-error.ts';

/** Checks options with the API's schema, so that mistakes are reported in the words of the API. */
export function checked<S extends z.ZodMiniType>(schema: S, options: unknown): z.infer<S> {
	const outcome = parseBody(schema, options);
	if ('value' in outcome) return outcome.value;
	const { detail, extra } = outcome.problem;
	throw new OperatorError([detail, ...(extra ? [JSON.stringify(extra['errors'])] : [])].join(' '));
}
