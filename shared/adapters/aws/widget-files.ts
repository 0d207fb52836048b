import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { AwsEnv } from './json-client.ts';

const TYPES: Readonly<Record<string, string>> = {
	'.js': 'text/javascript; charset=utf-8',
	'.json': 'application/json',
};
/** A name with the hash of what it names (widget/build.ts). */
const VERSIONED = /^widget\.[0-9a-f]{10}\./;
const FOR_EVER = 'public, max-age=31536000, immutable';
const MINUTES = 'public, max-age=300';

/**
 * Puts the widget's files, which lie in `widget/` beside the function, into a bucket: those with a version first, so
 * that no name that stays ever points to what is not there yet. By the SDK: a deployment can wait for it to load.
 */
export function s3WidgetFiles(env: AwsEnv & { readonly LAMBDA_TASK_ROOT: string }): (bucket: string) => Promise<void> {
	const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, LAMBDA_TASK_ROOT } = env;
	const sessionToken = AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN };
	const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY, ...sessionToken };
	const s3 = new S3Client({ region: AWS_REGION, credentials });
	const folder = join(LAMBDA_TASK_ROOT, 'widget');
	const put = (Bucket: string, Key: string) =>
		s3.send(
			new PutObjectCommand({
				...{ Bucket, Key, Body: readFileSync(join(folder, Key)) },
				ContentType: TYPES[extname(Key)] ?? 'application/octet-stream',
				CacheControl: VERSIONED.test(Key) ? FOR_EVER : MINUTES,
			}),
		);
	return async (bucket) => {
		const [versioned, named] = [true, false].map((wanted) =>
			readdirSync(folder).filter((name) => VERSIONED.test(name) === wanted),
		);
		for (const names of [versioned, named]) await Promise.all((names ?? []).map((name) => put(bucket, name)));
	};
}
