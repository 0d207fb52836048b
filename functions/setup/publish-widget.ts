import { log, widgetFiles } from '../../shared/deps.ts';
import { customResource } from '../../shared/messages/custom-resource.ts';

const publish = widgetFiles();

/** Asked at a deployment: puts this release's widget into `Bucket`. What earlier ones put there stays, for pages that pin it. */
export const handler = customResource(log('publish-widget'), async ({ Bucket }) => {
	const id = String(Bucket);
	await publish(id);
	return { id, attributes: {} };
});
