import { afterAll, beforeAll } from '@jest/globals';
import type { Stack } from '../../../local/stack.ts';
import type { OpsDeps } from '../../../ops/connect.ts';
import { operatorOf } from '../webhooks/customers.ts';
import { testStack } from './stack.ts';

/** A stack for a test file and its operator: started before its tests, stopped after them. */
export function operatedStack(take: (stack: Stack, ops: OpsDeps) => unknown): void {
	let stop = async (): Promise<void> => undefined;
	beforeAll(async () => {
		const stack = await testStack();
		stop = () => stack.stop();
		await take(stack, await operatorOf(stack));
	});
	afterAll(() => stop());
}
