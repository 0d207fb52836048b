import { secretVault, webhookSender, workerDeps } from '../../shared/deps.ts';
import { RETRY_SCHEDULE_SECONDS } from '../../shared/domain/webhooks/retry-schedule.ts';
import { consume } from '../../shared/messages/consume.ts';
import { messageSchemas } from '../../shared/messages/schemas.ts';
import { overrides } from '../../shared/overrides.ts';
import { disabledNoticeWrites } from '../../shared/use-cases/notices/endpoint-notice.ts';
import { attemptDelivery } from '../../shared/use-cases/webhooks/attempt-delivery.ts';

const deps = {
	...workerDeps('deliver-webhook'),
	vault: secretVault(),
	sender: webhookSender(),
	schedule_seconds: overrides.retry_schedule_seconds ?? RETRY_SCHEDULE_SECONDS,
	whenDisabled: disabledNoticeWrites,
};

/** Handles deliveries. `attemptDelivery` logs a line for each attempt. */
export const handler = consume('deliver-webhook', messageSchemas.deliveries, deps.log, (message) =>
	attemptDelivery(message, deps),
);
