import type { Construct } from 'constructs';
import { accessOf, type Capability, type FunctionName } from '../function-access.ts';
import type { DataTable } from './data-table.ts';
import { type Grant, ServiceFunction, type ServiceFunctionProps } from './service-function.ts';
import type { ServiceKeys } from './service-keys.ts';
import type { WorkQueues } from './work-queues.ts';

/** What functions stand on. */
export type Platform = {
	readonly bundles: string;
	readonly table: DataTable;
	readonly queues: WorkQueues;
	readonly keys: ServiceKeys;
	/** Environment of functions that speak with the telephony provider. */
	readonly telephony: Readonly<Record<string, string>>;
};

function capability(use: Capability, { keys, telephony }: Platform): Grant {
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
		case 'telephony':
			return { statements: [], environment: telephony };
	}
}

/** The function's row in function-access.ts as IAM statements and environment variables. */
function grantOf(name: FunctionName, platform: Platform): Grant {
	const access = accessOf(name);
	const grants: Grant[] = [
		platform.table.grant(access),
		platform.queues.sending(access.send),
		platform.queues.receiving(name),
		...access.use.map((use) => capability(use, platform)),
	];
	return {
		statements: grants.flatMap((grant) => grant.statements),
		environment: Object.assign({}, ...grants.map((grant) => grant.environment)),
	};
}

/** Makes a function of the product: with exactly what its row gives it. */
export function serviceFunction(
	scope: Construct,
	name: FunctionName,
	platform: Platform,
	props: Pick<ServiceFunctionProps, 'description' | 'timeout_seconds' | 'memory_mb'>,
): ServiceFunction {
	const description = `${name}: ${props.description}`;
	return new ServiceFunction(scope, {
		...props,
		name,
		description,
		bundles: platform.bundles,
		grant: grantOf(name, platform),
	});
}
