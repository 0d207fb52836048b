import { existsSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux's file system in memory. In a container it may have only 64 MB. */
export const MEMORY = '/dev/shm';
const FREE_BYTES = 2 * 2 ** 30;

function parent(): string {
	if (!existsSync(MEMORY)) return tmpdir();
	const { bavail, bsize } = statfsSync(MEMORY);
	if (bavail * bsize < FREE_BYTES) return tmpdir();
	// The directory is below the run's own folder, which `npm test` removes even if a test could not clean up.
	return join(MEMORY, process.env['TEST_RUN'] ?? '');
}

/**
 * Creates a directory for the state of a stand-in or a stack, in memory if there is enough. On a disk, dynoxide waits for the
 * disk at every write, which doubles the time of a write.
 */
export const temporaryDirectory = (prefix: string): string => mkdtempSync(join(parent(), prefix));
