import { Stack } from 'aws-cdk-lib';
import type { Metric, MetricOptions, Unit } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';

type LogMetricProps = {
	readonly name: string;
	/** The lines that count. */
	readonly of: IFilterPattern;
	/** What each of them adds: a number, or the field that has it. */
	readonly value?: string;
	readonly unit?: Unit;
	readonly read: Required<Pick<MetricOptions, 'statistic' | 'period'>>;
};

/** A metric of a log's lines, in the stack's own namespace. `id`: of its filter, below the log. */
export function logMetric(log: LogGroup, id: string, { name, of, value = '1', unit, read }: LogMetricProps): Metric {
	return log
		.addMetricFilter(id, {
			filterPattern: of,
			metricNamespace: Stack.of(log).stackName,
			metricName: name,
			metricValue: value,
			...(unit && { unit }),
		})
		.metric(read);
}
