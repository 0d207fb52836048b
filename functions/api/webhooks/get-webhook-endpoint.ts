import { getWebhookEndpoint } from '../../../shared/contract/webhooks/webhook-endpoints.ts';
import { edgeDeps } from '../../../shared/deps.ts';
import { asStored, getOne } from '../../../shared/http/edge/read.ts';

export const handler = getOne(getWebhookEndpoint, edgeDeps, 'webhook_endpoint', asStored);
