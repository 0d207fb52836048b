import { listWebhookDeliveries } from '../../../shared/contract/webhooks/webhook-deliveries.ts';
import { listDeps } from '../../../shared/deps.ts';
import { matchesFilters, presentDelivery } from '../../../shared/http/present-delivery.ts';
import { listOwn } from '../../../shared/http/read.ts';

export const handler = listOwn(listWebhookDeliveries, listDeps, 'delivery', matchesFilters, presentDelivery);
