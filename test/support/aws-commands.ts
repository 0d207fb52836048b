import { readFileSync } from 'node:fs';

const FENCED = /^( *)```sh\n(.*?)^\1```$/gms;
const INLINE = /`(aws [^`]+)`/g;

/**
 * The AWS CLI commands of a block, without comments. A command ends at the first line end where its quotation marks are closed.
 */
function commandsIn(block: string): readonly string[] {
	const commands: string[] = [];
	let open = '';
	for (const line of block.replaceAll(/\\\n */g, '').split('\n')) {
		const text = line.replace(/\s#\s.*$/, '').trim();
		if (open === '' && !text.startsWith('aws ')) continue;
		open = open === '' ? text : `${open} ${text}`;
		if ((open.match(/'/g) ?? []).length % 2 === 1) continue;
		commands.push(open);
		open = '';
	}
	return commands;
}

/**
 * Every AWS CLI command on a page, as a reader would paste it. Commands occur in code blocks, in code blocks inside lists, and in
 * code within a sentence.
 */
export function awsCommandsOf(file: string): readonly string[] {
	const page = readFileSync(file, 'utf8');
	const blocks = [...page.matchAll(FENCED)].flatMap(([, , block = '']) => commandsIn(block));
	const inline = [...page.matchAll(INLINE)].map(([, command = '']) => command.replaceAll(/\s+/g, ' '));
	return [...new Set([...blocks, ...inline])];
}
