import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listen } from '../listen.ts';

const run = promisify(execFile);
const VERSION = '1.2.1';
/** The platforms of the published dynoxide packages, apart from the platform whose package is in our lockfile. */
const PUBLISHED = ['darwin-arm64', 'darwin-x64', 'linux-arm64'] as const;

/** A package like the published ones: one program, and the platform in its package.json. */
async function packed(machine: string, folder: string, program: string): Promise<Buffer> {
	const [os, cpu] = machine.split('-');
	const home = join(folder, machine, 'package');
	mkdirSync(home, { recursive: true });
	const about = { name: `@dynoxide/${machine}`, version: VERSION, os: [os], cpu: [cpu] };
	writeFileSync(join(home, 'package.json'), JSON.stringify(about));
	copyFileSync(program, join(home, 'dynoxide'));
	const file = join(folder, `${machine}.tgz`);
	await run('tar', ['-czf', file, '-C', join(folder, machine), 'package']);
	return readFileSync(file);
}

/**
 * An npm registry on this machine. It has only the packages of dynoxide (DynamoDB's stand-in), and each of them contains
 * `program`, whatever its platform.
 */
export async function startStandInRegistry(folder: string, program: string) {
	const tarballs = new Map<string, Buffer>();
	for (const machine of PUBLISHED) tarballs.set(machine, await packed(machine, folder, program));
	const asked: string[] = [];
	const promise: { integrity: string | null } = { integrity: null };
	const registry = await listen(
		createServer((request, response): unknown => {
			const path = decodeURIComponent(request.url ?? '');
			asked.push(path);
			const machine = PUBLISHED.find((each) => path.startsWith(`/@dynoxide/${each}`));
			const tarball = machine && tarballs.get(machine);
			if (!tarball) return response.writeHead(404).end('{}');
			if (path.endsWith('.tgz')) return response.end(tarball);
			const sha512 = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
			const name = `@dynoxide/${machine}`;
			const address = `${registry.origin}/${name}/-/${machine}.tgz`;
			const dist = { tarball: address, integrity: promise.integrity ?? sha512 };
			const [os, cpu] = machine.split('-');
			const version = { name, version: VERSION, dist, os: [os], cpu: [cpu] };
			response.setHeader('content-type', 'application/json');
			return response.end(JSON.stringify({ name, 'dist-tags': { latest: VERSION }, versions: { [VERSION]: version } }));
		}),
	);
	return {
		...registry,
		/** The paths that clients requested. */
		asked,
		/** The integrity hash that the registry reports for each package. Null to report the correct hash. */
		promise,
		/** The environment variables that make npm use this registry, and install packages for other platforms. */
		environment: (cache: string, address = registry.origin) => ({
			npm_config_registry: address,
			npm_config_cache: join(cache, 'npm'),
			npm_config_fetch_retries: '0',
			npm_config_force: 'true',
		}),
	};
}
export const OTHER_CONTENT = `sha512-${createHash('sha512').update('other').digest('base64')}`;
