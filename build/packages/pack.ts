import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { buildClient } from './client.ts';
import { writeManifest } from './package-files.ts';
import { buildWidgetPackage } from './widget.ts';

const root = resolve(import.meta.dirname, '../..');

/** The packed commit; empty if this is not a git clone. */
function commit(): string {
	try {
		return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
	} catch {
		return '';
	}
}

/** Builds both packages below `folder` and returns the paths of their tarballs. */
export async function pack(folder: string): Promise<{ readonly client: string; readonly widget: string }> {
	const target = resolve(folder);
	rmSync(target, { recursive: true, force: true });
	const { version } = z
		.object({ version: z.string() })
		.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
	const release = { version, commit: commit() };
	const contents = { client: join(target, 'client'), widget: join(target, 'widget') };
	writeManifest(join(root, 'packages/client'), contents.client, release);
	writeManifest(join(root, 'packages/widget'), contents.widget, release);
	await Promise.all([buildClient(contents.client, join(target, 'stage')), buildWidgetPackage(contents.widget)]);
	const tarball = (name: keyof typeof contents) => {
		const printed = execFileSync('npm', ['pack', '--json', '--pack-destination', target], {
			cwd: contents[name],
			encoding: 'utf8',
		});
		const [packed] = z.array(z.object({ filename: z.string() })).parse(JSON.parse(printed));
		return join(target, packed?.filename ?? '');
	};
	return { client: tarball('client'), widget: tarball('widget') };
}

if (import.meta.main) {
	for (const tarball of Object.values(await pack(join(root, 'dist/packages')))) process.stdout.write(`${tarball}\n`);
}
