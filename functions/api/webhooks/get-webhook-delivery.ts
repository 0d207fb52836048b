import { getWebhookDelivery } from '../../../shared/contract/webhooks/webhook-deliveries.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { presentInFull } from '../../../shared/http/present-delivery.ts';
import { getOne } from '../../../shared/http/read.ts';

export const handler = getOne(getWebhookDelivery, edgeDeps, 'delivery', presentInFull);
