import { appendFileSync, renameSync, writeFileSync } from 'node:fs';

/**
 * Stores items as lines of JSON; the last line of an item is its latest version. A process that is killed at any moment
 * loses no written line.
 */
export type Journal<T> = {
	/** Returns when the operating system has the line. */
	write(thing: T): void;
};

const LINES_BEFORE_TIDYING = 20_000;

/** Starts with a new file of the current items, and compacts it after many lines. Null: no file. */
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
