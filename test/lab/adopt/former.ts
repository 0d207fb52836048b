import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { say } from '../trial/run.ts';
import { prepareRelease } from '../upgrade/around/release.ts';
import { adopterIn } from './adopter.ts';

const APP = readFileSync(join(import.meta.dirname, 'former-app.ts.txt'), 'utf8');

/**
 * Synthesises the adopter's app with the package of the newest release. Returns the folder. If that release cannot be built here,
 * prints the reason and returns null.
 */
export async function formerApp(directory: string): Promise<string | null> {
	const preparation = prepareRelease(undefined);
	if ('missing' in preparation) {
		say(`skipped: the update of a stack of the last release: ${preparation.missing}`);
		return null;
	}
	const { name, folder } = preparation.release;
	const node = join(folder, 'node_modules/.bin/node');
	const { stdout } = await promisify(execFile)(node, ['tools/packages/pack.ts'], { cwd: folder });
	const tarball = stdout.trim().split('\n').at(-1);
	const adopter = await adopterIn(join(directory, 'former'), { tarball, app: APP });
	if (adopter === null) throw new Error('the registry of npm does not answer');
	say(`the package of ${name} is installed`);
	return adopter.synth();
}
