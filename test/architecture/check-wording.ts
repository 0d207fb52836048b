import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// Phrases that hide who does what. cspell flags single words (in package.json); these are longer. `npm run check` runs both.

const root = join(import.meta.dirname, '../..');
const PHRASES: readonly (readonly [phrase: RegExp, better: string])[] = [
	[/\bso often\b/i, 'say how many times, or at which interval'],
	[/\b(?:is|are|be|was|were) told of\b/i, 'subscribes to, learns of, gets a message about'],
	[/\bspeaks? of\b/i, 'names, describes, is about'],
	[/\bleave to\b/i, 'permission to'],
	[/\b(?:begin|start)s? anew\b/i, 'starts over'],
	[
		/(?:^|[.:;*/] )(?:Was|Were|Had|Should) (?:it|that|this|the|one|another|they)\b(?![^.]*\?)/,
		'start the condition with "if"',
	],
	[/\bhears? of\b/i, 'receives, is notified of, gets'],
	[/\bwork(?:s|ed|ing)? off\b/i, 'processes, consumes'],
	[/\bunless (?:told|asked)\b/i, 'by default'],
	[/\b(?:after|for|in|within) so (?:many|long)\b/i, 'name the number or the duration'],
	[/\bin vain\b/i, 'without effect'],
	[/\bas ever\b/i, 'as usual, still'],
	[/^[<>]{7} /, 'resolve the conflict'],
];
/** This list itself. */
const SELF = 'test/architecture/check-wording.ts';

/** `file:line: phrase` for every forbidden phrase in the tracked sources and documents. */
function found(): readonly string[] {
	const tracked = execFileSync('git', ['ls-files', '*.ts', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
	return tracked
		.filter((file) => file !== SELF)
		.flatMap((file) =>
			readFileSync(join(root, file), 'utf8')
				.split('\n')
				.flatMap((line, index) =>
					PHRASES.filter(([phrase]) => phrase.test(line)).map(([phrase, better]) => {
						return `${file}:${index + 1}: "${phrase.exec(line)?.[0]}": ${better}`;
					}),
				),
		);
}

const problems = found();
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
