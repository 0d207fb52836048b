import { Duration, RemovalPolicy } from 'aws-cdk-lib';

/** The shortest wait that KMS accepts. Until then, the deletion of a key can be cancelled. */
const KEY_GOES_AFTER = Duration.days(7);

/** Whether resources with data are deleted with the stack. */
export const goes = (policy: RemovalPolicy): boolean => policy === RemovalPolicy.DESTROY;

/** Keys with the policy to stay outlive the stack, except those of a failed first deployment, which have sealed nothing. */
export const removalOfKey = (policy: RemovalPolicy) =>
	goes(policy)
		? { removalPolicy: policy, pendingWindow: KEY_GOES_AFTER }
		: { removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE };
