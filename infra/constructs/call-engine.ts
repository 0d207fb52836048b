import { Construct } from 'constructs';
import { type Platform, workerFunction } from './platform.ts';
import type { ServiceFunction } from './service-function.ts';

const workers = {
	'dial-leg': {
		description: 'Asks the provider to ring one person',
		impact: 'Visitors or team members are not rung.',
	},
	'hang-up-leg': {
		description: 'Ends a leg that is still live',
		impact: 'Phones keep ringing, or lines stay open, after their call is over.',
	},
	'call-timer': {
		description: 'Looks at a call whose deadline has come',
		impact: 'Unanswered calls end late.',
	},
} as const;

/** The workers that advance calls: dialling, hanging up, deadlines. */
export class CallEngine extends Construct {
	readonly functions: readonly ServiceFunction[];

	/**
	 * `hearing`: the functions that receive callbacks about legs. CloudFormation updates them before the function that dials,
	 * because they must understand the callback addresses that it gives out.
	 */
	constructor(scope: Construct, id: string, platform: Platform, hearing: readonly ServiceFunction[]) {
		super(scope, id);
		const worker = (name: keyof typeof workers) => workerFunction(this, name, platform, workers[name]);
		const dialling = worker('dial-leg');
		for (const { lambda } of hearing) dialling.lambda.node.addDependency(lambda);
		this.functions = [dialling, worker('hang-up-leg'), worker('call-timer')];
	}
}
