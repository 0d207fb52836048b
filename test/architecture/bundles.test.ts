import { execFile, execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Metafile } from 'esbuild';
import { SOURCES } from '../../infra/bundle/build-cache.ts';
import { accessOf, functionNames as withAccess } from '../../infra/function-roles.ts';
import { stackBuild } from '../../local/build-and-synth.ts';
import { routes } from '../../shared/contract/routes.ts';
import { languages } from '../../shared/domain/workspaces/language.ts';
import type { QueueName } from '../../shared/ports/registry.ts';
import { functionNames } from '../infra/synthesised.ts';
import { startWire } from '../support/aws/faulty-wire.ts';
import { deployedBundles } from '../support/stack/builds.ts';

/**
 * The largest bundle that a function may have, in KB (1,000 bytes). V8 reads about 60 KB in a millisecond, so a larger bundle
 * makes every cold start slower.
 */
const BUDGET_KB = 290;
/** This function runs only during a deployment. Its directory also contains the files that it publishes. */
const PUBLISHER = 'publish-widget';
/**
 * The only packages that a bundle may contain. From the AWS SDK, a bundle may contain the commands, the errors, the protocols
 * and the signer.
 */
const PACKAGES = [
	...['dynamodb', 'kms', 'secrets-manager', 'sesv2', 'sqs'].map((name) => `@aws-sdk/client-${name}`),
	'@aws-sdk/core',
	'@aws-sdk/util-dynamodb',
	'@middy/core',
	'@smithy/core',
	'@smithy/signature-v4',
	'dataloader',
	'libphonenumber-js',
	'ulid',
	'zod',
];

/**
 * For some functions: the queues to which code in the bundle can send, although the function itself never sends to them. The
 * comments say why.
 */
const NEVER_SENT: Readonly<Record<string, readonly QueueName[]>> = {
	// Cancelling a call causes no dial.
	'cancel-call': ['dial-legs'],
	'cancel-call-request': ['dial-legs'],
	// A call that was just requested has no leg to hang up.
	'request-call': ['hang-up-legs'],
	'confirm-callback-link': ['hang-up-legs'],
	// `change-desk` requests only test calls. A test call that was just requested has no leg to hang up, and test calls have no
	// events.
	'change-desk': ['hang-up-legs', 'deliveries'],
};

let deployed: string;
let local: string;
/** For each function: the bundle's size in KB, and the files in the bundle. */
let bundles: ReadonlyMap<string, { readonly kb: number; readonly files: readonly string[] }>;

beforeAll(async () => {
	[deployed, local] = [await deployedBundles(), join(await stackBuild(), 'functions')];
	const { outputs }: Metafile = JSON.parse(readFileSync(`${deployed}.meta.json`, 'utf8'));
	const scripts = Object.entries(outputs).filter(([file]) => file.endsWith('.js'));
	bundles = new Map(
		scripts.map(([file, { bytes, inputs }]) => {
			const used = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
			return [file.split('/').at(-2) ?? '', { kb: bytes / 1000, files: used.map(([path]) => path) }];
		}),
	);
});

type Started = {
	/** Node.js modules that the bundle loaded. */
	readonly modules: readonly string[];
	/** For each function: how many parameters its handler declares. */
	readonly parameters: Readonly<Record<string, number>>;
};

/** The environment variables of the functions. Nothing listens at the URLs for AWS. */
function functionEnv(dir: string) {
	const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const nowhere = 'http://127.0.0.1:9';
	return {
		AWS_REGION: 'eu-west-1',
		AWS_ACCESS_KEY_ID: 'id',
		AWS_SECRET_ACCESS_KEY: 'key',
		TABLE_NAME: 'table',
		AWS_ENDPOINT_URL_DYNAMODB: nowhere,
		AWS_ENDPOINT_URL_SQS: nowhere,
		AWS_ENDPOINT_URL_KMS: nowhere,
		LAMBDA_TASK_ROOT: dir,
		SECRET_KEY_ID: 'secret',
		MAC_KEY_ID: 'mac',
		CALLER_NUMBER: '+13125550100',
		WIDGET_SCRIPT: 'https://widget.example/widget.js',
		PUBLIC_BASE_URL: 'https://api.example.com/v1',
		TELEPHONY_PROVIDER: 'none',
		TELEPHONY_SETTINGS: '{}',
		SEALING_KEY_ID: 'number',
		NUMBER_PUBLIC_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
	};
}

/** Loads bundles as Lambda does, all of them in one new process. */
function started(dir: string, names: readonly string[]): Started {
	const script = `const parameters = {};
		for (const name of ${JSON.stringify(names)})
			parameters[name] = require(${JSON.stringify(dir)} + '/' + name + '/index.js').handler.length;
		const loaded = JSON.stringify({ modules: process.moduleLoadList, parameters });
		process.stdout.write(loaded, () => process.exit(0));`;
	return JSON.parse(execFileSync(process.execPath, ['-e', script], { env: functionEnv(dir), encoding: 'utf8' }));
}

/** The queues whose names a bundle's code mentions where it sends messages. */
function queuesIn(text: string): readonly string[] {
	const named = [...text.matchAll(/\.send\(((?:[^"()[\]{}]*"[a-z-]+")+),/g)].map(([, queues = '']) => queues);
	return [...new Set(named.flatMap((queues) => [...queues.matchAll(/[a-z-]+(?=")/g)].map(([queue]) => queue)))].sort();
}

/** The style sheets that a function reads, found by the modules in its bundle. */
const sheetsOf = ({ files }: { readonly files: readonly string[] }): readonly string[] =>
	files.flatMap((file) => /(\w+)-style\.ts$/.exec(file)?.[1] ?? []).map((sheet) => `${sheet}.css`);

/** The folders of texts that a function reads, found by the modules in its bundle. */
function textsOf(name: string): readonly string[] {
	const files = bundles.get(name)?.files ?? [];
	return files.flatMap((file) => /presentation\/(\w+)-texts\.ts$/.exec(file)?.[1] ?? []).sort();
}

describe('bundles', () => {
	it('exist for every function of the stack, each as one file beside the files that the function reads', () => {
		expect([...bundles.keys()].sort()).toEqual(functionNames);
		for (const [name, { files }] of bundles) {
			const sheets = sheetsOf({ files });
			const plans = files.some((file) => file.includes('/libphonenumber-js/metadata')) ? ['numbering-plans.json'] : [];
			const icons = files.some((file) => file.endsWith('/menu-icons.ts')) ? ['menu-icons.json'] : [];
			const pages = sheets.includes('desk.css') ? ['page-styles'] : [];
			const beside = [
				...plans,
				...icons,
				...pages,
				...(textsOf(name).length > 0 ? ['texts'] : []),
				...(name === PUBLISHER ? ['widget'] : []),
			];
			expect(readdirSync(join(deployed, name)).sort()).toEqual(['index.js', ...sheets, ...beside].sort());
			for (const folder of pages)
				expect(readdirSync(join(deployed, name, folder))).toEqual(readdirSync(join('shared/http/desk/kit', folder)));
		}
	});

	it('come with one file for each language if their function reads texts', () => {
		const readers = [...bundles.keys()].filter((name) => textsOf(name).length > 0);
		expect(readers).toEqual(expect.arrayContaining(['change-desk', 'confirm-callback-link', 'notify-team']));
		for (const name of readers) {
			expect(readdirSync(join(deployed, name, 'texts'))).toEqual(textsOf(name));
			for (const folder of textsOf(name)) {
				const files = readdirSync(join(deployed, name, 'texts', folder));
				expect(files).toEqual(languages.map((language) => `${language}.json`).sort());
			}
		}
	});

	it('are not larger than the budget allows', () => {
		const over = [...bundles].filter(([, { kb }]) => kb > BUDGET_KB);
		expect(over.map(([name, { kb }]) => `${name}: ${kb} KB`)).toEqual([]);
	});

	it('are built again when any of their inputs changes', () => {
		const watched = new Set(globSync([...SOURCES], { cwd: join(import.meta.dirname, '../..') }));
		const inputs = [...bundles.values()].flatMap(({ files }) =>
			files.filter((file) => !file.includes('node_modules/')),
		);
		expect(inputs).toContain('docs/openapi.json');
		expect(inputs.filter((file) => !watched.has(file))).toEqual([]);
	});

	it('contain only the allowed packages', () => {
		// The publisher may contain the SDK's own S3 client, because no client waits for its cold start.
		const used = [...bundles].flatMap(([name, { files }]) => (name === PUBLISHER ? [] : files));
		const packages = used.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
		expect([...new Set(packages.filter((name) => name !== undefined))].sort()).toEqual(PACKAGES);
	});

	it('contain the schemas and the row of the route table for their own route only, and no text of the documentation', () => {
		const words = [...bundles.values()].flatMap(({ files }) => files.filter((file) => /-docs\.ts$/.test(file)));
		expect(words).toEqual([]);
		const operations = routes.map(({ operation }): string => operation);
		const rows = operations.map((name) => {
			const text = readFileSync(join(deployed, name, 'index.js'), 'utf8');
			return [name, operations.filter((operation) => text.includes(`("${operation}","`))];
		});
		expect(rows).toEqual(operations.map((name) => [name, [name]]));
	});

	it('start without loading undici or HTTP/2', () => {
		const { modules: loaded } = started(
			deployed,
			[...bundles.keys()].filter((name) => name !== PUBLISHER),
		);
		expect(loaded).toContain('NativeModule https');
		const heavy = /undici|http2/;
		expect(loaded.filter((name) => heavy.test(name))).toEqual([]);
	});

	it('get the keys for a visitor’s request from KMS while they start', async () => {
		const kms = await startWire(() => ({ status: 200, body: '{"Mac":"AAAA"}' }));
		try {
			const env = { ...functionEnv(deployed), AWS_ENDPOINT_URL_KMS: kms.endpoint };
			for (const name of ['request-call', 'create-callback-lead'])
				await promisify(execFile)(process.execPath, [join(deployed, name, 'index.js')], { env });
			expect(kms.seen.map(({ operation }) => operation)).toEqual(Array(4).fill('GenerateMac'));
		} finally {
			await kms.stop();
		}
	});

	it('export handlers without a third parameter, because Lambda refuses handlers with a callback since Node.js 24', () => {
		const { parameters } = started(deployed, [...bundles.keys()]);
		expect(Object.keys(parameters).sort()).toEqual(functionNames);
		expect(Object.entries(parameters).filter(([, count]) => count > 2)).toEqual([]);
	});

	it('send to the queues that their functions may send to, and to no other', () => {
		const sends = withAccess.map((name) => [name, queuesIn(readFileSync(join(deployed, name, 'index.js'), 'utf8'))]);
		const granted = withAccess.map((name) => [name, [...accessOf(name).send, ...(NEVER_SENT[name] ?? [])].sort()]);
		expect(Object.fromEntries(sends)).toEqual(Object.fromEntries(granted));
	});

	it('read overriding variables (LOCAL_…) only on the local stack, not in a deployment', () => {
		const mentions = (dir: string) =>
			[...bundles.keys()].filter((name) => /LOCAL_[A-Z]/.test(readFileSync(join(dir, name, 'index.js'), 'utf8')));
		expect(mentions(deployed)).toEqual([]);
		expect(mentions(local)).toEqual(expect.arrayContaining(['deliver-webhook', 'request-call']));
	});
});
