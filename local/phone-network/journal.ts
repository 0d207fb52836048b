import { appendFileSync } from 'node:fs';
import { writeWhole } from '../write-whole.ts';

/**
 * A file with a JSON object on each line. An item may have several lines; its last one is its latest version. If the
 * process is killed, no written line is lost.
 */
export type Journal<T> = {
	/** Returns when the operating system has received the line. */
	write(thing: T): void;
};

/**
 * Opens the file. First its content is replaced by these items, without their earlier versions. Null: nothing is written.
 */
export function openJournal<T>(file: string | null, current: Iterable<T>): Journal<T> {
	if (file === null) return { write: () => undefined };
	writeWhole(file, [...current].map((thing) => `${JSON.stringify(thing)}\n`).join(''));
	return { write: (thing) => appendFileSync(file, `${JSON.stringify(thing)}\n`) };
}
