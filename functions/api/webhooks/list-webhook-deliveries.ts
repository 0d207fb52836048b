import { listWebhookDeliveries } from '../../../shared/contract/webhooks/webhook-deliveries.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { deliveryParts, matchesFilters, presentDelivery } from '../../../shared/http/present-delivery.ts';
import { listOwn } from '../../../shared/http/read.ts';

export const handler = listOwn(
	listWebhookDeliveries,
	edgeDeps,
	'delivery',
	matchesFilters,
	presentDelivery,
	deliveryParts,
);
