import { createHash } from 'node:crypto';
import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { startStack } from '../../../local/stack.ts';
import { STACK_OPTIONS } from './stack.ts';

/** The hash of a file's content. Empty if this user may not read the file. */
function hashOf(path: string): string {
	try {
		accessSync(path, constants.R_OK);
	} catch {
		return '';
	}
	return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** Every file of a directory, with the hash of its content and the time of its last change. */
function picture(directory: string): readonly string[] {
	return readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => {
		const path = join(entry.parentPath, entry.name);
		const { mtimeMs } = statSync(path);
		const hash = entry.isFile() ? hashOf(path) : '';
		return `${path} ${mtimeMs} ${hash}`;
	});
}

/**
 * Tries to start a stack in this directory. The stack must refuse to start. Returns the refusal. Throws if the start changed
 * any file.
 */
export async function refusal(state_dir: string, fresh = false): Promise<string> {
	const before = picture(state_dir);
	const outcome = await startStack({ ...STACK_OPTIONS, state_dir, fresh }).then(
		(stack) => stack.stop(),
		(error: Error) => `${error.name}: ${error.message}`,
	);
	expect(picture(state_dir)).toEqual(before);
	return String(outcome).replace(/^OperatorError: /, '');
}
