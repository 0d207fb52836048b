import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

/** Sections of docs/runbook.md, by their anchors. */
export const runbookSections = [
	'dead-letters',
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
	'a-limit-is-spent',
] as const;

type AlarmProps = {
	/** The impact on visitors or customers, in one sentence. Every alarm has one. */
	readonly impact: string;
	readonly runbook: (typeof runbookSections)[number];
	/** Fires at this value or above. */
	readonly threshold: number;
	readonly periods: number;
	/** Fires when the value falls to the threshold or no data comes, instead of when it rises. */
	readonly falling?: true;
};

export type Raise = (id: string, metric: IMetric, props: AlarmProps) => void;

/**
 * Creates alarms that notify `topic` when they fire and when they are over. The description of each has its impact and
 * its section of the runbook.
 */
export function alarmsOf(scope: Construct, topic: ITopic | undefined): Raise {
	const { GREATER_THAN_OR_EQUAL_TO_THRESHOLD: RISEN, LESS_THAN_OR_EQUAL_TO_THRESHOLD: FALLEN } = ComparisonOperator;
	return (id, metric, { impact, runbook, threshold, periods, falling = false }) => {
		const alarm = new Alarm(scope, id, {
			metric,
			threshold,
			evaluationPeriods: periods,
			comparisonOperator: falling ? FALLEN : RISEN,
			treatMissingData: falling ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
			alarmDescription: `${impact} See docs/runbook.md#${runbook}`,
		});
		if (topic === undefined) return;
		alarm.addAlarmAction(new SnsAction(topic));
		alarm.addOkAction(new SnsAction(topic));
	};
}
