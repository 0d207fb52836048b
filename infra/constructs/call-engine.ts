import { Construct } from 'constructs';
import { type Platform, serviceFunction } from './platform.ts';
import type { ServiceFunction } from './service-function.ts';
import { workerSeconds } from './work-queues.ts';

const descriptions = {
	'dial-leg': 'Asks the provider to ring one person',
	'hang-up-leg': 'Ends a leg that is still live',
	'call-timer': 'Looks at a call whose deadline has come',
} as const;

/** What moves calls: dialling, hanging up, deadlines. */
export class CallEngine extends Construct {
	readonly functions: readonly ServiceFunction[];

	constructor(scope: Construct, id: string, platform: Platform) {
		super(scope, id);
		const worker = (name: keyof typeof descriptions): ServiceFunction => {
			const props = { description: descriptions[name], timeout_seconds: workerSeconds[name], memory_mb: 1024 };
			const created = serviceFunction(this, name, platform, props);
			platform.queues.feed(created);
			return created;
		};
		this.functions = [worker('dial-leg'), worker('hang-up-leg'), worker('call-timer')];
	}
}
