import { writeSync } from 'node:fs';

/** The parent's task. */
export function task<T>(): T {
	const given: T = JSON.parse(process.argv[2] ?? '{}');
	return given;
}

/** The result, on the descriptor that the parent reads; then the process ends. */
export function report(result: object): never {
	const text = Buffer.from(JSON.stringify(result));
	for (let at = 0; at < text.length; ) at += writeSync(3, text, at);
	process.exit(0);
}
