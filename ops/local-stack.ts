import { join } from 'node:path';
import * as z from 'zod/mini';
import { callBackClient } from '../client/client.ts';
import { ApiError, NoAnswerError } from '../client/errors.ts';
import { readJson } from './input/read-json.ts';
import { OperatorError } from './operator-error.ts';

/** What `npm start` writes of the stack of this machine. */
const StackFile = z.object({ base_url: z.string(), api_key: z.string(), listen_url: z.string() });

/** The stack of this machine as a customer sees it: of the demo workspace, or with another's API key. */
export function localStack(state_dir: string, api_key: string | undefined) {
	const facts = readJson(join(state_dir, 'stack.json'), StackFile, 'start the stack first (npm start)');
	const { base_url, listen_url } = facts;
	return { state_dir, listen_url, client: callBackClient({ base_url, api_key: api_key ?? facts.api_key }) };
}
export type LocalStack = ReturnType<typeof localStack>;

/** Asks the API; an `OperatorError` says what it refused, or that it does not answer. */
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
