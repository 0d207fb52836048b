import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { release } from './release.ts';

// `npm run release -- <version> [--dry-run]` makes a release of the commit that is checked out, and prints the tag to type.
// docs/releases.md describes releases.

function read(args: readonly string[]) {
	try {
		const options = { 'dry-run': { type: 'boolean', default: false } } as const;
		const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
		const [version, ...more] = positionals;
		return version === undefined || more.length > 0 ? null : { version, isRehearsal: values['dry-run'] };
	} catch {
		return null;
	}
}

const asked = read(process.argv.slice(2));
if (asked === null) {
	console.error('usage: npm run release -- <version> [--dry-run]');
	process.exitCode = 2;
} else {
	// Ctrl-C ends only the program that this process runs at the moment. This process then removes the second checkout and
	// ends.
	process.on('SIGINT', () => {});
	const result = release({
		...asked,
		root: join(import.meta.dirname, '../..'),
		day: new Date().toISOString().slice(0, 10),
		run: (folder, program, ...args) => spawnSync(program, args, { cwd: folder, stdio: 'inherit' }).status === 0,
		say: (line) => console.log(line),
	});
	if (result.outcome === 'refused') {
		console.error(`not released: ${result.because}`);
		process.exitCode = 1;
	} else if (result.outcome === 'rehearsed') console.log('dry run: nothing was changed');
	else console.log(`Push the branch. When CI has passed on it, tag the release:\n\n  ${result.tag}\n  git push --tags`);
}
