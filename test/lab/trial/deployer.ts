import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Account } from './deployment.ts';

const run = promisify(execFile);
const POLICY = 'infra/policies/deploy.json';

type Statement = { readonly Sid: string };

/** The statements of the smallest policy with which a deployment works (docs/deploying-safely.md). */
export const deployStatements = (): readonly Statement[] => JSON.parse(readFileSync(POLICY, 'utf8')).Statement;

/** Runs the AWS CLI and returns what it prints. */
export async function aws(args: readonly string[], { env }: Account) {
	const { stdout } = await run('aws', [...args, '--output', 'json'], { env: { ...process.env, ...env } });
	return stdout === '' ? {} : JSON.parse(stdout);
}

/** The account, as seen by a user who has only these statements. */
export async function asDeployer(name: string, Statement: readonly Statement[], account: Account): Promise<Account> {
	await aws(['iam', 'create-user', '--user-name', name], account);
	const document = JSON.stringify({ Version: '2012-10-17', Statement });
	const ofUser = ['--user-name', name, '--policy-name', 'deploy', '--policy-document', document];
	await aws(['iam', 'put-user-policy', ...ofUser], account);
	const { AccessKey } = await aws(['iam', 'create-access-key', '--user-name', name], account);
	const { AccessKeyId: AWS_ACCESS_KEY_ID, SecretAccessKey: AWS_SECRET_ACCESS_KEY } = AccessKey;
	return { ...account, env: { ...account.env, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } };
}
