import { Duration, RemovalPolicy } from 'aws-cdk-lib';

/** The least that KMS accepts. Until then a deleted key can be taken back. */
const KEY_GOES_AFTER = Duration.days(7);

/** Whether what holds data goes with the stack. */
export const goes = (policy: RemovalPolicy): boolean => policy === RemovalPolicy.DESTROY;

/** Keys that stay outlive the stack, except those of a failed first deployment, which have sealed nothing. */
export const removalOfKey = (policy: RemovalPolicy) =>
	goes(policy)
		? { removalPolicy: policy, pendingWindow: KEY_GOES_AFTER }
		: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE };
