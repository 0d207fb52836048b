import { join } from 'node:path';
import * as z from 'zod/mini';
import { callBackClient } from '../client/client.ts';
import { ApiError, NoAnswerError } from '../client/errors.ts';
import { readJson } from './input/read-json.ts';
import { OperatorError } from './operator-error.ts';

/** The local stack's file that `npm start` writes. */
const StackFile = z.object({ base_url: z.string(), api_key: z.string(), listen_url: z.string() });

/** The local stack's API for a customer: the demo workspace, or the workspace of another API key. */
export function localStack(state_dir: string, api_key: string | undefined) {
	const facts = readJson(join(state_dir, 'stack.json'), StackFile, 'start the stack first (npm start)');
	const { base_url, listen_url } = facts;
	return { state_dir, listen_url, client: callBackClient({ base_url, api_key: api_key ?? facts.api_key }) };
}
export type LocalStack = ReturnType<typeof localStack>;

/** Calls the API; an `OperatorError` says why it refused, or that it does not answer. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
	try {
		return await answer;
	} catch (error) {
		if (error instanceof NoAnswerError)
			throw new OperatorError('The stack does not answer. Is it running (npm start)?');
		if (error instanceof ApiError) throw new OperatorError(`The API refused: ${error.message} (${error.code})`);
		throw error;
	}
}
