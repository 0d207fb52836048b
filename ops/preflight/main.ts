import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as z from 'zod/mini';
import { parseJson } from '../../shared/adapters/telephony/provider-http.ts';
import { awsAccount } from './aws.ts';
import { type Parameters, preflight } from './checks.ts';

// npm run preflight -- [--parameters NAME=VALUE]... Asks whether a deployment with these parameters will work.
// npm run deploy runs it with `--deploy` first, and hands its other arguments on to `cdk deploy`.

const OUTPUTS_FILE = 'deployment.json';
const Outputs = z.record(z.string(), z.record(z.string(), z.string()));
const CDK = ['node_modules/aws-cdk/bin/cdk', 'deploy', '--outputs-file', OUTPUTS_FILE];

/** The parameters in the arguments, and those that the last deployment keeps, which its outputs show. */
function parametersIn(args: readonly string[]): Parameters {
	const { values } = parseArgs({
		args: [...args],
		options: { parameters: { type: 'string', multiple: true } },
		strict: false,
	});
	const storedOutputs = existsSync(OUTPUTS_FILE)
		? Outputs.safeParse(parseJson(readFileSync(OUTPUTS_FILE, 'utf8'))).data
		: {};
	const pairs = (values.parameters ?? []).map((pair): [string, string] => {
		const [name = '', ...value] = String(pair).split('=');
		return [name.replace(/^CallBack:/, ''), value.join('=')];
	});
	return { ...storedOutputs?.['CallBack'], ...Object.fromEntries(pairs) };
}

const args = process.argv.slice(2);
const findings = await preflight(awsAccount(), parametersIn(args));
for (const { check, result, found } of findings) console.log(`${result.padEnd(9)}${check}: ${found}`);
if (findings.some(({ result }) => result === 'failed')) {
	console.error('The deployment, or its first call, would fail.');
	process.exitCode = 1;
} else if (args.includes('--deploy')) {
	const rest = args.filter((arg) => arg !== '--deploy');
	process.exitCode = spawnSync(process.execPath, [...CDK, ...rest], { stdio: 'inherit' }).status ?? 1;
}
