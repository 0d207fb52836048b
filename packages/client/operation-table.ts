// Generated from the route table by `node tools/generate/client-methods.ts`.

import type { Operation, Row } from './wire.ts';

/** Each operation, as in the server's route table. If this list and the route table differ, the code does not compile. */
export const operations = {
	'list-calls': { method: 'GET', path: '/calls', idempotent: false },
	'get-call': { method: 'GET', path: '/calls/{id}', idempotent: false },
	'cancel-call': { method: 'POST', path: '/calls/{id}/cancel', idempotent: true },
	'list-callback-leads': { method: 'GET', path: '/callback-leads', idempotent: false },
	'get-callback-lead': { method: 'GET', path: '/callback-leads/{id}', idempotent: false },
	'update-callback-lead': { method: 'PATCH', path: '/callback-leads/{id}', idempotent: true },
	'create-webhook-endpoint': { method: 'POST', path: '/webhook-endpoints', idempotent: true },
	'list-webhook-endpoints': { method: 'GET', path: '/webhook-endpoints', idempotent: false },
	'get-webhook-endpoint': { method: 'GET', path: '/webhook-endpoints/{id}', idempotent: false },
	'change-webhook-endpoint': { method: 'PATCH', path: '/webhook-endpoints/{id}', idempotent: true },
	'delete-webhook-endpoint': { method: 'DELETE', path: '/webhook-endpoints/{id}', idempotent: false },
	'rotate-webhook-secret': { method: 'POST', path: '/webhook-endpoints/{id}/rotate-secret', idempotent: true },
	'test-webhook-endpoint': { method: 'POST', path: '/webhook-endpoints/{id}/test', idempotent: false },
	'recover-webhook-endpoint': { method: 'POST', path: '/webhook-endpoints/{id}/recover', idempotent: false },
	'list-webhook-deliveries': { method: 'GET', path: '/webhook-deliveries', idempotent: false },
	'get-webhook-delivery': { method: 'GET', path: '/webhook-deliveries/{id}', idempotent: false },
	'retry-webhook-delivery': { method: 'POST', path: '/webhook-deliveries/{id}/retry', idempotent: true },
	'list-events': { method: 'GET', path: '/events', idempotent: false },
	'get-event': { method: 'GET', path: '/events/{id}', idempotent: false },
} as const satisfies { readonly [O in Operation]: Row<O> };
