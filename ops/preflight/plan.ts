import type { Deployment } from '../../infra/deployment.ts';
import { providerSettings } from '../../infra/properties.ts';

/** Where a deployment goes. `account`: that of the credentials; null: AWS did not tell it. */
export type Place = { readonly account: string | null; readonly region: string };

/** The phone provider of a deployment. `secret`: its ARN. */
export type PlannedProvider = {
	readonly provider: string;
	/** As the functions read them. */
	readonly settings: Readonly<Record<string, unknown>>;
	readonly callerNumber: string;
	readonly secret: string;
};

/** The facts about a deployment that are known beforehand. An absent part is not deployed, or not known yet. */
export type Plan = {
	readonly stackName?: string;
	readonly mailSender?: string;
	readonly telephony?: PlannedProvider;
	/** Executions of Lambda that the stack reserves. */
	readonly reserved?: number;
	/** The region of the certificate of `domainName`. */
	readonly certificateRegion?: string;
	/** The account that the app deploys the stack to, if the app names one. */
	readonly account?: string;
	readonly bootstrap?: Bootstrap;
	/** The properties that only the deployment knows. */
	readonly open?: readonly string[];
};

/** The version of the bootstrap that the stack requires, and the parameter of SSM that has it. */
export type Bootstrap = { readonly version: number; readonly parameter: string };

/**
 * The bootstrap of this CDK's templates with the default qualifier
 * (https://docs.aws.amazon.com/cdk/v2/guide/bootstrapping-env.html).
 */
export const DEFAULT_BOOTSTRAP: Bootstrap = { version: 6, parameter: '/cdk-bootstrap/hnb659fds/version' };

const CALL_FUNCTIONS = 5;
/** Functions that wait have reservations of their own, in addition to those of calls: see infra/workers.ts. */
const RESERVED_FOR_OTHERS = 7;

export type Planned = Pick<Deployment, 'telephony' | 'mailSender' | 'callConcurrency' | 'certificate'> &
	Partial<Pick<Deployment, 'stackName'>>;

/** The plan of a file of properties. */
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

/** The region of the certificate with this ARN. */
export function regionOfArn(arn: string): Pick<Plan, 'certificateRegion'> {
	const [, , , region = ''] = arn.split(':');
	return region === '' ? {} : { certificateRegion: region };
}
