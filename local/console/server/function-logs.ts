import { closeSync, existsSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LogLine } from '../page/wire.ts';

/** How many bytes of each log are read at the start (`FIRST_BYTES`), and how many lines are kept (`KEPT`). */
const FIRST_BYTES = 16 * 1024;
const KEPT = 1000;

function parsed(line: string): { readonly at: string; readonly level: string; readonly text: string } {
	try {
		const { timestamp, level, fact, operation: _operation, ...fields }: Record<string, unknown> = JSON.parse(line);
		const rest = Object.entries(fields).map(
			([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
		);
		// Earlier versions wrote lines without a time. Such a line is shown without a time.
		const at = typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp)) ? timestamp : '';
		return { at, level: String(level), text: [String(fact), ...rest].join(' ') };
	} catch {
		return { at: '', level: 'INFO', text: line };
	}
}

/**
 * Follows the logs of all functions in `folder`. Each call of `after` reads the lines that were added since the previous call of
 * `after`.
 */
export function followLogs(folder: string) {
	const positions = new Map<string, number>();
	let newestLines: LogLine[] = [];
	let sequence = 0;

	function newLines(file: string): readonly string[] {
		const size = statSync(file).size;
		const position = positions.get(file);
		const from = position ?? Math.max(0, size - FIRST_BYTES);
		if (size <= from) return [];
		const bytes = Buffer.alloc(size - from);
		const handle = openSync(file, 'r');
		readSync(handle, bytes, 0, bytes.length, from);
		closeSync(handle);
		const end = bytes.lastIndexOf('\n') + 1;
		positions.set(file, from + end);
		const lines = bytes
			.subarray(0, end)
			.toString('utf8')
			.split('\n')
			.filter((line) => line !== '');
		// The first line may be incomplete, because reading began in the middle of the file.
		return position === undefined && from > 0 ? lines.slice(1) : lines;
	}

	return {
		/** Returns the lines after the line with this number, oldest first. */
		after(last: number): readonly LogLine[] {
			const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.log')) : [];
			const fresh = files
				.flatMap((name) =>
					newLines(join(folder, name)).map((line) => ({ ...parsed(line), function: name.replace('.log', '') })),
				)
				.sort((a, b) => a.at.localeCompare(b.at))
				.map((line) => ({ sequence: ++sequence, ...line }));
			newestLines = [...newestLines, ...fresh].slice(-KEPT);
			return newestLines.filter((line) => line.sequence > last);
		},
	};
}
