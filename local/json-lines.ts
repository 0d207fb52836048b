import { existsSync, readFileSync } from 'node:fs';

/**
 * Reads a file of JSON lines, oldest first, at most the last `most`; empty if there is no file. Skips a line that a kill
 * cut off: its writer got no confirmation.
 */
export function readJsonLines<T>(file: string | null, most = Number.POSITIVE_INFINITY): T[] {
	if (file === null || !existsSync(file)) return [];
	const lines = readFileSync(file, 'utf8').split('\n');
	return lines
		.filter((line) => line !== '')
		.slice(-most)
		.flatMap((line) => {
			try {
				const thing: T = JSON.parse(line);
				return [thing];
			} catch {
				return [];
			}
		});
}
