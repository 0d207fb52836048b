import { existsSync, renameSync, writeFileSync } from 'node:fs';

/** The suffix of a file while it is written. A kill may leave such a file. */
export const UNFINISHED = '.new';

/**
 * Writes a file that only its owner can read. After a kill or on a full disk, it has either the old content or the whole new
 * one.
 */
export function writeWhole(file: string, content: string | Buffer): void {
	writeFileSync(`${file}${UNFINISHED}`, content, { mode: 0o600 });
	renameSync(`${file}${UNFINISHED}`, file);
}

/** Writes the file unless it exists. */
export function writeOnce(file: string, make: () => string | Buffer): void {
	if (!existsSync(file)) writeWhole(file, make());
}
