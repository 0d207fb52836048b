import { appendFileSync } from 'node:fs';
import { writeWhole } from '../write-whole.ts';

/**
 * A file with a JSON object on each line. An item may have several lines. The last line of an item is the item's newest
 * version. If the process is killed, no written line is lost.
 */
export type Journal<T> = {
	/** Returns when the operating system has received the line. */
	write(thing: T): void;
};

/**
 * Opens the file. First, the items in `current` replace its content, so that earlier versions of these items are gone. If
 * `file` is null, nothing is written.
 */
export function openJournal<T>(file: string | null, current: Iterable<T>): Journal<T> {
	if (file === null) return { write: () => undefined };
	writeWhole(file, [...current].map((thing) => `${JSON.stringify(thing)}\n`).join(''));
	return { write: (thing) => appendFileSync(file, `${JSON.stringify(thing)}\n`) };
}
