import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { cachedBuild } from '../../infra/bundle/build-cache.ts';
import { buildCdkPackage } from './cdk.ts';
import { buildClient } from './client.ts';
import { writeManifest } from './package-files.ts';
import { buildWidgetPackage } from './widget.ts';

const root = resolve(import.meta.dirname, '../..');

/** The commit that is packed. Empty if this is not a git clone. */
function commit(): string {
	try {
		return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
	} catch {
		return '';
	}
}

/** Builds the code and the types of the packages, which do not depend on the commit. */
async function buildPackages(directory: string): Promise<void> {
	// The folder is outside of node_modules, because the generator of declarations treats every source in node_modules as a
	// library.
	const stage = mkdtempSync(join(tmpdir(), 'packages-'));
	await Promise.all([
		buildClient(join(directory, 'client'), stage),
		buildWidgetPackage(join(directory, 'widget')),
		buildCdkPackage(join(directory, 'cdk')),
	]);
	rmSync(stage, { recursive: true });
}

/** Builds the packages below `folder`, and returns the paths of their tarballs. */
export async function pack(folder: string): Promise<Readonly<Record<'client' | 'widget' | 'cdk', string>>> {
	const target = resolve(folder);
	rmSync(target, { recursive: true, force: true });
	const packed = commit();
	const contents = { client: join(target, 'client'), widget: join(target, 'widget'), cdk: join(target, 'cdk') };
	const also = ['{packages,tools/packages}/**/*'];
	cpSync(await cachedBuild({ name: 'packages', make: buildPackages, also }), target, { recursive: true });
	for (const [name, content] of Object.entries(contents)) writeManifest(join(root, 'packages', name), content, packed);
	const tarball = (name: keyof typeof contents) => {
		const output = execFileSync('npm', ['pack', '--json', '--pack-destination', target], {
			cwd: contents[name],
			encoding: 'utf8',
		});
		const [package_file] = z.array(z.object({ filename: z.string() })).parse(JSON.parse(output));
		return join(target, package_file?.filename ?? '');
	};
	return { client: tarball('client'), widget: tarball('widget'), cdk: tarball('cdk') };
}

if (import.meta.main) {
	for (const tarball of Object.values(await pack(join(root, 'dist/packages')))) process.stdout.write(`${tarball}\n`);
}
