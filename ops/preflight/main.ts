import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DEPLOYMENT_FILE, readDeployment } from '../../infra/deployment.ts';
import { PropertiesError } from '../../infra/properties.ts';
import { resolveAwsAccount } from '../aws-environment.ts';
import { ok } from '../finding.ts';
import { OperatorError } from '../operator-error.ts';
import { commandLine, runProgram } from '../run-program.ts';
import { isOfPackage, typed } from '../typed.ts';
import { readAppStack } from './app-stack.ts';
import { awsAccount } from './aws.ts';
import { preflight } from './checks.ts';
import { type Place, type Plan, planOfFile } from './plan.ts';
import { planOfStack } from './plan-of-stack.ts';

// Asks whether a deployment is possible and will work. It reads the deployment from a synthesised app or from
// deployment.config.json. `npm run deploy` runs this program with `--deploy`. If nothing has failed, this program runs `cdk
// deploy` in the same account, with all other arguments.

const CDK = ['node_modules/aws-cdk/bin/cdk', 'deploy', '--outputs-file', 'deployment.json'];
const APP = 'cdk.out';

type Options = {
	readonly profile?: string | undefined;
	readonly app?: string | undefined;
	readonly stack?: string | undefined;
};

function ownOptions(): Options {
	return commandLine(typed('preflight'))
		.description('Asks AWS and the phone provider whether a deployment will work. Only reads.')
		.option('--app <directory>', `the app that cdk synth wrote${isOfPackage() ? ` (default: ${APP})` : ''}`)
		.option('--stack <name>', 'the stack of the app, if several have the service')
		.option('--profile <name>', 'the profile of the AWS CLI with its credentials and region')
		.addHelpText(
			'after',
			`\nWithout ${isOfPackage() ? APP : '--app'} it reads ${DEPLOYMENT_FILE}; DEPLOYMENT_CONFIG names another file.`,
		)
		.parse()
		.opts();
}

/**
 * The options of `npm run deploy` that this program uses itself: only `--profile`. All options are passed on to `cdk deploy`.
 */
function optionsOfDeploy(args: readonly string[]): Options {
	const { values } = parseArgs({ args: [...args], options: { profile: { type: 'string' } }, strict: false });
	return typeof values.profile === 'string' ? { profile: values.profile } : {};
}

/**
 * What describes the deployment: the file, or a synthesised app. `region`: the region that it names, or null. `plan`: the
 * deployment's plan in an account and a region. `what`: a description for people.
 */
type Source = { readonly region: string | null; readonly plan: (place: Place) => Plan; readonly what: string };

function sourceOf({ app, stack }: Options): Source {
	const isFile =
		process.env['DEPLOYMENT_CONFIG'] !== undefined ||
		!isOfPackage() ||
		(existsSync(DEPLOYMENT_FILE) && !existsSync(APP));
	if (app === undefined && stack === undefined && isFile) return sourceOfFile();
	const directory = app ?? APP;
	const found = readAppStack(directory, stack);
	const at = `${new Date(found.at_ms).toISOString().slice(0, 16)}Z`;
	return {
		region: found.region,
		plan: (place) => planOfStack(found, place),
		what: `${found.path} of ${directory}, synthesised ${at}`,
	};
}

function sourceOfFile(): Source {
	try {
		const deployment = readDeployment();
		return { region: null, plan: () => planOfFile(deployment), what: deployment.stackName };
	} catch (error) {
		throw error instanceof PropertiesError ? new OperatorError(error.message) : error;
	}
}

await runProgram(async () => {
	const args = process.argv.slice(2);
	const isDeploying = args.includes('--deploy');
	const options = isDeploying ? optionsOfDeploy(args) : ownOptions();
	const { region, plan, what } = sourceOf(options);
	await resolveAwsAccount(options.profile);
	// The CDK deploys a stack to the region that the app names, even if the credentials have another region. So the checks ask
	// AWS in the app's region.
	if (region !== null) process.env['AWS_REGION'] = region;
	const findings = [ok('stack', what), ...(await preflight(awsAccount(), plan))];
	for (const { check, result, found } of findings) console.log(`${result.padEnd(9)}${check}: ${found}`);
	if (findings.some(({ result }) => result === 'failed')) {
		throw new OperatorError('The deployment, or its first call, would fail.');
	}
	if (!isDeploying) return;
	const rest = args.filter((arg) => arg !== '--deploy');
	process.exitCode = spawnSync(process.execPath, [...CDK, ...rest], { stdio: 'inherit' }).status ?? 1;
});
