import type { Stack } from '../../../local/stack.ts';
import type { OpsDeps } from '../../../ops/connect.ts';
import { started } from '../started.ts';
import { operatorOf } from '../webhooks/customers.ts';
import { testStack } from './stack.ts';

/** A stack for a test file. It starts before the tests and stops after them. */
export function suiteStack(...options: Parameters<typeof testStack>): Stack {
	return started(
		() => testStack(...options),
		(stack) => stack.stop(),
	);
}

/** A stack for a test file, and the dependencies of an operator's commands on this stack. */
export function operatedStack(...options: Parameters<typeof testStack>): {
	readonly stack: Stack;
	readonly ops: OpsDeps;
} {
	const stack = suiteStack(...options);
	return {
		stack,
		ops: started(
			() => operatorOf(stack),
			() => undefined,
		),
	};
}
