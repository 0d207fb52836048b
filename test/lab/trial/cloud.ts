import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../../local/aws/dynamodb.ts';
import type { Certificates } from '../../../local/certificates.ts';

// ministack, an independent emulator of AWS from PyPI. It deploys CloudFormation templates, runs the functions as processes, and
// enforces the permissions of roles.

const REQUIREMENTS = ['ministack==1.5.33', 'cryptography==50.0.2'];
const root = resolve(import.meta.dirname, '../../..');
const CACHE = join(root, 'node_modules/.cache/call-back');
const READY_MS = 60_000;
const ASK_AGAIN_MS = 200;
const STOPS_WITHIN_MS = 10_000;

const run = promisify(execFile);

export type Cloud = {
	readonly port: number;
	/** For every program that talks to the emulator: endpoint, credentials, region and certificate authority. */
	readonly env: Readonly<Record<string, string>>;
	stop(): Promise<void>;
};

/** Whether Python is installed, which the emulator needs. */
export async function hasPython(): Promise<boolean> {
	return await run('python3', ['-m', 'venv', '--help']).then(
		() => true,
		() => false,
	);
}

/**
 * The command that runs a program of a virtual environment. The command starts Python itself, because the first line of the
 * program's script contains the path at which the environment was created. This path may be gone, for example if it belonged to
 * a clone whose node_modules was a link.
 */
export function programIn(environment: string, name: string): readonly [python: string, script: string] {
	return [join(environment, 'bin/python'), join(environment, 'bin', name)];
}

/** The virtual environment with the emulator. It is created in the first run. */
async function installed(): Promise<string> {
	const directory = join(CACHE, REQUIREMENTS.join('-').replaceAll('==', '-'));
	if (existsSync(join(directory, 'complete'))) return directory;
	rmSync(directory, { recursive: true, force: true });
	mkdirSync(CACHE, { recursive: true });
	await run('python3', ['-m', 'venv', directory]);
	const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...REQUIREMENTS];
	await run(join(directory, 'bin/python'), pip);
	writeFileSync(join(directory, 'complete.new'), '');
	renameSync(join(directory, 'complete.new'), join(directory, 'complete'));
	return directory;
}

/**
 * Starts the emulator over TLS (which the bootstrap bucket requires) on a free loopback port, with enforced roles. Functions
 * inherit `functionsEnv`. All files of the emulator are in `directory`.
 */
export async function startCloud(
	directory: string,
	{ ca_file, cert_pem, key_pem }: Certificates,
	functionsEnv: Readonly<Record<string, string>>,
): Promise<Cloud> {
	const [python, script] = programIn(await installed(), 'ministack');
	const port = await freePort();
	const file = (name: string): string => join(directory, name);
	writeFileSync(file('cert.pem'), cert_pem);
	writeFileSync(file('key.pem'), key_pem, { mode: 0o600 });
	const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' };
	const url = `https://127.0.0.1:${port}`;
	const endpoints = ['DYNAMODB', 'SQS', 'KMS', 'SESV2', 'SECRETS_MANAGER'].map((name) => [
		`AWS_ENDPOINT_URL_${name}`,
		url,
	]);
	const env = { ...credentials, AWS_ENDPOINT_URL: url, ...Object.fromEntries(endpoints), NODE_EXTRA_CA_CERTS: ca_file };
	const child = spawn(python, [script], {
		env: {
			...env,
			...functionsEnv,
			AUTH: 'true',
			GATEWAY_PORT: String(port),
			BIND_HOST: '127.0.0.1',
			MINISTACK_HOST: 'localhost',
			USE_SSL: '1',
			MINISTACK_SSL_CERT: file('cert.pem'),
			MINISTACK_SSL_KEY: file('key.pem'),
			SFTP_ENABLED: '0',
			IOT_MTLS_ENABLED: '0',
			STATE_DIR: file('state'),
			S3_DATA_DIR: file('s3'),
			HOME: directory,
			TMPDIR: directory,
			PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
		},
		stdio: ['ignore', 'pipe', 'pipe'],
		// The emulator gets its own process group, so that the processes of its functions end with it.
		detached: true,
	});
	const log = createWriteStream(file('ministack.log'));
	child.stdout.pipe(log, { end: false });
	child.stderr.pipe(log, { end: false });
	const gone = once(child, 'exit');
	const signal = (name: NodeJS.Signals): void => {
		try {
			if (child.pid !== undefined) process.kill(-child.pid, name);
		} catch {
			// The process group has ended already.
		}
	};
	async function stop(): Promise<void> {
		signal('SIGTERM');
		await Promise.race([gone, pause(STOPS_WITHIN_MS, undefined, { ref: false })]);
		signal('SIGKILL');
		await gone;
		log.end();
	}
	const deadline = Date.now() + READY_MS;
	while (!(await answers(url))) {
		if (child.exitCode === null && Date.now() < deadline) await pause(ASK_AGAIN_MS);
		else {
			await stop();
			throw new Error(`ministack did not start: ${readFileSync(file('ministack.log'), 'utf8')}`);
		}
	}
	return {
		port,
		env: {
			...env,
			AWS_REGION: 'us-east-1',
			AWS_DEFAULT_REGION: 'us-east-1',
			AWS_CA_BUNDLE: ca_file,
			CDK_DISABLE_CLI_TELEMETRY: 'true',
		},
		stop,
	};
}

async function answers(url: string): Promise<boolean> {
	return await fetch(`${url}/_ministack/health`).then(
		({ ok }) => ok,
		() => false,
	);
}
