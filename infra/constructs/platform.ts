import type { Construct } from 'constructs';
import { accessOf, type Capability, type FunctionName, isWorker, type Worker } from '../function-access.ts';
import { workerMemoryMb } from '../function-memory.ts';
import type { Concurrency } from './concurrency.ts';
import type { DataTable } from './data-table.ts';
import { type Grant, ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import type { ServiceKeys } from './service-keys.ts';
import type { Settings } from './settings.ts';
import { type WorkQueues, workerSeconds } from './work-queues.ts';

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

const capabilities: Readonly<Record<Capability, (platform: Platform) => Grant>> = {
	seal_numbers: ({ keys }) => keys.sealNumbers(),
	open_numbers: ({ keys }) => keys.openNumbers(),
	seal_secrets: ({ keys }) => keys.sealSecrets(),
	open_secrets: ({ keys }) => keys.openSecrets(),
	macs: ({ keys }) => keys.macs(),
	cursor_macs: ({ keys }) => keys.cursorMacs(),
	telephony: ({ settings, base_url }) => settings.telephony(base_url),
	caller_number: ({ settings }) => settings.callerNumber(),
	talk_pace: ({ settings }) => settings.talkPace(),
	telephony_presence: ({ settings }) => settings.telephonyPresence(),
	mail: ({ settings, base_url }) => settings.mail(base_url),
};

/** The function's row in function-access.ts as IAM statements and environment variables. */
function grantOf(name: FunctionName, platform: Platform): Grant {
	const access = accessOf(name);
	const grants: Grant[] = [
		platform.table.grant(access),
		platform.queues.sending(access.send),
		platform.queues.measuring(access.measure),
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

/** Creates a worker with its time-out and its memory, and connects it to the queues that it consumes. */
export function workerFunction(
	scope: Construct,
	name: Worker,
	platform: Platform,
	words: Pick<ServiceFunctionProps, 'description' | 'impact'>,
): ServiceFunction {
	const sizes = { timeout_seconds: workerSeconds[name], memory_mb: workerMemoryMb[name] };
	const worker = serviceFunction(scope, name, platform, { ...words, ...sizes });
	platform.queues.feed(worker);
	return worker;
}
