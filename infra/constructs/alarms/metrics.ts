import { Stats } from 'aws-cdk-lib/aws-cloudwatch';

/**
 * The service's own metrics, taken from its logs, with the statistic that reads each. Their namespace is the name of the
 * stack, and they have no dimensions.
 */
export const serviceMetrics = {
	/** Calls that visitors asked for and the service took. */
	CallsAccepted: Stats.SUM,
	/** Requests that were refused because a limit of their whole workspace was full. */
	LimitsSpent: Stats.SUM,
	/** Callbacks of the provider with a wrong signature. */
	RefusedCallbacks: Stats.SUM,
	/** Requests of the server API without a valid key. */
	RefusedKeys: Stats.SUM,
	/** How late overdue work was found, in milliseconds. */
	SweepLate: Stats.MAXIMUM,
} as const;

export type ServiceMetric = keyof typeof serviceMetrics;
