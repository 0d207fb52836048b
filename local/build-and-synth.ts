import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundle } from '../build/bundle.ts';
import { keptBuild } from '../build/kept-build.ts';
import { LocalError } from './local-error.ts';
import { ownerOnly } from './owner-only.ts';
import type { Template } from './template.ts';

const root = resolve(import.meta.dirname, '..');

/**
 * Bundles every function for this machine and synthesises the CDK app over them, unless that was done for the same
 * sources before: what is deployed is what runs here. Each stack gets its own copy of the result.
 */
export async function buildAndSynth(
	state_dir: string,
): Promise<{ readonly template: Template; readonly assets: string }> {
	const build = await stackBuild();
	const assets = join(state_dir, 'cdk.out');
	rmSync(assets, { recursive: true, force: true });
	cpSync(join(build, 'cdk.out'), assets, { recursive: true });
	// A copy has the mode of what it was made of.
	ownerOnly(assets);
	const template: Template = JSON.parse(readFileSync(join(assets, 'CallBack.template.json'), 'utf8'));
	return { template, assets };
}

/** `functions`, bundled for one machine, and `cdk.out` over them. */
export const stackBuild = (): Promise<string> => keptBuild({ name: 'stack', make: bundleAndSynth });

async function bundleAndSynth(directory: string): Promise<void> {
	const functions = join(directory, 'functions');
	const assets = join(directory, 'cdk.out');
	try {
		await bundle({ outdir: functions, local: true });
	} catch (error) {
		throw new LocalError(
			`The functions could not be bundled:\n${error instanceof Error ? error.message : String(error)}`,
		);
	}
	const synth = spawn(process.execPath, [join(root, 'infra/app.ts')], {
		cwd: root,
		// Two thirds of the time would go to holding the template against AWS's schemas, which `npm run synth` does.
		env: { ...process.env, BUNDLES: functions, CDK_OUTDIR: assets, CDK_VALIDATION: 'false' },
		stdio: ['ignore', 'ignore', 'pipe'],
	});
	let said = '';
	synth.stderr.on('data', (chunk: Buffer) => {
		said += chunk.toString('utf8');
	});
	const [code] = await once(synth, 'exit');
	if (code !== 0) throw new LocalError(`The CDK app could not be synthesised:\n${said}`);
	// Lambda reads a bundle without a package.json as CommonJS; here the project's own would make it an ES module.
	writeFileSync(join(assets, 'package.json'), '{ "type": "commonjs" }\n');
}
