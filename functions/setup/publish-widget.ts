import { log, widgetFiles } from '../../shared/deps.ts';
import { customResource } from '../../shared/messages/custom-resource.ts';

const files = widgetFiles();

/**
 * Runs at a deployment: copies this release's widget into `Bucket`. Files of earlier releases stay, for pages that pin
 * them. When a stage that is thrown away is deleted (`Empties`), removes every file, because S3 deletes only empty buckets.
 */
export const handler = customResource(
	log('publish-widget'),
	async ({ Bucket }) => {
		const id = String(Bucket);
		await files.publish(id);
		return { id, attributes: {} };
	},
	undefined,
	async ({ Bucket, Empties }) => {
		if (Empties === 'true') await files.empty(String(Bucket));
	},
);
