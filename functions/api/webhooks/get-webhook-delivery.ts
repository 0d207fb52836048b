import { getWebhookDelivery } from '../../../shared/contract/webhooks/webhook-deliveries.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { getOne } from '../../../shared/http/edge/read.ts';
import { presentInFull } from '../../../shared/http/webhooks/present-delivery.ts';

export const handler = getOne(getWebhookDelivery, edgeDeps, 'delivery', presentInFull);
