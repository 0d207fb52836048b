import { rmSync } from 'node:fs';
import type { StackOptions } from '../../../local/options.ts';
import { type Stack, type StackOverrides, startStack } from '../../../local/stack.ts';
import { temporaryDirectory } from '../temporary.ts';

export const STACK_OPTIONS: Omit<StackOptions, 'state_dir'> = {
	port: 0,
	speed: 20,
	retry_schedule: '0,1,2',
	allow_webhook_hosts: [],
	trust: null,
	inspect: null,
	fresh: false,
};

/** A whole stack for one test file: it uses free ports, and keeps its state in a directory that is deleted at the end. */
export async function testStack(options: Partial<StackOptions> = {}, overrides: StackOverrides = {}): Promise<Stack> {
	const { state_dir = temporaryDirectory('call-back-') } = options;
	const stack = await startStack({ ...STACK_OPTIONS, ...options, state_dir }, overrides);
	return {
		...stack,
		async stop() {
			await stack.stop();
			rmSync(state_dir, { recursive: true, force: true });
		},
	};
}
