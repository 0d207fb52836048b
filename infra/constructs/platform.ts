import type { Construct } from 'constructs';
import { accessOf, type Capability, type FunctionName, isWorker } from '../function-access.ts';
import type { Concurrency } from './concurrency.ts';
import type { DataTable } from './data-table.ts';
import { type Grant, ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
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
};

function capability(use: Capability, { keys, settings, base_url }: Platform): Grant {
	switch (use) {
		case 'seal_numbers':
			return keys.sealNumbers();
		case 'open_numbers':
			return keys.openNumbers();
		case 'seal_secrets':
			return keys.sealSecrets();
		case 'open_secrets':
			return keys.openSecrets();
		case 'macs':
			return keys.macs();
		case 'cursor_macs':
			return keys.cursorMacs();
		case 'telephony':
			return settings.telephony(base_url);
		case 'caller_number':
			return settings.callerNumber();
		case 'talk_pace':
			return settings.talkPace();
		case 'telephony_presence':
			return settings.telephonyPresence();
		case 'mail':
			return settings.mail(base_url);
	}
}

/** The function's row in function-access.ts as IAM statements and environment variables. */
function grantOf(name: FunctionName, platform: Platform): Grant {
	const access = accessOf(name);
	const grants: Grant[] = [
		platform.table.grant(access),
		platform.queues.sending(access.send),
		platform.queues.measuring(access.measure),
		platform.queues.receiving(name),
		...access.use.map((use) => capability(use, platform)),
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
	props: Pick<ServiceFunctionProps, 'description' | 'impact' | 'timeout_seconds' | 'memory_mb'>,
): ServiceFunction {
	return new ServiceFunction(scope, {
		...props,
		name,
		description: `${name}: ${props.description}`,
		bundles: platform.bundles,
		grant: grantOf(name, platform),
		follows_itself: platform.queues.leadsBack(name, accessOf(name).send),
		reserved_concurrency: platform.concurrency.reservedFor(name),
	});
}
