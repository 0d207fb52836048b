import { appendFileSync, renameSync, writeFileSync } from 'node:fs';

/** Things as lines of JSON, the latest version of each last. A process killed at any moment loses no line it wrote. */
export type Journal<T> = {
	/** Returns only when the line is with the operating system. */
	write(thing: T): void;
};

const LINES_BEFORE_TIDYING = 20_000;

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
