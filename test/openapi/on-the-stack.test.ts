import { expect, it } from '@jest/globals';
import { overStack } from '../hostile/over-http.ts';
import { reportOf, run } from '../hostile/run.ts';
import { SEED } from '../support/jest/seed.ts';
import { document } from '../support/openapi-document.ts';
import { hasEachCase } from '../support/spread-of.ts';
import { call } from '../support/stack/api.ts';
import { suiteStack } from '../support/stack/suite-stack.ts';

// hostile/in-process sends many more requests to the same functions.
const HOSTILE_REQUESTS = hasEachCase ? 300 : 100;

const stack = suiteStack();

it('the running stack serves the API document', async () => {
	expect((await call(stack.base_url, '/openapi.json')).json).toEqual(document);
});

it('the running stack answers hostile requests as the contract documents, never with a 500', async () => {
	const target = await overStack(stack);
	const outcome = await run(target, { requests: HOSTILE_REQUESTS, seed: SEED });
	await target.stop();
	expect(reportOf(outcome)).toBe('');
});
