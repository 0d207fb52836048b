import { existsSync, readFileSync } from 'node:fs';

/**
 * Reads a file with a JSON object on each line, oldest first, and returns at most the last `most` objects. If there is no
 * file, the result is empty. A line that is cut off is skipped, because the process that wrote it was killed before it could
 * confirm the line. A line that is not an object with the member `having` is also skipped.
 */
export function readJsonLines<T extends object>(
	file: string | null,
	having: keyof T & string,
	most = Number.POSITIVE_INFINITY,
): T[] {
	if (file === null || !existsSync(file)) return [];
	const lines = readFileSync(file, 'utf8').split('\n');
	return lines
		.filter((line) => line !== '')
		.slice(-most)
		.flatMap((line) => {
			try {
				const thing: T | null = JSON.parse(line);
				return typeof thing === 'object' && thing !== null && having in thing ? [thing] : [];
			} catch {
				return [];
			}
		});
}
