import { Construct } from 'constructs';
import { type Platform, workerFunction } from './platform.ts';
import type { ServiceFunction } from './service-function.ts';

/** The workers that advance calls: dialling, hanging up, deadlines. */
export class CallEngine extends Construct {
	readonly functions: readonly ServiceFunction[];

	/**
	 * `hearing`: the functions that receive callbacks about legs. CloudFormation updates them before the function that dials,
	 * because they must understand the callback addresses that it gives out.
	 */
	constructor(scope: Construct, id: string, platform: Platform, hearing: readonly ServiceFunction[]) {
		super(scope, id);
		const dialling = workerFunction(this, 'dial-leg', platform);
		for (const { lambda } of hearing) dialling.lambda.node.addDependency(lambda);
		this.functions = [
			dialling,
			workerFunction(this, 'hang-up-leg', platform),
			workerFunction(this, 'call-timer', platform),
		];
	}
}
