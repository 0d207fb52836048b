import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedBuild } from '../../infra/bundle/build-cache.ts';
import { buildWidget, type Manifest } from '../../infra/bundle/widget.ts';

/**
 * Puts the built widget into a folder. The build takes a second, so its result is kept, and the build is repeated only when the
 * sources have changed.
 */
export async function putWidget(folder: string): Promise<Manifest> {
	const build = await cachedBuild({ name: 'widget', make: async (directory) => void buildWidget(directory) });
	cpSync(build, folder, { recursive: true });
	return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
}
