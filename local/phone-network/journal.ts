import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Things as lines of JSON, the latest version of each last. A process killed at any moment loses no line it wrote. */
export type Journal<T> = {
	/** Returns only when the line is with the operating system. */
	write(thing: T): void;
};

const LINES_BEFORE_TIDYING = 20_000;

/** What the file holds, oldest first; a line cut off by a crash is skipped. The caller is the only one who writes it. */
export function readJournal<T>(file: string | null): T[] {
	if (file === null || !existsSync(file)) return [];
	const things: T[] = [];
	for (const line of readFileSync(file, 'utf8').split('\n')) {
		if (line === '') continue;
		try {
			things.push(JSON.parse(line));
		} catch {
			// The process ended while it wrote this line: whoever waited for it has not been answered.
		}
	}
	return things;
}

/** Begins with a fresh file of what is current, and again after many lines. Null: kept nowhere. */
export function openJournal<T>(file: string | null, current: () => Iterable<T>): Journal<T> {
	if (file === null) return { write: () => undefined };
	let lines = 0;
	const tidy = (): void => {
		const text = [...current()].map((thing) => `${JSON.stringify(thing)}\n`).join('');
		writeFileSync(`${file}.new`, text);
		renameSync(`${file}.new`, file);
		lines = 0;
	};
	tidy();
	return {
		write(thing) {
			appendFileSync(file, `${JSON.stringify(thing)}\n`);
			lines += 1;
			if (lines >= LINES_BEFORE_TIDYING) tidy();
		},
	};
}
