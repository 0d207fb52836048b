import type { DeveloperAction } from './actions.ts';
import { type Action, actionRunner, type Needs } from './define-action.ts';
import { retryDelivery } from './deliveries/delivery-actions.ts';
import { createKey, revokeKey } from './keys/key-actions.ts';
import {
	changeEndpoint,
	createEndpoint,
	deleteEndpoint,
	disableEndpoint,
	enableEndpoint,
	rotateSecret,
	testEndpoint,
} from './webhooks/endpoint-actions.ts';
import { recoverDeliveries } from './webhooks/recover-deliveries.ts';

/** The actions of the developers' forms. */
const developerActions: Readonly<Record<DeveloperAction, Action<Needs<'queues' | 'vault' | 'sender'>>>> = {
	'create-endpoint': createEndpoint,
	'change-endpoint': changeEndpoint,
	'enable-endpoint': enableEndpoint,
	'disable-endpoint': disableEndpoint,
	'test-endpoint': testEndpoint,
	'rotate-secret': rotateSecret,
	'delete-endpoint': deleteEndpoint,
	'recover-deliveries': recoverDeliveries,
	'retry-delivery': retryDelivery,
	'create-key': createKey,
	'revoke-key': revokeKey,
};

export const runDeveloperAction = actionRunner(developerActions);
