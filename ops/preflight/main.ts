import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { resolveAwsAccount } from '../aws-environment.ts';
import { awsAccount } from './aws.ts';
import { type Parameters, preflight } from './checks.ts';

// npm run preflight -- [--profile NAME] [--parameters NAME=VALUE]... Asks whether a deployment with these will work.
// npm run deploy runs it with `--deploy` first, and hands its other arguments on to `cdk deploy`, in the same account.

const CDK = ['node_modules/aws-cdk/bin/cdk', 'deploy', '--outputs-file', 'deployment.json'];

const args = process.argv.slice(2);
const { values } = parseArgs({
	args,
	options: { parameters: { type: 'string', multiple: true }, profile: { type: 'string' } },
	strict: false,
});
const parameters: Parameters = Object.fromEntries(
	(values.parameters ?? []).map((pair): [string, string] => {
		const [name = '', ...value] = String(pair).split('=');
		return [name.replace(/^CallBack:/, ''), value.join('=')];
	}),
);

await resolveAwsAccount(typeof values.profile === 'string' ? values.profile : undefined);
const findings = await preflight(awsAccount(), parameters);
for (const { check, result, found } of findings) console.log(`${result.padEnd(9)}${check}: ${found}`);
if (findings.some(({ result }) => result === 'failed')) {
	console.error('The deployment, or its first call, would fail.');
	process.exitCode = 1;
} else if (args.includes('--deploy')) {
	const rest = args.filter((arg) => arg !== '--deploy');
	process.exitCode = spawnSync(process.execPath, [...CDK, ...rest], { stdio: 'inherit' }).status ?? 1;
}
