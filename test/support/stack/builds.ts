import { join } from 'node:path';
import { cachedBuild } from '../../../infra/bundle/build-cache.ts';
import { bundle } from '../../../infra/bundle/functions.ts';

/**
 * The directory with the deployable bundles of the functions. The metafile is next to it. The bundles are built once, and no test
 * may change them.
 */
export async function deployedBundles(): Promise<string> {
	const make = async (directory: string) => {
		await bundle({ outdir: join(directory, 'functions'), local: false });
	};
	return join(await cachedBuild({ name: 'deployed', make }), 'functions');
}
