import { secretVault, webhookSender, workerDeps } from '../../shared/deps.ts';
import { consume } from '../../shared/messages/consume.ts';
import { messageSchemas } from '../../shared/messages/schemas.ts';
import { overrides } from '../../shared/overrides.ts';
import { attemptDelivery } from '../../shared/use-cases/attempt-delivery.ts';

const deps = {
	...workerDeps('deliver-webhook'),
	vault: secretVault(),
	sender: webhookSender(),
	schedule: overrides.retry_schedule_seconds,
};

export const handler = consume('deliver-webhook', messageSchemas.deliveries, deps.log, (message) =>
	attemptDelivery(message, deps),
);
