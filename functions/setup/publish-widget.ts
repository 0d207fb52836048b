import { log, widgetFiles } from '../../shared/deps.ts';
import { customResource } from '../../shared/messages/custom-resource.ts';

const files = widgetFiles();

/**
 * Runs during a deployment. Copies this release's widget into `Bucket`. Files of earlier releases stay, because pages may
 * refer to a fixed version. For a throwaway stage, `Empties` is true. When such a stage is deleted, the handler removes all
 * files, because S3 deletes only empty buckets.
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
