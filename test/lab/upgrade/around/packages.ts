import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Release } from './release.ts';

/** The packages of a release, as customers have them. */
export type Packages = {
	/** The client's module. */
	readonly client: string;
};

/** Packs the packages of a release by its own `npm run pack`; null if what it takes cannot be fetched. */
export function packagesOf({ folder }: Release): Packages | null {
	const client = join(folder, 'dist/packages/client/index.js');
	if (!existsSync(client)) spawnSync('npm', ['run', 'pack'], { cwd: folder, stdio: 'ignore' });
	return existsSync(client) ? { client } : null;
}
