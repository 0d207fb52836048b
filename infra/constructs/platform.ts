import type { Construct } from 'constructs';
import type { Capability } from '../access.ts';
import { accessOf, type FunctionName, isWorker, type Worker } from '../function-access.ts';
import { type FunctionFacts, workerRows } from '../workers.ts';
import type { Concurrency } from './concurrency.ts';
import type { DataTable } from './data-table.ts';
import { type Grant, ServiceFunction } from './service-function.ts';
import type { ServiceKeys } from './service-keys.ts';
import type { Settings } from './settings.ts';
import type { WorkQueues } from './work-queues.ts';

/** The resources that functions use. */
export type Platform = {
	readonly bundles: string;
	readonly table: DataTable;
	readonly queues: WorkQueues;
	readonly keys: ServiceKeys;
	readonly settings: Settings;
	readonly concurrency: Concurrency;
	/** The URL of the API for clients and providers, ending in /v1. */
	readonly base_url: string;
	/** The URL of the widget's script. */
	readonly widget_script: string;
};

const capabilities: Readonly<Record<Capability, (platform: Platform) => Grant>> = {
	seal_numbers: ({ keys }) => keys.sealNumbers(),
	open_numbers: ({ keys }) => keys.openNumbers(),
	seal_secrets: ({ keys }) => keys.sealSecrets(),
	open_secrets: ({ keys }) => keys.openSecrets(),
	macs: ({ keys }) => keys.macs(),
	telephony: ({ settings, base_url }) => settings.telephony(base_url),
	caller_number: ({ settings }) => settings.callerNumber(),
	telephony_presence: ({ settings }) => settings.telephonyPresence(),
	mail: ({ settings, base_url }) => settings.mail(base_url),
	site: ({ base_url, widget_script }) => {
		return { statements: [], environment: { WIDGET_SCRIPT: widget_script, PUBLIC_BASE_URL: base_url } };
	},
};

/** The function's row in function-access.ts as IAM statements and environment variables. */
function grantOf(name: FunctionName, platform: Platform): Grant {
	const access = accessOf(name);
	const grants: Grant[] = [
		platform.table.grant(access),
		platform.queues.sending(access.send),
		platform.queues.receiving(name),
		...access.use.map((use) => capabilities[use](platform)),
		...(isWorker(name) ? [] : [platform.settings.documentation()]),
	];
	return {
		statements: grants.flatMap((grant) => grant.statements),
		environment: Object.assign({}, ...grants.map((grant) => grant.environment)),
	};
}

/** Creates a function of the product with exactly the permissions of its row. */
export function serviceFunction(
	scope: Construct,
	name: FunctionName,
	platform: Platform,
	props: FunctionFacts,
): ServiceFunction {
	return new ServiceFunction(scope, {
		...props,
		name,
		description: `${name}: ${props.description}`,
		bundles: platform.bundles,
		log_retention: platform.settings.logRetention,
		grant: grantOf(name, platform),
		follows_itself: platform.queues.leadsBack(name, accessOf(name).send),
		reserved_concurrency: platform.concurrency.reservedFor(name),
	});
}

/** Creates a worker as its row in workers.ts says, and connects it to the queues that it consumes. */
export function workerFunction(scope: Construct, name: Worker, platform: Platform): ServiceFunction {
	const worker = serviceFunction(scope, name, platform, workerRows[name]);
	platform.queues.feed(worker);
	return worker;
}
