import { existsSync, renameSync, writeFileSync } from 'node:fs';

/** The name under which a file is written before it takes its place. A kill may leave it. */
export const UNFINISHED = '.new';

/** Writes a file that only its owner can read, so that a kill or a full disk leaves the old content or all of the new. */
export function writeWhole(file: string, content: string | Buffer): void {
	writeFileSync(`${file}${UNFINISHED}`, content, { mode: 0o600 });
	renameSync(`${file}${UNFINISHED}`, file);
}

/** Writes the file unless it exists. */
export function writeOnce(file: string, make: () => string | Buffer): void {
	if (!existsSync(file)) writeWhole(file, make());
}
