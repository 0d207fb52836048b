import { listWebhookDeliveries } from '../../../shared/contract/webhooks/webhook-deliveries.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { listOwn } from '../../../shared/http/edge/read.ts';
import { deliveryParts, matchesFilters, presentDelivery } from '../../../shared/http/webhooks/present-delivery.ts';

export const handler = listOwn(
	listWebhookDeliveries,
	edgeDeps,
	'delivery',
	matchesFilters,
	presentDelivery,
	deliveryParts,
);
