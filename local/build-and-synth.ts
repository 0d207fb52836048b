import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stop as stopEsbuild } from 'esbuild';
import { cachedBuild } from '../infra/bundle/build-cache.ts';
import { bundle } from '../infra/bundle/functions.ts';
import { OperatorError } from '../ops/operator-error.ts';
import { ownerOnly } from './owner-only.ts';
import type { Template } from './template.ts';

const root = resolve(import.meta.dirname, '..');
/**
 * The variables for the synthesis. `CDK_VALIDATION` switches off the comparison of the template with AWS's schemas, which would
 * take two thirds of the synthesis. `npm run synth` makes that comparison.
 */
const SYNTH = { DEPLOYMENT_CONFIG: join(import.meta.dirname, 'deployment.config.json'), CDK_VALIDATION: 'false' };

/**
 * Bundles every function for the local stack, and synthesises the CDK app with these bundles. So the local stack runs what a
 * deployment would run. If the cache has the result for the same sources, that result is used. Each stack gets a copy of
 * `cdk.out`.
 * `code` is a folder for compiled code, which all stacks of this build share. `onStep` is called when a step begins.
 */
export async function buildAndSynth(
	stateDir: string,
	onStep: (text: string) => void = () => undefined,
): Promise<{ readonly template: Template; readonly assets: string; readonly code: string }> {
	const build = await stackBuild(onStep);
	const assets = join(stateDir, 'cdk.out');
	rmSync(assets, { recursive: true, force: true });
	cpSync(join(build, 'cdk.out'), assets, { recursive: true });
	// A copy has the permissions of its original, so set the permissions of the copy here.
	ownerOnly(assets);
	const template: Template = JSON.parse(readFileSync(join(assets, 'CallBack.template.json'), 'utf8'));
	return { template, assets, code: join(build, 'code') };
}

/** Builds `functions`, which are bundled for the local stack, and `cdk.out`. Returns the directory that contains both. */
export const stackBuild = (onStep: (text: string) => void = () => undefined): Promise<string> =>
	cachedBuild({ name: 'stack', make: (directory) => bundleAndSynth(directory, onStep) });

async function bundleAndSynth(directory: string, onStep: (text: string) => void): Promise<void> {
	const functions = join(directory, 'functions');
	const assets = join(directory, 'cdk.out');
	mkdirSync(join(directory, 'code'));
	onStep('Bundling the functions and the widget');
	try {
		await bundle({ outdir: functions, local: true });
	} catch (error) {
		throw new OperatorError(
			`The functions could not be bundled:\n${error instanceof Error ? error.message : String(error)}`,
		);
	} finally {
		// If esbuild were not stopped, its process would keep 1 GB of memory for as long as the stack runs.
		await stopEsbuild();
	}
	onStep('Making the template with the CDK');
	const synth = spawn(process.execPath, [join(root, 'infra/app.ts')], {
		cwd: root,
		env: { ...process.env, ...SYNTH, BUNDLES: functions, CDK_OUTDIR: assets },
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	let output = '';
	synth.stderr.on('data', (chunk: Buffer) => {
		output += chunk.toString('utf8');
	});
	const [code] = await once(synth, 'exit');
	if (code !== 0) throw new OperatorError(`The CDK app could not be synthesised:\n${output}`);
	// Lambda loads a bundle that has no package.json as CommonJS. Without this file, the bundle would be an ES module here,
	// because the project's package.json says so.
	writeFileSync(join(assets, 'package.json'), '{ "type": "commonjs" }\n');
}
