import { log, widgetFiles } from '../../shared/deps.ts';
import { customResource } from '../../shared/messages/custom-resource.ts';

const publish = widgetFiles();

/**
 * Runs at a deployment: copies this release's widget into `Bucket`. Files of earlier releases stay, for pages that pin
 * them.
 */
export const handler = customResource(log('publish-widget'), async ({ Bucket }) => {
	const id = String(Bucket);
	await publish(id);
	return { id, attributes: {} };
});
