import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Capability } from '../access.ts';
import { accessOf, type FunctionName, isWorker } from '../function-roles.ts';
import { type FunctionFacts, reservedFor } from '../workers.ts';
import type { DataTable } from './data-table.ts';
import { type Grant, ServiceFunction, variables } from './service-function.ts';
import type { ServiceKeys } from './service-keys.ts';
import type { Settings } from './settings.ts';
import type { WorkQueues } from './work-queues.ts';

export type Platform = {
	readonly bundles: string;
	readonly log_retention: RetentionDays;
	readonly table: DataTable;
	readonly queues: WorkQueues;
	readonly keys: ServiceKeys;
	readonly settings: Settings;
	/** How many executions to reserve for each function that a live call needs. Undefined if none are reserved. */
	readonly call_concurrency: number | undefined;
	/** The address of the API for clients and providers, ending in /v1. */
	readonly base_url: string;
	readonly widget_script: string;
};

const capabilities: Readonly<Record<Capability, (platform: Platform) => Grant>> = {
	seal_numbers: ({ keys }) => keys.sealNumbers(),
	open_numbers: ({ keys }) => keys.openNumbers(),
	seal_secrets: ({ keys }) => keys.sealSecrets(),
	open_secrets: ({ keys }) => keys.openSecrets(),
	macs: ({ keys }) => keys.macs(),
	telephony: ({ settings }) => settings.telephony,
	caller_number: ({ settings }) => settings.caller_number,
	telephony_presence: ({ settings }) => settings.telephony_presence,
	mail: ({ settings }) => settings.mail,
	public_address: ({ base_url }) => variables({ PUBLIC_BASE_URL: base_url }),
	site: ({ base_url, widget_script }) => variables({ WIDGET_SCRIPT: widget_script, PUBLIC_BASE_URL: base_url }),
};

/**
 * What the function's row in function-roles.ts allows, as IAM statements and environment variables. A worker may also
 * receive from its queues, and a function behind the gateway also gets the address of the documentation.
 */
function grantOf(name: FunctionName, platform: Platform): Grant {
	const access = accessOf(name);
	const grants: Grant[] = [
		platform.table.grant(access),
		platform.queues.sending(access.send),
		platform.queues.receiving(name),
		...access.use.map((use) => capabilities[use](platform)),
		...(isWorker(name) ? [] : [platform.settings.documentation]),
	];
	return {
		statements: grants.flatMap((grant) => grant.statements),
		environment: Object.assign({}, ...grants.map((grant) => grant.environment)),
	};
}

/** Creates a function of the product with exactly the permissions that `grantOf` returns. */
export function serviceFunction(scope: Construct, name: FunctionName, platform: Platform, facts: FunctionFacts) {
	return new ServiceFunction(scope, {
		...facts,
		name,
		description: `${name}: ${facts.description}`,
		bundles: platform.bundles,
		log_retention: platform.log_retention,
		grant: grantOf(name, platform),
		follows_itself: platform.queues.leadsBack(name, accessOf(name).send),
		reserved_concurrency: reservedFor(name, platform.call_concurrency),
	});
}
