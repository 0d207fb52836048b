import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from '@jest/globals';
import { providerApis } from '../../support/phones/provider-apis.ts';

// `npm run deploy` uses one account and one region for both the preflight and the CDK. Here, a stand-in for the CDK records which
// account and region it gets.

const startApi = providerApis();
const directory = mkdtempSync(join(tmpdir(), 'deploy-'));
afterAll(() => rmSync(directory, { recursive: true }));

const KEYS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'];
const cdk = join(directory, 'node_modules/aws-cdk/bin');
mkdirSync(cdk, { recursive: true });
writeFileSync(
	join(cdk, 'cdk'),
	`const [key, , token] = ${JSON.stringify(KEYS)}.map((name) => process.env[name]);
	const note = { key, token, region: process.env.AWS_REGION, profile: process.env.AWS_PROFILE, args: process.argv.slice(2) };
	require('node:fs').writeFileSync('noted.json', JSON.stringify(note));`,
);
writeFileSync(
	join(directory, 'config'),
	`[profile shop]
region = eu-west-1
aws_access_key_id = SHOPKEY
aws_secret_access_key = shop-secret
aws_session_token = shop-token
[profile garage]
region = eu-north-1
aws_access_key_id = GARAGEKEY
aws_secret_access_key = garage-secret
`,
);

/**
 * Deploys with these arguments and this environment. `asked`: the access keys and regions that the preflight used. `noted`: those
 * that the CDK got.
 */
async function deploy(args: readonly string[], environment: Readonly<Record<string, string>>) {
	rmSync(join(directory, 'noted.json'), { force: true });
	const api = await startApi(() => ({ status: 400, body: { __type: 'AccessDeniedException' } }));
	const main = resolve(import.meta.dirname, '../../../ops/preflight/main.ts');
	const inherited = Object.entries(process.env).filter(([name]) => !/^(AWS|AMAZON)_/.test(name));
	const child = spawn(process.execPath, [main, '--deploy', ...args], {
		cwd: directory,
		env: {
			...Object.fromEntries(inherited),
			AWS_CONFIG_FILE: join(directory, 'config'),
			AWS_SHARED_CREDENTIALS_FILE: join(directory, 'none'),
			AWS_EC2_METADATA_DISABLED: 'true',
			AWS_ENDPOINT_URL: api.url,
			...environment,
		},
	});
	const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
	const scopes = api.asked.map(({ headers }) =>
		/Credential=(\w+)\/\d+\/([\w-]+)\//.exec(String(headers['authorization']))?.slice(1),
	);
	const asked = new Set(scopes.map((scope) => scope?.join(' in ')));
	return { code, out, err, asked, noted: () => JSON.parse(readFileSync(join(directory, 'noted.json'), 'utf8')) };
}
const own = { AWS_ACCESS_KEY_ID: 'OWNKEY', AWS_SECRET_ACCESS_KEY: 'own-secret', AWS_SESSION_TOKEN: 'own-token' };

describe('npm run deploy', () => {
	it('checks and deploys with the credentials and the region of a named profile, not with those of the environment', async () => {
		const { code, asked, noted } = await deploy(['--profile', 'shop', '--require-approval', 'never'], own);
		expect(code).toBe(0);
		expect(asked).toEqual(new Set(['SHOPKEY in eu-west-1']));
		expect(noted()).toMatchObject({ key: 'SHOPKEY', token: 'shop-token', region: 'eu-west-1' });
		expect(noted().args).toEqual(expect.arrayContaining(['deploy', '--require-approval', 'never']));
		expect(noted().args).not.toContain('--deploy');
	});

	it('prefers the region of the environment to that of the profile, as the CDK does', async () => {
		const { asked, noted } = await deploy(['--profile', 'shop'], { AWS_REGION: 'sa-east-1' });
		expect(asked).toEqual(new Set(['SHOPKEY in sa-east-1']));
		expect(noted()).toMatchObject({ key: 'SHOPKEY', region: 'sa-east-1' });
	});

	it('does not combine a session token from the environment with the keys of a profile', async () => {
		const { noted } = await deploy(['--profile', 'garage'], own);
		expect(noted()).toEqual(expect.not.objectContaining({ token: expect.anything() }));
		expect(noted()).toMatchObject({ key: 'GARAGEKEY', region: 'eu-north-1' });
	});

	it.each<[string, Readonly<Record<string, string>>, string, string]>([
		['AWS_PROFILE', { AWS_PROFILE: 'garage' }, 'GARAGEKEY', 'eu-north-1'],
		[
			'the keys of a job, whatever the profile is',
			{ ...own, AWS_PROFILE: 'shop', AWS_REGION: 'sa-east-1' },
			'OWNKEY',
			'sa-east-1',
		],
		['the region that the CDK knows', { ...own, AWS_DEFAULT_REGION: 'ap-south-1' }, 'OWNKEY', 'ap-south-1'],
	])('uses the same account in both steps from %s', async (_, environment, key, region) => {
		const { code, asked, noted } = await deploy([], environment);
		expect(code).toBe(0);
		expect(asked).toEqual(new Set([`${key} in ${region}`]));
		expect(noted()).toMatchObject({ key, region });
		expect(noted()).not.toHaveProperty('profile');
	});

	it('deploys nothing with a profile that does not exist', async () => {
		const { code, out, asked, noted } = await deploy(['--profile', 'missing'], { ...own, AWS_REGION: 'eu-west-1' });
		expect([code, [...asked]]).toEqual([1, []]);
		expect(out).toContain('failed   credentials: AWS does not accept them');
		expect(noted).toThrow('ENOENT');
	});
});
