import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startWire } from '../../support/aws/faulty-wire.ts';
import { ACCOUNT_SID, type Account, FROM, TOKEN } from '../../support/phones/account-answers.ts';
import { phoneAccount } from '../../support/phones/phone-accounts.ts';
import { asDeployment } from '../../support/stack/deployment.ts';
import { suiteStack } from '../../support/stack/suite-stack.ts';

// Tests `npm run ops -- telephony check` as an operator runs it on a deployment with new provider accounts.

const stack = suiteStack();
const close: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const each of close.splice(0)) await each();
});

const ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:call-back/provider';
const settings = {
	twilio: { account_sid: ACCOUNT_SID, from: FROM },
	telnyx: { account_sid: 'org', application_sid: 'app', from: FROM, public_key: `${'A'.repeat(43)}=` },
};

/** Runs the command on a deployment with this account. `secret`: the deployment's secret. */
async function check(account: Account, secret: object, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
	const phones = await phoneAccount(account, () => Date.now());
	const secrets = await startWire(({ operation, body }) => {
		expect([operation, JSON.parse(body)]).toEqual(['GetSecretValue', { SecretId: ARN }]);
		return { status: 200, body: JSON.stringify({ SecretString: JSON.stringify(secret) }) };
	});
	close.push(phones.close, () => secrets.stop());
	const provider = account === 'telnyx new' ? 'telnyx' : 'twilio';
	const deployment = asDeployment(stack, {
		CallBackTelephonyProvider: provider,
		CallBackTelephonySettings: JSON.stringify(settings[provider]),
		CallBackTelephonySecretArn: ARN,
	});
	const command = ['ops/main.ts', 'telephony', 'check', '--outputs', deployment.file, ...args];
	const child = spawn(process.execPath, command, {
		env: {
			...process.env,
			...deployment.environment,
			AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.endpoint,
			TELEPHONY_API_URL: phones.api_url,
			...environment,
		},
	});
	const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
	return { code, out, err, secrets: secrets.seen.length };
}

const failed = (said: string) =>
	JSON.parse(said).flatMap(({ check, result, found }: { check: string; result: string; found: string }) =>
		result === 'failed' ? [[check, found]] : [],
	);

describe('ops telephony check', () => {
	it.each<[Account, object]>([
		['twilio full', { auth_token: TOKEN }],
		['telnyx new', { api_key: TOKEN }],
	])('passes an account that can call, with settings and secret of the deployment: %s', async (account, secret) => {
		const result = await check(account, secret, ['--region', 'US']);
		expect([result.code, result.err]).toEqual([0, '']);
		expect(JSON.parse(result.out)).toContainEqual({ check: 'calls to US', result: 'ok', found: 'allowed' });
		expect(result.out).not.toContain(TOKEN);
	});

	it.each<[Account, object]>([
		['twilio full', { auth_token: TOKEN }],
		['telnyx new', { api_key: TOKEN }],
	])('exits with 1 and names each region that may not be called: %s', async (account, secret) => {
		const result = await check(account, secret, ['--region', 'US', '--region', 'DE']);
		expect([result.code, result.out]).toEqual([1, '']);
		expect(failed(result.err)).toEqual([['calls to DE', expect.stringMatching(/^not allowed\. \S/)]]);
	});

	it.each<[Account, NodeJS.ProcessEnv]>([
		['twilio full', { TWILIO_AUTH_TOKEN: 'another' }],
		['telnyx new', { TELNYX_API_KEY: 'another' }],
	])('uses the credentials in the environment instead of the secret: %s', async (account, environment) => {
		const result = await check(account, {}, ['--region', 'US'], environment);
		expect([result.code, result.secrets]).toEqual([1, 0]);
		expect(failed(result.err)).toEqual([['credentials', expect.stringContaining('not accepted')]]);
		expect(result.err).not.toContain('another');
	});

	it('takes AWS’s credentials and region from a profile', async () => {
		const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = asDeployment(stack).environment;
		const file = join(stack.state_dir, 'aws-config');
		writeFileSync(
			file,
			`[profile shop]\nregion=${AWS_REGION}\naws_access_key_id=${AWS_ACCESS_KEY_ID}\naws_secret_access_key=${AWS_SECRET_ACCESS_KEY}\n`,
		);
		const other = { AWS_REGION: '', AWS_ACCESS_KEY_ID: 'another', AWS_SECRET_ACCESS_KEY: '', AWS_CONFIG_FILE: file };
		const args = ['--region', 'US', '--profile', 'shop'];
		const result = await check('twilio full', { auth_token: TOKEN }, args, other);
		expect([result.code, result.err]).toEqual([0, '']);
	});

	it('checks an account that is not deployed yet', async () => {
		const named = ['--provider', 'telnyx', '--settings', JSON.stringify(settings.telnyx), '--region', 'US'];
		const result = await check('telnyx new', { api_key: TOKEN }, named, { TELNYX_API_KEY: TOKEN });
		expect([result.code, result.secrets]).toEqual([0, 0]);
	});

	it.each<[string, readonly string[], string]>([
		[
			'a provider without an account',
			['--region', 'US', '--provider', 'simulator'],
			'the provider is simulator: name twilio or telnyx with --provider, and its settings with --settings',
		],
		[
			'settings that lack a field',
			['--region', 'US', '--settings', '{}'],
			'settings: missing or malformed account_sid, from',
		],
	])('says in a sentence what is wrong with %s', async (_, args, why) => {
		const result = await check('twilio full', { auth_token: TOKEN }, args);
		expect([result.code, result.err]).toEqual([1, `${why}\n`]);
	});
});
