import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { installTools } from '../install.ts';

// `node tools/docs-site/site.ts` builds the documentation as a site in dist/docs, with VitePress.

/** The port on which `npm run docs` serves the site. The console looks for the site there. */
export const DOCS_PORT = 3004;

/** Builds the site into a folder. Returns false if VitePress cannot be installed. Throws if a page cannot be built. */
export async function buildSite(site: string): Promise<boolean> {
	if (!installTools('docs-site')) return false;
	const vitepress = join(import.meta.dirname, 'node_modules/vitepress/bin/vitepress.js');
	const env = { ...process.env, DOCS_SITE: site };
	const build = spawn(process.execPath, [vitepress, 'build', import.meta.dirname], { env, stdio: 'inherit' });
	const [status] = await once(build, 'exit');
	if (status !== 0) throw new Error(`vitepress build ended with ${status}`);
	return true;
}

if (import.meta.main && !(await buildSite(join(import.meta.dirname, '../../dist/docs')))) process.exitCode = 1;
