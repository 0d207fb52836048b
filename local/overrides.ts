import { readFileSync } from 'node:fs';
import type { Overrides } from '../shared/overrides.ts';

// The build of the local stack puts this file into its bundles in place of shared/overrides.ts. The local stack sets these
// variables from its options.

const {
	LOCAL_SPEED,
	LOCAL_PATIENCE,
	LOCAL_RETRY_SCHEDULE,
	LOCAL_ALLOWED_WEBHOOK_HOSTS,
	LOCAL_TRUSTED_CA_FILE,
	LOCAL_WIDGET_SCRIPT,
} = process.env;

export const overrides: Overrides = {
	speed: Number(LOCAL_SPEED ?? 1),
	patience: Number(LOCAL_PATIENCE ?? 1),
	retry_schedule_seconds: LOCAL_RETRY_SCHEDULE ? LOCAL_RETRY_SCHEDULE.split(',').map(Number) : null,
	allowed_webhook_hosts: LOCAL_ALLOWED_WEBHOOK_HOSTS ? LOCAL_ALLOWED_WEBHOOK_HOSTS.split(',') : [],
	webhook_refusal_hint:
		'For a receiver on this machine, run "npm run listen -- --forward-to http://localhost:8080", ' +
		'or start the stack with --allow-webhook-host host:port.',
	trusted_ca_pem: LOCAL_TRUSTED_CA_FILE ? readFileSync(LOCAL_TRUSTED_CA_FILE, 'utf8') : null,
	widget_script: LOCAL_WIDGET_SCRIPT ?? null,
};
