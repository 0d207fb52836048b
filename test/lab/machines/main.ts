import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { OTHER_CONTENT, startStandInRegistry } from '../../support/aws/stand-in-registry.ts';
import { npmStart, startStackProcess } from '../../support/stack/stack-process.ts';

// `npm run lab -- machines` checks that a new clone starts with two commands and passes tests of the table on every platform. The
// processes believe that they run on the platform, and a local npm registry has the table's stand-in for that platform. If the
// registry lacks this stand-in, the clone must say why it cannot start.

const root = join(import.meta.dirname, '../../..');
const require = createRequire(import.meta.url);

/** Node.js options that make the stack's process, and npm in it, believe that they run on another machine. */
const pretend = (machine: string): string => {
	const [platform, arch] = machine.split('-');
	const code = `Object.defineProperty(process, 'platform', { value: '${platform}' });
		Object.defineProperty(process, 'arch', { value: '${arch}' });`;
	return `--import=data:text/javascript,${encodeURIComponent(code)}`;
};

function clone(folder: string): boolean {
	const git = spawnSync('git', ['clone', '--quiet', root, folder], { stdio: 'inherit' });
	if (git.status !== 0) return false;
	const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' });
	return npm.status === 0;
}

/** Tests of the stand-ins, and of a whole stack in its own process. */
const STACK_TESTS = [
	'test/conformance/store',
	'test/conformance/queues',
	'test/local/aws/platform',
	'test/local/stack.test',
];

const folder = mkdtempSync(join(tmpdir(), 'machines-'));
const checkout = join(folder, 'clone');
const registry = await startStandInRegistry(folder, require.resolve('@dynoxide/linux-x64/dynoxide'));
const wrong: string[] = [];
let states = 0;

const environmentOf = (machine: string, address?: string) => ({
	...registry.environment(join(folder, 'cache'), address),
	NODE_OPTIONS: pretend(machine),
	// esbuild and jest's resolver need programs for the real machine.
	ESBUILD_BINARY_PATH: join(checkout, 'node_modules/@esbuild/linux-x64/bin/esbuild'),
	NAPI_RS_NATIVE_LIBRARY_PATH: join(
		checkout,
		'node_modules/@unrs/resolver-binding-linux-x64-gnu/resolver.linux-x64-gnu.node',
	),
});

/**
 * Starts the clone as if on that machine. Returns the status of its first response and what it printed, or the reason why it does
 * not start.
 */
async function start(machine: string, address?: string): Promise<string> {
	const stateDir = join(folder, `state-${++states}`);
	const environment = environmentOf(machine, address);
	try {
		const program = { ...npmStart(checkout), node: join(checkout, 'node_modules/.bin/node') };
		const stack = await startStackProcess(stateDir, ['--port', '0', '--speed', '20'], environment, program);
		const { status } = await fetch(stack.demo_url);
		await stack.stop();
		return `${status} ${stack.printed()}`;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** Runs tests of the clone as if on that machine. First removes what the clone has installed. */
async function test(machine: string, address?: string): Promise<string> {
	rmSync(join(checkout, 'node_modules/.cache/call-back'), { recursive: true, force: true });
	const env = { ...process.env, ...environmentOf(machine, address) };
	const child = spawn('npm', ['test', '--', ...STACK_TESTS], { cwd: checkout, env });
	// These calls must not block, because the registry runs in this process.
	const [stdout, stderr, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
	return `${status} ${stdout}${stderr}`;
}

function check(what: string, answer: string, expected: RegExp): void {
	const holds = expected.test(answer);
	console.log(`${holds ? 'ok    ' : 'FAILED'}  ${what}${holds ? '' : `: ${answer}`}`);
	if (!holds) wrong.push(what);
}

try {
	if (clone(checkout)) {
		check('linux-x64, also in WSL: npm ci && npm start', await start('linux-x64'), /^200 [\s\S]*The stack is up/);
		// Removes the packages that npm would not install on another machine.
		rmSync(join(checkout, 'node_modules/@dynoxide'), { recursive: true });
		const two = /Two other ways[\s\S]*AWS_ENDPOINT_URL_DYNAMODB/.source;
		const refused = (reason: string) =>
			new RegExp(`ended with 1[\\s\\S]*cannot be installed: ${reason}[\\s\\S]*${two}`);
		check(
			'no network: npm test',
			await test('darwin-arm64', 'http://127.0.0.1:9'),
			/^1 [\s\S]*the registry cannot be reached/,
		);
		check('no network', await start('darwin-arm64', 'http://127.0.0.1:9'), refused('the registry cannot be reached'));
		check('no such package', await start('freebsd-x64'), refused('the registry has no such package'));
		registry.promise.integrity = OTHER_CONTENT;
		check('other content', await start('darwin-x64'), refused('its content is not what the registry promises'));
		registry.promise.integrity = null;
		for (const machine of ['darwin-arm64', 'darwin-x64', 'linux-arm64']) {
			const said = `Installing the table's stand-in for this machine: @dynoxide/${machine}@`;
			check(
				`${machine}: npm ci && npm start`,
				await start(machine),
				new RegExp(`^200 [\\s\\S]*${said}[\\s\\S]*The stack is up`),
			);
			check(`${machine}: npm ci && npm test`, await test(machine), new RegExp(`^0 [\\s\\S]*${said}`));
		}
		check('win32-x64', await start('win32-x64'), /ended with 1[\s\S]*on Windows, run it in WSL/);
	} else console.log('skipped');
} finally {
	await registry.close();
	rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
if (wrong.length > 0) process.exitCode = 1;
