import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pack } from '../../../tools/packages/pack.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');
const Manifest = { private: true, type: 'module' };

/** The adopter's app: two stages in one region, with a domain and a tag. The run destroys the first stage at its end. */
export const APP = readFileSync(join(import.meta.dirname, 'app.ts.txt'), 'utf8');
export const STAGES = ['calls-staging', 'calls-production'] as const;

/** The version of a package that is installed in this repository. */
const versionOf = (name: string): string => {
	const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
	return version;
};

const PEERS = ['aws-cdk-lib', 'constructs'];
const { peerDependencies } = JSON.parse(readFileSync(join(root, 'packages/cdk/package.json'), 'utf8'));
/**
 * `lowest`: the oldest versions that the package permits. `newest`: the versions in this repository, which are the newest ones
 * with which the package was tested.
 */
export const peers = {
	lowest: PEERS.map((name) => `${name}@${String(peerDependencies[name]).replace(/^\^/, '')}`),
	newest: PEERS.map((name) => `${name}@${versionOf(name)}`),
} as const;

type AdopterOptions = {
	/** The package of a former version. Without it, today's package is packed. */
	readonly tarball?: string | undefined;
	/** Versions of the CDK's packages. The default is `newest`. */
	readonly cdk?: readonly string[];
	readonly app?: string;
};

/**
 * Makes an adopter's project in an empty folder: with the packed package, the CDK and TypeScript from the registry, and the app.
 * Null if the registry does not respond.
 */
export async function adopterIn(
	folder: string,
	{ tarball, cdk: versions = peers.newest, app = APP }: AdopterOptions = {},
) {
	const project = join(folder, 'project');
	mkdirSync(project, { recursive: true });
	const packed = tarball ?? (await pack(join(folder, 'packages'))).cdk;
	writeFileSync(join(project, 'package.json'), JSON.stringify(Manifest));
	const packages = [...versions, ...['typescript', '@types/node'].map((name) => `${name}@${versionOf(name)}`)];
	const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--no-save', '--ignore-scripts'];
	const isInstalled = await run('npm', ['install', ...flags, packed, ...packages], { cwd: project }).then(
		() => true,
		() => false,
	);
	if (!isInstalled) return null;
	writeFileSync(join(project, 'app.ts'), app);

	return {
		project,
		tarball: packed,
		/**
		 * What `tsc --strict` prints about a file. Unless `skipLibCheck` is true, it also checks the declarations of every package.
		 */
		async typeErrors(file = 'app.ts', skipLibCheck = false): Promise<string> {
			const settings = ['--strict', '--skipLibCheck', String(skipLibCheck), '--noEmit'];
			const modules = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
			const tsc = join(project, 'node_modules/typescript/bin/tsc');
			const checked = run(process.execPath, [tsc, ...settings, ...modules, file], { cwd: project });
			return (await checked.catch((error: { stdout: string }) => error)).stdout;
		},
		/** Synthesises the app as `cdk synth` does, and returns the folder with the result. Throws the app's output if that fails. */
		async synth(file = 'app.ts'): Promise<string> {
			const CDK_OUTDIR = join(project, 'cdk.out');
			const env = { ...process.env, CDK_OUTDIR, JSII_SILENCE_WARNING_UNTESTED_NODE_VERSION: '1' };
			await run(process.execPath, [file], { cwd: project, env });
			return CDK_OUTDIR;
		},
	};
}
