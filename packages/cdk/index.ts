import { join } from 'node:path';
import type { Construct } from 'constructs';
import { CallBack as Service } from '../../infra/call-back.ts';
import type { CallBackProps } from '../../infra/properties.ts';

export type { AliasTarget } from '../../infra/alias-target.ts';
export type { ServiceMetric } from '../../infra/constructs/alarms/metrics.ts';
export type { QueueName } from '../../infra/constructs/work-queues.ts';
export type { FunctionName } from '../../infra/function-roles.ts';
export type { CallBackProps, TelephonyProps } from '../../infra/properties.ts';

/**
 * The Call-Back Widget Service in your stack: an API, its functions, a table, queues, keys, alarms and the widget's files. A
 * stack can have at most one `CallBack`. The table, the keys and the widget's files outlive the stack, unless `removalPolicy`
 * says otherwise.
 */
export class CallBack extends Service {
	/** If properties are wrong, throws an error with a sentence for each of them: its name, and what was expected. */
	constructor(scope: Construct, id: string, props: CallBackProps = {}) {
		super(scope, id, props, join(import.meta.dirname, 'functions'));
	}
}
