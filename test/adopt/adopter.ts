import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pack } from '../../tools/packages/pack.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');
const Manifest = { private: true, type: 'module' };

/** The app of an adopter: two stages in one region, with tags and a domain. */
export const APP = readFileSync(join(import.meta.dirname, 'app.ts.txt'), 'utf8');
export const STAGES = ['calls-staging', 'calls-production'] as const;

/** The versions of the repository, which its lockfile has. */
const versionOf = (name: string): string => {
	const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));
	return `${name}@${version}`;
};

/**
 * Makes an adopter's project in an empty folder: the packed tarball, the CDK and TypeScript from the registry, and the app.
 * Null if the registry does not answer.
 */
export async function adopterIn(folder: string) {
	const project = join(folder, 'project');
	mkdirSync(project, { recursive: true });
	const { cdk } = await pack(join(folder, 'packages'));
	writeFileSync(join(project, 'package.json'), JSON.stringify(Manifest));
	const packages = ['aws-cdk-lib', 'constructs', 'typescript', '@types/node'].map(versionOf);
	const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--no-save', '--ignore-scripts'];
	const isInstalled = await run('npm', ['install', ...flags, cdk, ...packages], { cwd: project }).then(
		() => true,
		() => false,
	);
	if (!isInstalled) return null;
	writeFileSync(join(project, 'app.ts'), APP);

	return {
		project,
		/** What `tsc --strict` prints about a file, with the declarations of every package checked. */
		async typeErrors(file = 'app.ts'): Promise<string> {
			const settings = ['--strict', '--skipLibCheck', 'false', '--noEmit'];
			const modules = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
			const tsc = join(project, 'node_modules/typescript/bin/tsc');
			const checked = run(process.execPath, [tsc, ...settings, ...modules, file], { cwd: project });
			return (await checked.catch((error: { stdout: string }) => error)).stdout;
		},
		/** Synthesises the app as `cdk synth` does; the folder of the result. Throws with what the app printed. */
		async synth(file = 'app.ts'): Promise<string> {
			const CDK_OUTDIR = join(project, 'cdk.out');
			const env = { ...process.env, CDK_OUTDIR, JSII_SILENCE_WARNING_UNTESTED_NODE_VERSION: '1' };
			await run(process.execPath, [file], { cwd: project, env });
			return CDK_OUTDIR;
		},
	};
}
