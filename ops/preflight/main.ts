import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { type Deployment, readDeployment } from '../../infra/deployment.ts';
import { PropertiesError } from '../../infra/properties.ts';
import { resolveAwsAccount } from '../aws-environment.ts';
import { OperatorError } from '../operator-error.ts';
import { runProgram } from '../run-program.ts';
import { awsAccount } from './aws.ts';
import { preflight } from './checks.ts';

// npm run preflight -- [--profile NAME]: asks whether what deployment.config.json says can be deployed, and will work.
// npm run deploy runs it with `--deploy` first, and hands its other arguments on to `cdk deploy`, in the same account.

const CDK = ['node_modules/aws-cdk/bin/cdk', 'deploy', '--outputs-file', 'deployment.json'];

function planned(): Deployment {
	try {
		return readDeployment();
	} catch (error) {
		throw error instanceof PropertiesError ? new OperatorError(error.message) : error;
	}
}

await runProgram(async () => {
	const args = process.argv.slice(2);
	const { values } = parseArgs({ args, options: { profile: { type: 'string' } }, strict: false });
	const deployment = planned();
	await resolveAwsAccount(typeof values.profile === 'string' ? values.profile : undefined);
	const findings = await preflight(awsAccount(), deployment);
	for (const { check, result, found } of findings) console.log(`${result.padEnd(9)}${check}: ${found}`);
	if (findings.some(({ result }) => result === 'failed')) {
		throw new OperatorError('The deployment, or its first call, would fail.');
	}
	if (!args.includes('--deploy')) return;
	const rest = args.filter((arg) => arg !== '--deploy');
	process.exitCode = spawnSync(process.execPath, [...CDK, ...rest], { stdio: 'inherit' }).status ?? 1;
});
