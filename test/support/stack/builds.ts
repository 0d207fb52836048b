import { join } from 'node:path';
import { cachedBuild } from '../../../infra/bundle/build-cache.ts';
import { bundle } from '../../../infra/bundle/functions.ts';

/** The directory of the functions' bundles as they are deployed, its metafile beside it. Built once; nobody changes it. */
export async function deployedBundles(): Promise<string> {
	const make = async (directory: string) => {
		await bundle({ outdir: join(directory, 'functions'), local: false });
	};
	return join(await cachedBuild({ name: 'deployed', make }), 'functions');
}
