import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { setDefaultCACertificates } from 'node:tls';
import { localCertificates } from '../local/certificates.ts';
import type { Shutdown } from '../local/shutdown.ts';
import { call, visitorBody } from './support/stack/api.ts';
import { hasPython, startCloud } from './trial/cloud.ts';
import { type DeployedApi, deployedApi } from './trial/deployed-api.ts';
import { asDeployer, deployStatements } from './trial/deployer.ts';
import {
	type Account,
	bootstrap,
	deployService,
	keepSecret,
	planned,
	preflight,
	program,
	synthesised,
} from './trial/deployment.ts';
import { startFront } from './trial/front.ts';
import { inFolder, say } from './trial/run.ts';
import { ACCOUNT_SID, FROM, startTwilio } from './trial/twilio.ts';

// npm run trial Deploys the stack to an independent emulator of AWS, as docs/deployment.md describes, with roles enforced;
// sets Twilio up (a stand-in, over HTTP); places one call and follows it to its end; runs the smoke test.

const ORIGIN = 'https://shop.example';
const CALL_MS = 90_000;
const AUTH_TOKEN = 'the auth token of the trial';

type Service = { readonly base_url: string; readonly outputs_file: string; readonly api: DeployedApi };

/** Deploys without a provider, as the first time, and then with one: `front` has the address that the provider signs. */
async function deploy(front: Awaited<ReturnType<typeof startFront>>, port: number, account: Account): Promise<Service> {
	const nothing = planned({}, account);
	const app = await synthesised(nothing, account);
	say('bundled and synthesised');
	const missing = await preflight(nothing, account).catch((error: unknown) => String(error));
	if (!missing.includes('Run npm run bootstrap')) throw new Error(`the preflight misses the bootstrap: ${missing}`);
	await bootstrap(app, account);
	say('bootstrapped');
	say(`the preflight passes:\n${await preflight(nothing, account)}`);
	const { outputs } = await deployService(app, await deployer(app, account));
	say(`deployed without a provider, with the smallest policy: ${outputs['CallBackBaseUrl']}`);
	const { hostname: host } = new URL(outputs['CallBackBaseUrl'] ?? '');
	const api = deployedApi(host.split('.')[0] ?? '', account.env);
	front.leadTo({ host, port, api });
	const telephony = {
		provider: 'twilio',
		accountSid: ACCOUNT_SID,
		callerNumber: FROM,
		secret: await keepSecret({ auth_token: AUTH_TOKEN }, account),
	};
	const withTwilio = planned({ telephony, publicBaseUrl: front.base_url }, account);
	const { outputs_file } = await deployService(await synthesised(withTwilio, account), account);
	say(`deployed with Twilio: ${front.base_url}`);
	return { base_url: front.base_url, outputs_file, api };
}

/** A user with the smallest policy that deploys. Throws if a deployment succeeds without one of its statements. */
async function deployer(app: string, account: Account): Promise<Account> {
	const statements = deployStatements();
	for (const { Sid } of statements) {
		const others = statements.filter((statement) => statement.Sid !== Sid);
		const without = await asDeployer(`without-${Sid}`, others, account);
		const refused = await deployService(app, without).then(
			() => null,
			(error: unknown) => String(error).trim().split('\n').at(-1) ?? '',
		);
		if (refused === null) throw new Error(`the deployment does not need the statement ${Sid}`);
		say(`refused without the statement ${Sid}: ${refused.slice(0, 200)}`);
	}
	return asDeployer('deployer', statements, account);
}

/** A visitor's call from the request to its end. Throws when it does not complete. */
async function placeCall({ base_url, outputs_file }: Service, { env }: Account): Promise<void> {
	const ops = async (...args: readonly string[]) =>
		JSON.parse(await program(['ops/main.ts', ...args, '--outputs', outputs_file], env));
	const shop = [
		'--name',
		'Shop',
		'--region',
		'US',
		'--time-zone',
		'America/New_York',
		'--origin',
		ORIGIN,
		'--team',
		'+13125550101',
	];
	const { id: workspace_id, workspace_key } = await ops('workspace', 'create', ...shop);
	const { api_key } = await ops('api-key', 'create', '--workspace', workspace_id, '--permission', 'calls:read');
	say('workspace and API key created by npm run ops');
	const headers = { origin: ORIGIN, 'idempotency-key': 'the-first-call' };
	const body = visitorBody({ workspace_key, allowed_origin: ORIGIN });
	const asked = await call(base_url, '/widget/call-requests', { body, headers });
	if (asked.status !== 202) throw new Error(`the call was answered with ${asked.status}: ${asked.text}`);
	const { id } = asked.json.data;
	let status = '';
	for (const deadline = Date.now() + CALL_MS; !['completed', 'failed'].includes(status); await pause(200)) {
		if (Date.now() > deadline) break;
		const now = await call(base_url, `/widget/call-requests/${id}/status`, { headers: { origin: ORIGIN } });
		if (now.json.data.status !== status) say(`call ${now.json.data.status}`);
		status = now.json.data.status;
	}
	const read = await call(base_url, `/calls/${id}`, { headers: { authorization: `Bearer ${api_key}` } });
	say(`the call, as a server reads it: ${read.status} ${JSON.stringify(read.json.data)}`);
	if (status !== 'completed')
		throw new Error(`the call is ${status}: ${JSON.stringify(await ops('call', 'show', '--call', id))}`);
}

/** Runs the smoke test and prints what it prints. Returns its exit code and its last line on standard error. */
async function smoke({ outputs_file }: Service, { env }: Account) {
	const args = ['ops/smoke/main.ts', '--outputs', outputs_file];
	const child = spawn(process.execPath, args, {
		env: { ...process.env, ...env },
		stdio: ['ignore', 'inherit', 'pipe'],
	});
	const [[code], said] = await Promise.all([once(child, 'close'), textOf(child.stderr)]);
	process.stderr.write(said);
	return { code, said: said.trim() };
}

/** The smoke test passes; when the preflight's function may no longer read, it fails and names that function. */
async function smokeTells(service: Service, account: Account): Promise<boolean> {
	say('npm run smoke:');
	const { code } = await smoke(service, account);
	say(`npm run smoke ended with ${code}`);
	await service.api.lendRole('$default', 'OPTIONS /v1/widget/call-requests');
	say('the preflight now has the role of the fallback, which may read nothing; npm run smoke:');
	const without = await smoke(service, account);
	say(`npm run smoke ended with ${without.code}`);
	return code === 0 && without.code === 1 && without.said.startsWith('Failed: preflight. ');
}

async function trial(directory: string, shutdown: Shutdown): Promise<number> {
	const certificates = await localCertificates(directory);
	setDefaultCACertificates([certificates.ca_pem]);
	const front = await startFront(certificates);
	shutdown.add(front.close);
	const twilio = await startTwilio(AUTH_TOKEN, say);
	shutdown.add(twilio.close);
	const cloud = await startCloud(directory, certificates, {
		LOCAL_TELEPHONY_API_URL: twilio.url,
		LOCAL_PATIENCE: '3',
	});
	shutdown.add(cloud.stop);
	say(`ministack is up on port ${cloud.port}, with roles enforced`);
	const account = { directory, env: cloud.env };
	const service = await deploy(front, cloud.port, account);
	shutdown.add(service.api.close);
	await placeCall(service, account).catch((error: unknown) => {
		console.error(readFileSync(join(directory, 'ministack.log'), 'utf8').slice(-8000));
		throw error;
	});
	if (twilio.dialled() !== 2) throw new Error(`${twilio.dialled()} phones were dialled, and not two`);
	say('one call completed over the Twilio adapter');
	return (await smokeTells(service, account)) ? 0 : 1;
}

if (await hasPython()) process.exitCode = await inFolder('trial', trial);
else console.log('skipped: python3');
