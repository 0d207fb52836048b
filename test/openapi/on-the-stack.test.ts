import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Stack } from '../../local/stack.ts';
import { overStack } from '../hostile/over-http.ts';
import { run, told } from '../hostile/run.ts';
import { SEED } from '../support/jest/seed.ts';
import { document } from '../support/openapi-document.ts';
import { call } from '../support/stack/api.ts';
import { testStack } from '../support/stack/stack.ts';

const HOSTILE_REQUESTS = 300;

let stack: Stack;
beforeAll(async () => {
	stack = await testStack();
});
afterAll(() => stack.stop());

it('the running stack serves the document itself', async () => {
	expect((await call(stack.base_url, '/openapi.json')).json).toEqual(document);
});

it('the running stack answers hostile requests as the contract documents, never with a 500', async () => {
	const target = await overStack(stack);
	const outcome = await run(target, { requests: HOSTILE_REQUESTS, seed: SEED });
	await target.stop();
	expect(told(outcome)).toBe('');
});
