import type { Stack } from '../../../local/stack.ts';
import type { OpsDeps } from '../../../ops/connect.ts';
import { started } from '../started.ts';
import { operatorOf } from '../webhooks/customers.ts';
import { testStack } from './stack.ts';

/** A stack for a test file: started before its tests, stopped after them. */
export function suiteStack(...options: Parameters<typeof testStack>): Stack {
	return started(
		() => testStack(...options),
		(stack) => stack.stop(),
	);
}

/** The same with its operator. */
export function operatedStack(): { readonly stack: Stack; readonly ops: OpsDeps } {
	const stack = suiteStack();
	return {
		stack,
		ops: started(
			() => operatorOf(stack),
			() => undefined,
		),
	};
}
