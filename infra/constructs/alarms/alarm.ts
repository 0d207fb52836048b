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
	/** What it means for visitors or customers, in a sentence. There is no alarm without. */
	readonly impact: string;
	/** What to do. */
	readonly runbook: (typeof runbookSections)[number];
	/** Fires at this value and beyond. */
	readonly threshold: number;
	/** Periods in a row. */
	readonly periods: number;
	/** ARN of the topic that hears of it. */
	readonly action: string;
	/** Fires when the value falls to the threshold or no data comes, instead of when it rises. */
	readonly falling?: true;
};

/** Raises an alarm that says whom it hurts and where to read on. */
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
