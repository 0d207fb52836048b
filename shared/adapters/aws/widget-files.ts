import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { WidgetFilesEnv } from '../../env.ts';
import { plainConfig } from './client/account.ts';

const TYPES: Readonly<Record<string, string>> = {
	'.js': 'text/javascript; charset=utf-8',
	'.json': 'application/json',
};
/** A file name with the hash of its content, as the widget's build gives it. */
const VERSIONED = /^widget\.[0-9a-f]{10}\./;
const FOR_EVER = 'public, max-age=31536000, immutable';
const MINUTES = 'public, max-age=300';

/**
 * Copies the widget's files from `widget/` beside the function into a bucket: versioned files first, so that a permanent
 * name never refers to a missing file. Uses the SDK's own client, because a deployment can wait for it to load.
 */
export function s3WidgetFiles(env: WidgetFilesEnv): (bucket: string) => Promise<void> {
	const s3 = new S3Client(plainConfig(undefined, env));
	const folder = join(env.LAMBDA_TASK_ROOT, 'widget');
	const put = (Bucket: string, Key: string) =>
		s3.send(
			new PutObjectCommand({
				Bucket,
				Key,
				Body: readFileSync(join(folder, Key)),
				ContentType: TYPES[extname(Key)] ?? 'application/octet-stream',
				CacheControl: VERSIONED.test(Key) ? FOR_EVER : MINUTES,
			}),
		);
	return async (bucket) => {
		const [versionedFiles, namedFiles] = [true, false].map((isVersioned) =>
			readdirSync(folder).filter((name) => VERSIONED.test(name) === isVersioned),
		);
		for (const names of [versionedFiles, namedFiles]) await Promise.all((names ?? []).map((name) => put(bucket, name)));
	};
}
