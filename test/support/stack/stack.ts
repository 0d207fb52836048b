import { rmSync } from 'node:fs';
import type { StackOptions } from '../../../local/options.ts';
import type { Stack, StackSeams } from '../../../local/stack.ts';
import { importOnce } from '../import-once.ts';
import { temporaryDirectory } from '../temporary.ts';

type StackModule = typeof import('../../../local/stack.ts');
const STACK_MODULE = new URL('../../../local/stack.ts', import.meta.url).href;

export const STACK_OPTIONS: Omit<StackOptions, 'state_dir'> = {
	port: 0,
	speed: 20,
	retry_schedule: '0,1,2',
	allow_webhook_hosts: [],
	trust: null,
	fresh: false,
};

/** A whole stack of its own for a test file: free ports, its state in a directory that goes with it. */
export async function testStack(options: Partial<StackOptions> = {}, seams: StackSeams = {}): Promise<Stack> {
	const { state_dir = temporaryDirectory('call-back-') } = options;
	const { startStack } = await importOnce<StackModule>(STACK_MODULE);
	const stack = await startStack({ ...STACK_OPTIONS, ...options, state_dir }, seams);
	return {
		...stack,
		async stop() {
			await stack.stop();
			rmSync(state_dir, { recursive: true, force: true });
		},
	};
}
