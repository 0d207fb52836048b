import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

/** Sections of docs/runbook.md, by their anchors. */
export const runbookSections = [
	'dead-letters',
	'exhausted-endpoints',
	'stuck-deliveries',
	'a-queue-grows-old',
	'work-is-overdue',
	'a-function-fails',
	'a-function-is-throttled',
	'the-api-answers-5xx',
	'the-api-is-slow',
	'the-table-is-throttled',
	'the-sweep-stands-still',
	'callbacks-are-refused',
	'api-keys-are-refused',
	'many-calls',
] as const;

export type AlarmProps = {
	readonly metric: IMetric;
	/** The impact on visitors or customers, in one sentence. Every alarm has one. */
	readonly impact: string;
	/** The section that says what to do. */
	readonly runbook: (typeof runbookSections)[number];
	/** Fires at this value or above. */
	readonly threshold: number;
	/** Consecutive periods. */
	readonly periods: number;
	/** ARN of the topic to notify. */
	readonly action: string;
	/** Fires when the value falls to the threshold or no data comes, instead of when it rises. */
	readonly falling?: true;
};

/** Creates an alarm whose description has its impact and its section of the runbook. */
export function raiseAlarm(scope: Construct, id: string, props: AlarmProps): Alarm {
	const { GREATER_THAN_OR_EQUAL_TO_THRESHOLD: RISEN, LESS_THAN_OR_EQUAL_TO_THRESHOLD: FALLEN } = ComparisonOperator;
	const alarm = new Alarm(scope, id, {
		metric: props.metric,
		threshold: props.threshold,
		evaluationPeriods: props.periods,
		comparisonOperator: props.falling ? FALLEN : RISEN,
		treatMissingData: props.falling ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
		alarmDescription: `${props.impact} See docs/runbook.md#${props.runbook}`,
	});
	alarm.addAlarmAction({ bind: () => ({ alarmActionArn: props.action }) });
	return alarm;
}
