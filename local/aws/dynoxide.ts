import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { OperatorError } from '../../ops/operator-error.ts';

/** package.json has the same version of the package for Linux x64. */
const VERSION = '1.2.1';
/** The cache is below node_modules, so that `npm ci` removes the cache. */
const CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/call-back');

export type Machine = { readonly platform: string; readonly arch: string };

const OTHER_WAYS = `Two other ways, on any machine with Java or a network:
  DynamoDB Local: start it, and set AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000
  any other DynamoDB endpoint in AWS_ENDPOINT_URL_DYNAMODB`;

/** Why npm could not install the package: one of the usual reasons, or the first line of npm's output. */
function reasonIn(stderr: string): string {
	if (/\bEINTEGRITY\b/.test(stderr)) return 'its content is not what the registry promises (EINTEGRITY)';
	if (/\b(E404|ETARGET)\b/.test(stderr)) return 'the registry has no such package';
	if (/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b/.test(stderr))
		return 'the registry cannot be reached';
	return stderr.split('\n').find((line) => line.trim() !== '') ?? 'npm gave no reason';
}

/**
 * Installs the package into a temporary folder and then moves that folder to `place`. If two processes do this at the same
 * time, the folder of the process that finishes first is used.
 */
function install(name: string, place: string): void {
	const folder = dirname(place);
	process.stderr.write(`Installing the table's stand-in for this machine: ${name}@${VERSION} ...\n`);
	mkdirSync(folder, { recursive: true });
	const draft = mkdtempSync(join(folder, 'dynoxide-'));
	try {
		// The log level is set here because npm may be configured to print nothing, and the reason of a failure is read from
		// npm's output.
		const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=1', '--loglevel=error'];
		const args = ['install', `${name}@${VERSION}`, '--prefix', draft, ...flags];
		const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8', cwd: draft });
		if (status !== 0 || !existsSync(join(draft, 'node_modules', name, 'dynoxide'))) {
			const reason = status === 0 ? 'it has no program' : reasonIn(stderr ?? '');
			throw new OperatorError(`${name}@${VERSION} cannot be installed: ${reason}.\n${OTHER_WAYS}`);
		}
		if (!existsSync(place)) renameSync(draft, place);
	} finally {
		rmSync(draft, { recursive: true, force: true });
	}
}

/** Refuses Windows, because it has no `sh` and no sockets in files. */
export function refuseWindows(platform: string): void {
	if (platform === 'win32') throw new OperatorError('The stack needs a Unix shell: on Windows, run it in WSL.');
}

/**
 * Returns the program that stands in for DynamoDB. On Linux x64, `npm ci` has installed this program. On other machines,
 * this function installs the program once, from the registry that npm uses. On Windows, this function throws.
 */
export function dynoxideProgram({ platform, arch }: Machine = process, cache = CACHE): string {
	const name = `@dynoxide/${platform}-${arch}`;
	try {
		return createRequire(import.meta.url).resolve(`${name}/dynoxide`);
	} catch {
		refuseWindows(platform);
		const place = join(cache, `dynoxide-${VERSION}-${platform}-${arch}`);
		if (!existsSync(place)) install(name, place);
		return join(place, 'node_modules', name, 'dynoxide');
	}
}
