import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { App, CfnOutput, Stack } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { stackBuild } from '../../../local/build-and-synth.ts';
import type { Template } from '../../../local/template.ts';

const root = resolve(import.meta.dirname, '../../..');

export type Account = { readonly directory: string; readonly env: Readonly<Record<string, string>> };
export type Outputs = Readonly<Record<string, string>>;

/** Runs a program of this repository until it ends. Returns its output, or throws the output if the program fails. */
export async function program(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
	const child = spawn(process.execPath, args, {
		cwd: root,
		env: { ...process.env, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let printed = '';
	let said = '';
	child.stdout.on('data', (chunk: Buffer) => {
		printed += chunk.toString('utf8');
		said += chunk.toString('utf8');
	});
	child.stderr.on('data', (chunk: Buffer) => {
		said += chunk.toString('utf8');
	});
	const [code] = await once(child, 'close');
	if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}:\n${said.slice(-4000)}`);
	return printed;
}

const cdk = (args: readonly string[], env: Account['env']): Promise<string> =>
	program(['node_modules/aws-cdk/bin/cdk', ...args, '--no-notices', '--no-version-reporting'], env);

/** The output of `npm run preflight`. Throws if it ends with exit code 1. */
export const preflight = (DEPLOYMENT_CONFIG: string, { env }: Account): Promise<string> =>
	program(['ops/preflight/main.ts'], { ...env, DEPLOYMENT_CONFIG });

/** Bootstraps the CDK, which is needed once for each account and region. */
export const bootstrap = (app: string, { env }: Account): Promise<string> =>
	cdk(['bootstrap', `aws://000000000000/${env['AWS_REGION']}`, '--app', app], env);

/** Deploys one stack of a synthesised app. Returns its outputs and the file that contains them. */
export async function deployed(app: string, stack: string, { directory, env }: Account) {
	const outputs_file = join(directory, `${stack}.json`);
	const ways = ['--require-approval', 'never', '--outputs-file', outputs_file, '--progress', 'events'];
	await cdk(['deploy', stack, '--app', app, '--output', app, ...ways], env);
	const outputs: Record<string, Outputs> = JSON.parse(readFileSync(outputs_file, 'utf8'));
	return { outputs: outputs[stack] ?? {}, outputs_file };
}

/** Writes the file that says what to deploy. Returns the file's path. */
export function planned(deployment: object, { directory }: Account): string {
	const file = join(directory, 'deployment.config.json');
	writeFileSync(file, JSON.stringify(deployment));
	return file;
}

/**
 * Synthesises the service with the settings in the file `DEPLOYMENT_CONFIG`. It takes the functions' bundles of the local stack,
 * because only these read LOCAL_PATIENCE. With it, the functions wait longer for the emulator on a slow machine.
 */
export async function synthesised(DEPLOYMENT_CONFIG: string, { directory }: Account): Promise<string> {
	const assets = join(directory, 'cdk.out');
	const BUNDLES = join(await stackBuild(), 'functions');
	await program(['infra/app.ts'], { BUNDLES, CDK_OUTDIR: assets, DEPLOYMENT_CONFIG, CDK_VALIDATION: 'false' });
	forEmulator(assets, 'CallBack');
	return assets;
}

/** The emulator refuses a template with a resource of one of these types. */
const UNKNOWN_TYPES = ['AWS::Logs::QueryDefinition'];

/**
 * Adapts a template to differences between the emulator and AWS. It removes resources of types that the emulator does not know.
 * It also adds the permission sqs:SendMessageBatch, which the emulator checks for a batch of messages. This permission does not
 * exist in IAM, because AWS checks sqs:SendMessage.
 */
export function forEmulator(assembly: string, stack: string): void {
	const file = join(assembly, `${stack}.template.json`);
	const text = readFileSync(file, 'utf8').replaceAll(
		'"sqs:SendMessage"',
		'["sqs:SendMessage", "sqs:SendMessageBatch"]',
	);
	const template: Template = JSON.parse(text);
	const known = Object.entries(template.Resources).filter(([, { Type }]) => !UNKNOWN_TYPES.includes(Type));
	writeFileSync(file, JSON.stringify({ ...template, Resources: Object.fromEntries(known) }));
}

/** Destroys one stack of a synthesised app. */
export const destroy = (app: string, stack: string, { env }: Account): Promise<string> =>
	cdk(['destroy', stack, '--force', '--app', app, '--output', app], env);
export const deployService = (app: string, account: Account) => deployed(app, 'CallBack', account);

/** Stores a secret in Secrets Manager, as an operator does by hand. Returns its ARN. */
export async function keepSecret(value: object, account: Account): Promise<string> {
	const outdir = join(account.directory, 'secret.out');
	mkdirSync(outdir, { recursive: true });
	const app = new App({ outdir, analyticsReporting: false });
	const stack = new Stack(app, 'ProviderSecret');
	const secret = new CfnSecret(stack, 'Secret', { secretString: JSON.stringify(value) });
	new CfnOutput(stack, 'Arn', { value: secret.attrId });
	app.synth();
	const { outputs } = await deployed(outdir, 'ProviderSecret', account);
	return outputs['Arn'] ?? '';
}
