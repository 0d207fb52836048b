import { existsSync, renameSync, writeFileSync } from 'node:fs';

/**
 * The ending of a file's name while the file is being written. If the process is killed, a file with this ending may remain.
 */
export const UNFINISHED = '.new';

/**
 * Writes a file that only its owner can read. If the process is killed or the disk is full, the file has either its old
 * content or the whole new content.
 */
export function writeWhole(file: string, content: string | Buffer): void {
	writeFileSync(`${file}${UNFINISHED}`, content, { mode: 0o600 });
	renameSync(`${file}${UNFINISHED}`, file);
}

/** Writes the file, but only if it does not exist yet. */
export function writeOnce(file: string, make: () => string | Buffer): void {
	if (!existsSync(file)) writeWhole(file, make());
}
