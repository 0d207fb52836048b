import * as z from 'zod/mini';
import { awsCli } from '../aws-cli.ts';
import { deployedStack } from '../deployed-stack.ts';
import { SmokeFailure } from './probe.ts';

const Alarms = z.object({ MetricAlarms: z.array(z.object({ AlarmName: z.string(), StateValue: z.string() })) });

/**
 * Throws `SmokeFailure` if an alarm of the stack is in the state ALARM. `outputs` is null for the local stack, which has no
 * alarms.
 */
export async function alarms(outputs: string | null): Promise<string> {
	if (outputs === null) return 'skipped: alarms are on AWS only';
	const { name: stack } = deployedStack(outputs);
	const alarmState = await askAlarm(stack);
	if (alarmState === null) return 'skipped: the AWS CLI is not installed';
	const { MetricAlarms } = Alarms.parse(JSON.parse(alarmState));
	if (MetricAlarms.length === 0) throw new SmokeFailure('monitoring', `no alarm of the stack ${stack} was found`);
	const sounding = MetricAlarms.filter(({ StateValue }) => StateValue === 'ALARM').map(({ AlarmName }) => AlarmName);
	if (sounding.length > 0) throw new SmokeFailure('monitoring', `in ALARM: ${sounding.join(', ')}`);
	return `${MetricAlarms.length} alarms, none in ALARM`;
}

async function askAlarm(stack: string): Promise<string | null> {
	try {
		return await awsCli('cloudwatch', 'describe-alarms', '--alarm-name-prefix', `${stack}-`);
	} catch (error) {
		throw new SmokeFailure('monitoring', `aws cloudwatch describe-alarms: ${String(error).slice(0, 300)}`);
	}
}
