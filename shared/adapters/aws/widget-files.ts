import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { DeleteObjectsCommand, ListObjectVersionsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { WidgetFilesEnv } from '../../env.ts';
import { plainConfig } from './client/account.ts';

const TYPES: Readonly<Record<string, string>> = {
	'.js': 'text/javascript; charset=utf-8',
	'.json': 'application/json',
};
/** The build of the widget puts a hash of each file's content into the file's name. */
const VERSIONED = /^widget\.[0-9a-f]{10}\./;
const FOR_EVER = 'public, max-age=31536000, immutable';
const MINUTES = 'public, max-age=300';

type WidgetFiles = {
	/**
	 * Copies the widget's files from `widget/`, next to the function, into a bucket. Files with a hash in their name come
	 * first, because the other files refer to them and a reference must never lead to a missing file.
	 */
	publish(bucket: string): Promise<void>;
	/** Deletes every version of every file. A bucket that does not exist counts as empty. */
	empty(bucket: string): Promise<void>;
};

/** Uses the SDK's own client, which loads slowly. A deployment can wait for this client to load. */
export function s3WidgetFiles(env: WidgetFilesEnv): WidgetFiles {
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
	/** Up to 1,000 versions and delete markers. One request can delete that many. */
	async function versionsIn(Bucket: string) {
		const { Versions = [], DeleteMarkers = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
		return [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
	}
	return {
		async publish(bucket) {
			const files = readdirSync(folder);
			const versioned = files.filter((name) => VERSIONED.test(name));
			const others = files.filter((name) => !VERSIONED.test(name));
			await Promise.all(versioned.map((name) => put(bucket, name)));
			await Promise.all(others.map((name) => put(bucket, name)));
		},
		async empty(Bucket) {
			try {
				for (let Objects = await versionsIn(Bucket); Objects.length > 0; Objects = await versionsIn(Bucket)) {
					const { Errors = [] } = await s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }));
					if (Errors[0] !== undefined) throw new Error(`S3 does not delete ${Errors[0].Key}: ${Errors[0].Code}`);
				}
			} catch (error) {
				if (!(error instanceof Error && error.name === 'NoSuchBucket')) throw error;
			}
		},
	};
}
