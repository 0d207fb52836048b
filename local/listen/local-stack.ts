import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { OperatorError } from '../../ops/operator-error.ts';
import { callBackClient } from '../../packages/client/client.ts';
import { ApiError, NoAnswerError } from '../../packages/client/errors.ts';

/** The content of the file about the stack, which `npm start` writes. */
const StackFile = z.object({ base_url: z.string(), api_key: z.string(), listen_url: z.string() });

export type LocalStack = {
	readonly state_dir: string;
	readonly listen_url: string;
	readonly client: ReturnType<typeof callBackClient>;
};

/**
 * A client of the stack's API, as a customer uses it. Without an API key, the client works on the demo workspace. With a
 * key, the client works on the workspace of that key.
 */
export function localStack(state_dir: string, apiKey: string | undefined): LocalStack {
	const { base_url, listen_url, ...facts } = StackFile.parse(JSON.parse(stackFile(state_dir)));
	return { state_dir, listen_url, client: callBackClient({ base_url, api_key: apiKey ?? facts.api_key }) };
}

function stackFile(stateDir: string): string {
	const file = join(stateDir, 'stack.json');
	try {
		return readFileSync(file, 'utf8');
	} catch {
		throw new OperatorError(`${file} cannot be read: start the stack first (npm start).`);
	}
}

/**
 * Waits for a response of the API. If the API refuses the request or does not answer, throws an `OperatorError` that says
 * why.
 */
export async function responseOf<T>(response: Promise<T>): Promise<T> {
	try {
		return await response;
	} catch (error) {
		if (error instanceof NoAnswerError) {
			throw new OperatorError('The stack does not answer. Is it running (npm start)?');
		}
		if (error instanceof ApiError) throw new OperatorError(`The API refused: ${error.message} (${error.code})`);
		throw error;
	}
}

/** The endpoints with the address at which `npm run listen` receives webhooks. */
export async function endpointsHere({ client, listen_url }: LocalStack) {
	const endpoints = await responseOf(client.webhookEndpoints.list());
	return endpoints.filter(({ url }) => new URL(url).origin === listen_url);
}
