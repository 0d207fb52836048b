import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startFauxqs } from 'fauxqs';
import { jsonLog } from '../../shared/adapters/log.ts';
import { languages } from '../../shared/domain/workspaces/language.ts';
import { customResource } from '../../shared/messages/custom-resource.ts';
import { startScripted } from '../support/scripted-server.ts';
import { deployedBundles } from '../support/stack/builds.ts';

// Tests the function that publishes the widget during a deployment. The function runs as it is deployed, with a stand-in for
// S3.

const directory = mkdtempSync(join(tmpdir(), 'deployment-'));
const PUBLISHER = 'publish-widget';
const publisher = join(directory, PUBLISHER);
const BUCKET = 'widget-files';
const answers: { readonly url: string; readonly json: Record<string, unknown> }[] = [];
let s3: S3Client;
let standIn: Awaited<ReturnType<typeof startFauxqs>>;
let cloudformation: Server;
let responseUrl: string;

beforeAll(async () => {
	cpSync(join(await deployedBundles(), PUBLISHER), publisher, { recursive: true });
	standIn = await startFauxqs({ port: 0, logger: false });
	const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
	const endpoint = `http://127.0.0.1:${standIn.port}`;
	s3 = new S3Client({ region: 'us-east-1', credentials, endpoint, forcePathStyle: true });
	await s3.send(new CreateBucketCommand({ Bucket: BUCKET }));
	cloudformation = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			answers.push({ url: request.url ?? '', json: JSON.parse(Buffer.concat(chunks).toString()) });
			response.writeHead(200).end();
		});
	}).listen(0, '127.0.0.1');
	await once(cloudformation, 'listening');
	const address = cloudformation.address();
	responseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/answer?signed=1`;
});
afterAll(async () => {
	s3.destroy();
	await standIn.stop();
	cloudformation.closeAllConnections();
	cloudformation.close();
	rmSync(directory, { recursive: true, force: true });
});

const eventOf = (RequestType: string, Bucket: string, more: object = {}) => ({
	RequestType,
	ResponseURL: responseUrl,
	StackId: 'stack',
	RequestId: 'request',
	LogicalResourceId: 'Published',
	...(RequestType === 'Create' ? {} : { PhysicalResourceId: BUCKET }),
	ResourceProperties: { Bucket, ...more },
});

/** Starts the function as Lambda does. Returns its response to CloudFormation. */
async function ask(
	RequestType: string,
	Bucket = BUCKET,
	more: object = {},
	s3Url = `http://127.0.0.1:${standIn.port}`,
): Promise<Record<string, unknown>> {
	const event = eventOf(RequestType, Bucket, more);
	const script = `require('${publisher}/index.js').handler(${JSON.stringify(event)}).then(() => process.exit(0))`;
	const env = {
		AWS_REGION: 'us-east-1',
		AWS_ACCESS_KEY_ID: 'id',
		AWS_SECRET_ACCESS_KEY: 'secret',
		AWS_ENDPOINT_URL_S3: s3Url,
		LAMBDA_TASK_ROOT: publisher,
	};
	await promisify(execFile)(process.execPath, ['-e', script], { env });
	return answers.at(-1)?.json ?? {};
}

async function published(): Promise<Map<string, { type?: string; cache?: string; bytes: number }>> {
	const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: BUCKET }));
	const read = Contents.map(async ({ Key = '' }) => {
		const { ContentType, CacheControl, Body } = await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
		const bytes = (await Body?.transformToByteArray())?.length ?? 0;
		return [Key, { type: ContentType ?? '', cache: CacheControl ?? '', bytes }] as const;
	});
	return new Map(await Promise.all(read));
}

describe('the function that publishes the widget', () => {
	it('stores files with versioned names, which are cached for ever, and with permanent names, which are cached for minutes', async () => {
		const answer = await ask('Create');
		expect(answer).toEqual({
			Status: 'SUCCESS',
			PhysicalResourceId: BUCKET,
			Data: {},
			StackId: 'stack',
			RequestId: 'request',
			LogicalResourceId: 'Published',
		});
		expect(answers.at(-1)?.url).toBe('/answer?signed=1');
		const files = await published();
		const names = [...files.keys()].map((name) => name.replace(/[0-9a-f]{10}/, 'version'));
		const expected = [
			'manifest.json',
			'widget.js',
			'widget.version.js',
			'widget.version.panel.js',
			'widget.version.choice.js',
			...languages.filter((language) => language !== 'en').map((language) => `widget.version.${language}.json`),
		];
		expect(names.sort()).toEqual(expected.sort());
		for (const [name, { type, cache, bytes }] of files) {
			const lasts = name.split('.').length > 2;
			expect(cache).toBe(lasts ? 'public, max-age=31536000, immutable' : 'public, max-age=300');
			expect(type).toBe(name.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'application/json');
			expect(bytes).toBeGreaterThan(300);
		}
	});

	it('never deletes files that pages may have pinned', async () => {
		const before = await published();
		expect(await ask('Update')).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: BUCKET });
		expect(await ask('Delete')).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: BUCKET });
		expect(await published()).toEqual(before);
	});

	it('deletes every version of every file when a temporary stage is deleted', async () => {
		// These responses are scripted, because the stand-in for S3 has no versions.
		const versions = [
			'<Version><Key>a</Key><VersionId>1</VersionId></Version>',
			'<DeleteMarker><Key>b</Key><VersionId>2</VersionId></DeleteMarker>',
		];
		const bucket = await startScripted((response, { method }) => {
			const listed = `<ListVersionsResult>${versions.splice(0).join('')}</ListVersionsResult>`;
			response.end(method === 'GET' ? listed : '<DeleteResult/>');
		});
		const done = await ask('Delete', 'thrown-away', { Empties: 'true' }, bucket.url);
		await bucket.stop();
		expect(done).toMatchObject({ Status: 'SUCCESS' });
		const asked = bucket.asked.map(({ method, body }) => [method, ...(body.match(/<VersionId>\d/g) ?? [])]);
		expect(asked).toEqual([['GET'], ['POST', '<VersionId>1', '<VersionId>2'], ['GET']]);
		expect(await ask('Delete', 'no-such-bucket', { Empties: 'true' })).toMatchObject({ Status: 'SUCCESS' });
	});

	it('waits until AWS has propagated the function’s new role', async () => {
		const pauses: number[] = [];
		const deny = (times: number, name: string, message: string) =>
			customResource(
				jsonLog({}, () => {}),
				async () => {
					if (pauses.length < times) throw Object.assign(new Error(message), { name });
					return { id: 'made', attributes: {} };
				},
				async (ms) => void pauses.push(ms),
			);
		const event = eventOf('Create', BUCKET) as never;
		await deny(2, 'AccessDenied', 'Access Denied')(event);
		expect(answers.at(-1)?.json).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'made' });
		expect(pauses).toHaveLength(2);
		await deny(99, 'Error', 'kms: GetPublicKey failed with AccessDeniedException')(event);
		expect(answers.at(-1)?.json).toMatchObject({ Status: 'FAILED', Reason: expect.stringContaining('AccessDenied') });
		// All pauses together have to fit in the function's timeout of two minutes.
		expect(pauses.reduce((sum, ms) => sum + ms)).toBeLessThan(90_000);
		const waited = pauses.length;
		await deny(99, 'Error', 'no such key')(event);
		expect(answers.at(-1)?.json).toMatchObject({ Status: 'FAILED', Reason: 'no such key' });
		expect(pauses).toHaveLength(waited);
	});

	it('reports the reason when it cannot publish the widget', async () => {
		const answer = await ask('Create', 'no-such-bucket');
		expect(answer).toMatchObject({ Status: 'FAILED', PhysicalResourceId: 'Published' });
		expect(answer['Reason']).toMatch(/bucket/i);
	});
});
