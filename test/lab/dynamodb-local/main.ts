import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../local/aws/dynamodb.ts';

// Runs all tests of the table on Amazon's DynamoDB Local instead of the stand-in: `npm run lab -- dynamodb-local`, followed by
// jest's arguments. It needs Java 17 and Maven, which downloads DynamoDB Local once. Without them, the run is skipped.

const SUITES = ['test/conformance', 'test/delivery', 'test/api', 'test/local/operator/smoke.test.ts'];
/** The tests that fail because DynamoDB Local differs from DynamoDB. */
const ITS_OWN = [
	// In the test of this name, one transaction writes a record twice. DynamoDB Local checks the conditions first and reports one that
	// fails, but DynamoDB refuses the transaction.
	'the store on DynamoDB a commit throws when it writes one record twice',
];
const READY_MS = 60_000;
const LONG_MS = 600_000;

const here = import.meta.dirname;
const jars = join(import.meta.dirname, '../../../node_modules/.cache/dynamodb-local-2.6.1');

function isThere(program: string, args: readonly string[]): boolean {
	return spawnSync(program, args, { stdio: 'ignore', timeout: LONG_MS }).status === 0;
}

/** Makes Maven download DynamoDB Local and everything that it needs. False if that fails. */
function fetched(): boolean {
	if (!isThere('java', ['-version'])) return false;
	if (existsSync(jars)) return true;
	const copy = ['-q', '-B', '-f', join(here, 'pom.xml'), 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`];
	if (isThere('mvn', copy)) return true;
	rmSync(jars, { recursive: true, force: true });
	return false;
}

async function started(port: number): Promise<ChildProcess> {
	const java = [`-Djava.library.path=${jars}`, '-cp', `${jars}/*`, join(here, 'OnLoopback.java')];
	const options = ['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)];
	const server = spawn('java', [...java, ...options], {
		stdio: ['pipe', 'ignore', 'inherit'],
		env: { ...process.env, DDB_LOCAL_TELEMETRY: '0' },
	});
	const deadlineMs = Date.now() + READY_MS;
	while ((await fetch(`http://127.0.0.1:${port}`).catch(() => null)) === null) {
		if (server.exitCode !== null || Date.now() > deadlineMs) throw new Error('DynamoDB Local did not start');
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
	return server;
}

async function main(args: readonly string[]): Promise<number> {
	if (!fetched()) {
		console.log('skipped');
		return 0;
	}
	const port = await freePort();
	const server = await started(port);
	const suites = args.length === 0 ? SUITES : args;
	const ours = ITS_OWN.join('|');
	const config = ['--setupFilesAfterEnv', '<rootDir>/test/lab/dynamodb-local/drop-tables.ts', '--runInBand'];
	const jest = spawn('npm', ['test', '--', ...config, '--testNamePattern', `^(?!(${ours})$)`, ...suites], {
		stdio: 'inherit',
		env: {
			...process.env,
			CALL_BACK_DYNAMODB: 'local',
			AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}`,
		},
	});
	const [code] = await once(jest, 'exit');
	const ended = once(server, 'exit');
	server.stdin?.end();
	await ended;
	return typeof code === 'number' ? code : 1;
}

process.exitCode = await main(process.argv.slice(2));
