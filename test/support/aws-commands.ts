import { readFileSync } from 'node:fs';

const FENCED = /^( *)```sh\n(.*?)^\1```$/gms;
const INLINE = /`(aws [^`]+)`/g;

/** The lines of a block from each `aws` on, until its quotation marks are closed; without comments. */
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

/** Every command of the AWS CLI on a page, as a reader would paste it: in blocks, also those of lists, and within a line. */
export function awsCommandsOf(file: string): readonly string[] {
	const page = readFileSync(file, 'utf8');
	const blocks = [...page.matchAll(FENCED)].flatMap(([, , block = '']) => commandsIn(block));
	const inline = [...page.matchAll(INLINE)].map(([, command = '']) => command.replaceAll(/\s+/g, ' '));
	return [...new Set([...blocks, ...inline])];
}
