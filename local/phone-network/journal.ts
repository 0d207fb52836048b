import { appendFileSync } from 'node:fs';
import { writeWhole } from '../write-whole.ts';

/** Lines of JSON; the last line of an item is its latest version. A killed process loses no written line. */
export type Journal<T> = {
	/** Returns when the operating system has the line. */
	write(thing: T): void;
};

/** Replaces the file by these items, without their earlier versions. Null: no file. */
export function openJournal<T>(file: string | null, current: Iterable<T>): Journal<T> {
	if (file === null) return { write: () => undefined };
	writeWhole(file, [...current].map((thing) => `${JSON.stringify(thing)}\n`).join(''));
	return { write: (thing) => appendFileSync(file, `${JSON.stringify(thing)}\n`) };
}
