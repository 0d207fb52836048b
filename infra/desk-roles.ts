import type { routes } from '../shared/contract/routes.ts';
import type { RecordName } from '../shared/ports/registry.ts';
import type { Access } from './access.ts';

export const opensLinks = [
	'call',
	'callback_link',
	'callback_lead',
	'workspace',
] as const satisfies readonly RecordName[];

/**
 * The rows of the desk's functions. If a row has no operation, or an operation has no row, this file or infra/function-roles.ts
 * does not compile.
 */
export const deskAccess = {
	'sign-in': { count: ['any'], send: ['team-notices'], use: ['macs'] },
	'open-desk': {
		get: ['desk_link', 'desk_mailbox', 'desk_session', 'workspace'],
		query: ['desk_address'],
		// Using a mailed link writes these records. By using such a link, a person signs in, accepts an invitation, agrees to
		// get the team's messages, or restores the desk after a handover.
		put: ['desk_address', 'desk_change', 'desk_link', 'desk_mailbox', 'desk_session', 'team_notice', 'workspace'],
		// If a program, such as a mail scanner, used the link before the person did, the person's use ends the program's session.
		remove: ['desk_address', 'desk_session'],
		count: ['any'],
		send: ['team-notices'],
		use: ['macs'],
	},
	// The page of a call shows the consent. To owners and developers, the page also shows the call's events with their
	// deliveries.
	'show-desk': {
		get: [
			'blocked_address',
			'call',
			'callback_lead',
			'callback_link',
			'consent',
			// Needed to show the last visit of each person.
			'desk_address',
			'desk_session',
			'event',
			'failing_recipient',
			'number_usage',
			'site_use',
			'workspace',
		],
		query: ['closed_day', 'desk_address', 'webhook_endpoint'],
		list: ['api_key', 'call', 'callback_lead', 'delivery', 'desk_change'],
		used: true,
		tallies: true,
		// When the figures of a closed day (see `ClosedDay`) are read for the first time, this function stores their sums.
		put: ['closed_day', 'desk_address', 'desk_session'],
		use: ['site', 'caller_number'],
	},
	// The members of a team are stored with their sealed numbers, so this function reads and writes these numbers when it
	// changes the team. No function of the desk can decrypt the numbers. This function also places test calls. It needs no
	// permission to write events for test calls, because test calls have no events.
	'change-desk': {
		get: [
			...opensLinks,
			'api_key',
			'blocked_address',
			'desk_address',
			'desk_session',
			'idempotency',
			'number_usage',
			'site_use',
			'failing_recipient',
			'team_number',
			'webhook_endpoint',
		],
		query: ['desk_address', 'webhook_endpoint'],
		list: ['api_key', 'call', 'callback_lead', 'desk_change'],
		used: true,
		tallies: true,
		put: [
			// Needed to revoke the keys and disable the endpoints of a person who is removed.
			'api_key',
			'webhook_endpoint',
			'call',
			'workspace',
			'allowed_origin',
			'team_number',
			'callback_lead',
			'callback_link',
			'number_usage',
			'desk_address',
			'desk_change',
			// Needed if a person switches to another desk.
			'desk_session',
			'idempotency',
			'team_notice',
		],
		// If a person must not be called again, the person's number is removed without being read.
		remove: ['allowed_origin', 'sealed_number', 'team_number', 'desk_address', 'desk_session', 'idempotency'],
		count: ['any'],
		send: ['team-notices', 'dial-legs', 'call-timers'],
		use: ['seal_numbers', 'macs', 'site', 'telephony_presence', 'caller_number'],
	},

	'show-developers': {
		get: [
			'api_key',
			'api_key_use',
			'delivery',
			'desk_session',
			'event',
			'idempotency',
			'webhook_endpoint',
			'workspace',
		],
		query: ['delivery_attempt', 'webhook_endpoint'],
		// Needed to read the newest change: the page after a form says in words what the form has changed.
		list: ['api_key', 'delivery', 'desk_change'],
		put: ['desk_address', 'desk_session'],
		// Needed to show a new secret only once.
		remove: ['idempotency'],
	},
	// Testing an endpoint sends a signed POST, so this function may decrypt secrets. The functions for the other pages of
	// the desk may not decrypt secrets.
	'change-developers': {
		get: [
			'api_key',
			'api_key_use',
			'delivery',
			'desk_session',
			'endpoint_roster',
			'idempotency',
			'event',
			'webhook_endpoint',
			'workspace',
		],
		query: ['delivery_attempt', 'webhook_endpoint'],
		list: ['api_key', 'delivery', 'event'],
		put: ['api_key', 'delivery', 'desk_change', 'endpoint_roster', 'idempotency', 'team_notice', 'webhook_endpoint'],
		remove: ['desk_session', 'idempotency', 'webhook_endpoint'],
		count: ['any'],
		send: ['retries', 'team-notices'],
		use: ['seal_secrets', 'open_secrets'],
	},
} as const satisfies Readonly<Partial<Record<(typeof routes)[number]['operation'], Access>>>;
