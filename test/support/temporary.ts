import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory. A container may give it only 64 MB. */
export const MEMORY = '/dev/shm';
const FREE_BYTES = 2 * 2 ** 30;

function parent(): string {
	if (!existsSync(MEMORY)) return tmpdir();
	const { bavail, bsize } = statfsSync(MEMORY);
	if (bavail * bsize < FREE_BYTES) return tmpdir();
	// `npm test` removes the folder of its run, even if a test could not.
	return join(MEMORY, process.env['TEST_RUN'] ?? '');
}

/**
 * A new directory for the state of a stand-in or a stack, in memory where there is enough. dynoxide waits for the disk at
 * every write, which takes as long as the write.
 */
export const temporaryDirectory = (prefix: string): string => mkdtempSync(join(parent(), prefix));
