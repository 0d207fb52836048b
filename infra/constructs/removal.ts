import { Duration, RemovalPolicy } from 'aws-cdk-lib';

/** The shortest time that KMS allows until a key is deleted. Until then, the deletion can be canceled. */
const KEY_GOES_AFTER = Duration.days(7);

/** Whether resources with data are deleted with the stack. */
export const goes = (policy: RemovalPolicy): boolean => policy === RemovalPolicy.DESTROY;

/**
 * How a key is removed. If the policy is to keep data, keys outlive the stack. Only the keys of a failed first deployment
 * are deleted, because nothing is encrypted with them yet.
 */
export const removalOfKey = (policy: RemovalPolicy) =>
	goes(policy)
		? { removalPolicy: policy, pendingWindow: KEY_GOES_AFTER }
		: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE };
