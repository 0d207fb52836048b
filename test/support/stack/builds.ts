import { join } from 'node:path';
import { cachedBuild } from '../../../infra/bundle/build-cache.ts';
import { bundle } from '../../../infra/bundle/functions.ts';

/**
 * Returns the directory with the deployable bundles of the functions. The build's metafile is next to the directory. The
 * bundles are built once, and no test may change them.
 */
export async function deployedBundles(): Promise<string> {
	const make = async (directory: string) => {
		await bundle({ outdir: join(directory, 'functions'), local: false });
	};
	return join(await cachedBuild({ name: 'deployed', make }), 'functions');
}
