import type { Deployment } from '../../infra/deployment.ts';
import { providerSettings } from '../../infra/properties.ts';

/**
 * The account and the region of a deployment. `account` is the account of the credentials, or null if AWS did not say it.
 */
export type Place = { readonly account: string | null; readonly region: string };

/** The phone provider of a deployment. `secret` is the ARN of its secret. */
export type PlannedProvider = {
	readonly provider: string;
	/** The settings in the form in which the functions read them. */
	readonly settings: Readonly<Record<string, unknown>>;
	readonly callerNumber: string;
	readonly secret: string;
};

/**
 * What is known about a deployment before it is made. If a property is absent, that part is not deployed, or is not known
 * yet.
 */
export type Plan = {
	readonly stackName?: string;
	readonly mailSender?: string;
	readonly telephony?: PlannedProvider;
	/** How many executions of Lambda the stack reserves. */
	readonly reserved?: number;
	/** The region of the certificate for `domainName`. */
	readonly certificateRegion?: string;
	/** The account to which the app deploys the stack, if the app names one. */
	readonly account?: string;
	readonly bootstrap?: Bootstrap;
	/** The names of the properties that are known only at the deployment. */
	readonly open?: readonly string[];
};

/** The version of the CDK's bootstrap that the stack requires, and the SSM parameter that contains the version. */
export type Bootstrap = { readonly version: number; readonly parameter: string };

/**
 * The bootstrap that this CDK's templates require, with the default qualifier
 * (https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html).
 */
export const DEFAULT_BOOTSTRAP: Bootstrap = { version: 6, parameter: '/cdk-bootstrap/hnb659fds/version' };

const CALL_FUNCTIONS = 5;
/**
 * How many executions are reserved for functions that wait for a customer's server or read for a long time (see
 * infra/workers.ts). These are in addition to the executions for the functions that calls need.
 */
const RESERVED_FOR_OTHERS = 7;

export type Planned = Pick<Deployment, 'telephony' | 'mailSender' | 'callConcurrency' | 'certificate'> &
	Partial<Pick<Deployment, 'stackName'>>;

/** The plan for the properties in a file. */
export function planOfFile({ telephony, mailSender, callConcurrency, certificate, stackName }: Planned): Plan {
	return {
		...(stackName !== undefined && { stackName }),
		...(mailSender !== undefined && { mailSender }),
		...(telephony !== undefined &&
			telephony.provider !== 'simulator' && {
				telephony: {
					provider: telephony.provider,
					settings: providerSettings(telephony),
					callerNumber: telephony.callerNumber,
					secret: telephony.secret,
				},
			}),
		...(callConcurrency !== undefined && { reserved: CALL_FUNCTIONS * callConcurrency + RESERVED_FOR_OTHERS }),
		...(certificate !== undefined && regionOfArn(certificate)),
	};
}

/** The region that the ARN of a certificate contains. */
export function regionOfArn(arn: string): Pick<Plan, 'certificateRegion'> {
	const [, , , region = ''] = arn.split(':');
	return region === '' ? {} : { certificateRegion: region };
}
