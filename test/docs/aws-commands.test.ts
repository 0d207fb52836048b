import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { awsCommandsOf } from '../support/aws-commands.ts';
import { says, startScripted } from '../support/scripted-server.ts';

// Checks every AWS CLI command that a page names. The CLI has to know the command and its options, the parameters have to fit
// AWS's own description of the service, and the CLI has to send a request. No request reaches AWS.

const run = promisify(execFile);
const hasAws = await run('aws', ['--version']).then(
	() => true,
	() => false,
);
const commands = [...new Set(globSync(['*.md', 'docs/**/*.md']).flatMap(awsCommandsOf))];
/**
 * Commands that the test does not run. `aws configure` sends no request. The page names `aws s3 rb --force` without the name of
 * a bucket.
 */
const NOT_RUN = /^aws (configure |s3 rb --force$)/;

/** Fills in values for the page's placeholders. */
const filled = (command: string): string =>
	command
		.replaceAll(/<[^>]+>/g, 'placeholder')
		.replace(/ > [\w.-]+$/, '')
		.replaceAll(/\b(TOPIC|[A-Z]+_ARN)\b/g, 'arn:aws:service:eu-central-1:111122223333:resource:1')
		.replace('file://versions.json', '\'{"Objects":[{"Key":"cdk.json"}]}\'');

/** The CLI's error message if it sends no request; empty if it sends one. */
async function complaint(command: string): Promise<string> {
	const service = await startScripted(says(400, '<Error/>'));
	const env = {
		PATH: process.env['PATH'],
		HOME: process.env['HOME'],
		AWS_ENDPOINT_URL: service.url,
		AWS_REGION: 'eu-central-1',
		AWS_DEFAULT_REGION: 'eu-central-1',
		AWS_ACCESS_KEY_ID: 'id',
		AWS_SECRET_ACCESS_KEY: 'key',
		AWS_MAX_ATTEMPTS: '1',
		AWS_CONFIG_FILE: '/dev/null',
		AWS_EC2_METADATA_DISABLED: 'true',
		TABLE: 'table',
	};
	const said = await run('sh', ['-c', filled(command)], { env }).then(
		() => 'it ended without a request',
		(error: unknown) => String(error),
	);
	await service.stop();
	return service.asked.length > 0 ? '' : `${command}: ${said}`;
}

it('the test finds the commands of the AWS CLI on the pages', () => {
	expect(commands.length).toBeGreaterThan(40);
	expect(commands).toContain('aws sns create-topic --name call-back-alarms');
});

(hasAws ? it : it.skip)('the commands of the AWS CLI are valid', async () => {
	const waiting = commands.filter((command) => !NOT_RUN.test(command));
	const complaints: string[] = [];
	async function next(): Promise<void> {
		for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) {
			complaints.push(await complaint(command));
		}
	}
	await Promise.all([next(), next()]);
	expect(complaints.filter((each) => each !== '')).toEqual([]);
});
