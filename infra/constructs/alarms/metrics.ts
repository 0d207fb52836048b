import { Stats } from 'aws-cdk-lib/aws-cloudwatch';

/**
 * The metrics that the service takes from its own logs, each with the statistic to read it with. Their namespace is the
 * name of the stack, and they have no dimensions.
 */
export const serviceMetrics = {
	/** Calls that visitors asked for and the service accepted. */
	CallsAccepted: Stats.SUM,
	/** Requests that were refused because a limit of their whole workspace was full. */
	LimitsSpent: Stats.SUM,
	/** Callbacks of the phone provider with a wrong signature. */
	RefusedCallbacks: Stats.SUM,
	/** Requests to the server API without a valid key. */
	RefusedKeys: Stats.SUM,
	/** How late overdue work was when the sweep found it, in milliseconds. */
	SweepLate: Stats.MAXIMUM,
} as const;

export type ServiceMetric = keyof typeof serviceMetrics;
