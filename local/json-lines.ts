import { existsSync, readFileSync } from 'node:fs';

/**
 * What a file of JSON lines holds, oldest first, of many the last `most`; nothing without a file. A line that a kill cut
 * off is skipped: its writer got no answer.
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
