import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../..');

/** A fenced block of the documentation that names its language. */
export type FencedBlock = {
	/** Path from the repository's root. */
	readonly file: string;
	readonly line: number;
	/** The nearest heading above the block, of any level. Empty if there is none. */
	readonly heading: string;
	readonly language: string;
	readonly text: string;
};

/** Where a block is: `file:line`. */
export const place = ({ file, line }: FencedBlock): string => `${file}:${line}`;

/** The blocks of one document, in reading order. */
export function blocksOf(file: string): readonly FencedBlock[] {
	const text = readFileSync(join(repository, file), 'utf8');
	return [...text.matchAll(/^```(\w+)[^\n]*\n(.*?)^```$/gms)].map((found) => {
		const [, language = '', body = ''] = found;
		const above = text.slice(0, found.index);
		const heading = [...above.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '';
		return { file, line: above.split('\n').length, heading, language, text: body };
	});
}

/** Every block of the README, CONTRIBUTING.md and docs/. */
export function documentedBlocks(): readonly FencedBlock[] {
	return ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: repository }).sort()].flatMap(blocksOf);
}
