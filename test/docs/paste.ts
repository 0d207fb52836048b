import { blocksOf } from '../support/fenced-blocks.ts';
import { commandsOf, terminal } from './run-shell.ts';

// node test/docs/paste.ts FILE HEADING: runs the commands of one section of a document, as a reader would paste them.

const [file = '', heading = ''] = process.argv.slice(2);
const commands = blocksOf(file)
	.filter((block) => block.heading === heading && block.language === 'sh')
	.flatMap(commandsOf);
if (commands.length === 0) throw new Error(`${file} has no commands under "${heading}"`);
const { paste } = terminal(process.cwd());
for (const command of commands) console.log(`$ ${command}\n${await paste(command)}`);
