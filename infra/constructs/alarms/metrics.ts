import { Stats } from 'aws-cdk-lib/aws-cloudwatch';

/**
 * The metrics that the service takes from its own logs, each with the statistic with which to read it. The namespace of
 * these metrics is the name of the stack. These metrics have no dimensions.
 */
export const serviceMetrics = {
	/** Calls that visitors asked for and the service accepted. */
	CallsAccepted: Stats.SUM,
	/** Requests that were refused because a limit of their whole workspace was full. */
	LimitsSpent: Stats.SUM,
	/** Requests that claim to come from the phone provider and were refused as forged. */
	RefusedCallbacks: Stats.SUM,
	/** Requests to the server API without a valid key. */
	RefusedKeys: Stats.SUM,
	/** How late overdue work was when the sweep found it, in milliseconds. */
	SweepLate: Stats.MAXIMUM,
} as const;

export type ServiceMetric = keyof typeof serviceMetrics;
