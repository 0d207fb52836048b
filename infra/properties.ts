import { CfnResource, RemovalPolicy, Stack, Token } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import * as z from 'zod/mini';

// All properties of a deployment. The construct takes resources. In the file deployment.config.json, the ARNs of the
// resources take their place.

const expected = (what: string) => `expected ${what}`;

/** The value that the CDK uses for a look-up (`StringParameter.valueFromLookup`) that its CLI has not made yet. */
const NOT_LOOKED_UP = /^dummy-value-for-/;
const isOpen = (value: unknown): boolean =>
	Token.isUnresolved(value) || (typeof value === 'string' && NOT_LOOKED_UP.test(value));

/**
 * A text that matches `pattern`. A value that is known only at the deployment, or at the next synthesis, is accepted, too.
 */
const text = (pattern: RegExp, what: string) =>
	z.string(expected(what)).check(z.refine((value) => isOpen(value) || pattern.test(value), expected(what)));

/**
 * An address that matches `pattern`, that programs can parse, and that has no user name and no character that ends a link: pages
 * and mails of the service link to it. A value that is known only at the deployment is accepted, too.
 */
function address(pattern: RegExp, what: string) {
	const isOne = (value: string) =>
		pattern.test(value) &&
		!/[\s"<>\\^`{|}]|^https?:\/{3}/.test(value) &&
		URL.canParse(value) &&
		new URL(value).username === '';
	return z.string(expected(what)).check(z.refine((value) => isOpen(value) || isOne(value), expected(what)));
}

/** A whole number from `least` to `most`. A value that is known only at the deployment is accepted, too. */
function count(least: number, most: number, what: string) {
	const fits = (value: number) => Number.isInteger(value) && value >= least && value <= most;
	return z.number(expected(what)).check(z.refine((value) => Token.isUnresolved(value) || fits(value), expected(what)));
}

/**
 * For a property that decides which resources are created. Such a property needs its value when the app is synthesised, so a
 * token is refused.
 */
const early = (what: string) => (issue: { readonly input?: unknown }) =>
	isOpen(issue.input)
		? expected(`${what}, and a value that is known when the app is synthesised: no token`)
		: expected(what);

const choice = <const T extends readonly string[]>(choices: T) =>
	z.enum(choices, { error: early(`one of ${choices.join(', ')}`) });
const yesOrNo = z.boolean({ error: early('true or false') });

const domain = (example: string) => {
	const labels = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;
	return z.optional(text(labels, `a domain name in lower case, such as ${example}`));
};
const callerNumber = text(/^\+[1-9]\d{6,14}$/, 'a number of the account in E.164, such as +13125550100');

/**
 * The kinds of resources that properties refer to. For the construct, these resources are objects of the CDK. For a file,
 * they are ARNs.
 */
type Resources = Readonly<Record<'secret' | 'certificate' | 'widgetCertificate' | 'topic' | 'policy', z.ZodMiniType>>;

function telephonyOf<S extends z.ZodMiniType>(secret: S) {
	const twilio = z.strictObject({
		/** Twilio places the calls. */
		provider: z.literal('twilio'),
		/** The (sub-)account's SID: `AC` and 32 hexadecimal digits. */
		accountSid: text(/^AC[0-9a-fA-F]{32}$/, 'AC and 32 hexadecimal digits'),
		/** The number that people see when they are called, in E.164. It is one of the account's numbers. */
		callerNumber,
		/** The secret with the auth token, as JSON: `{ "auth_token": "..." }`. */
		secret,
		/**
		 * Whether to detect that a machine answers the visitor's call. The detection costs money and a moment of silence.
		 *
		 * @default false
		 */
		machineDetection: z.optional(yesOrNo),
		/**
		 * The region in which Twilio processes calls. Each region has credentials of its own.
		 *
		 * @default us1
		 */
		region: z.optional(choice(['us1', 'ie1', 'au1'])),
	});
	const telnyx = z.strictObject({
		/** Telnyx places the calls. */
		provider: z.literal('telnyx'),
		/** The organisation to which the TeXML application belongs. */
		accountSid: text(/./, 'the id of the organisation'),
		/** The TeXML application. It determines which countries may be called. */
		applicationSid: text(/./, 'the id of the TeXML application'),
		/** Base64 of the account's public key. */
		publicKey: text(/^[A-Za-z0-9+/]{43}=$/, 'Base64 of the 32 bytes of the account’s public key'),
		/** The number that people see when they are called, in E.164. It is one of the account's numbers. */
		callerNumber,
		/** The secret with the API key, as JSON: `{ "api_key": "..." }`. */
		secret,
		/**
		 * The region in which Telnyx processes requests.
		 *
		 * @default us
		 */
		region: z.optional(choice(['us', 'eu'])),
	});
	const simulator = z.strictObject({
		provider: z.literal('simulator'),
		/** Confirms that you know that no real phone rings, although visitors are told that they are being called. */
		trial: z.literal(true, expected('true: the simulator rings no real phone')),
		/** The address of the simulated phone network. */
		url: address(/^https?:\/\/./, 'the http(s) address of the simulated phone network'),
		/**
		 * The secret that the phone network and the service share. It is in the template, because it protects nothing. At least
		 * 16 characters.
		 */
		sharedSecret: text(/^.{16,}$/, 'at least 16 characters'),
		callerNumber: z.optional(callerNumber),
	});
	return z.discriminatedUnion(
		'provider',
		[twilio, telnyx, simulator],
		expected('provider: twilio or telnyx, no token'),
	);
}

function propertiesOf<R extends Resources>({ secret, certificate, widgetCertificate, topic, policy }: R) {
	return {
		/**
		 * The phone provider that places the calls, with its settings.
		 *
		 * @default - no one: requests for a call are refused
		 */
		telephony: z.optional(telephonyOf<R['secret']>(secret)),
		/**
		 * Your domain for the API and the desk, such as calls.shop.example. Needs `certificate`.
		 *
		 * @default - API Gateway's own name
		 */
		domainName: domain('calls.shop.example'),
		/**
		 * The certificate of `domainName`, in the region of the stack.
		 *
		 * @default - none
		 */
		certificate: z.optional<R['certificate']>(certificate),
		/**
		 * Your domain for the widget's files, such as widget.shop.example. Needs `widgetCertificate`.
		 *
		 * @default - CloudFront's own name
		 */
		widgetDomainName: domain('widget.shop.example'),
		/**
		 * The certificate of `widgetDomainName`, in us-east-1.
		 *
		 * @default - none
		 */
		widgetCertificate: z.optional<R['widgetCertificate']>(widgetCertificate),
		/**
		 * The address at which clients and providers reach the API, ending in /v1. Set it if the API is behind a proxy of
		 * yours.
		 *
		 * @default - the API's own address
		 */
		publicBaseUrl: z.optional(address(/^https?:\/\/[^?#]+\/v1$/, 'an https address that ends in /v1')),
		/**
		 * The address at which you serve the documentation. Error responses of the API link to it.
		 *
		 * @default - the responses have no link
		 */
		docsUrl: z.optional(address(/^https?:\/\/[^?#]*[^?#/]$/, 'an https address without a slash at its end')),
		/**
		 * The address from which mail to teams is sent. It must be verified in Amazon SES.
		 *
		 * @default - no mail is sent
		 */
		mailSender: z.optional(
			text(/^[^@\s]+@[^@\s]+\.[^@\s]+$/, 'an address that SES may send from, such as calls@shop.example'),
		),
		/**
		 * The topic that every alarm notifies when it fires and when it is over.
		 *
		 * @default - alarms only show in CloudWatch
		 */
		alarmTopic: z.optional<R['topic']>(topic),
		/**
		 * The permissions boundary of every role.
		 *
		 * @default - none
		 */
		permissionsBoundary: z.optional<R['policy']>(policy),
		/**
		 * What becomes of the table, the keys, the widget's files and the logs when the stack is deleted. With
		 * `RemovalPolicy.DESTROY`, all of them are deleted, and the table is not protected from deletion. Use that for stages
		 * that you will throw away.
		 *
		 * @default RemovalPolicy.RETAIN: all but the logs stay
		 */
		removalPolicy: z.optional(
			z.custom<RemovalPolicy>((value) => value === RemovalPolicy.RETAIN || value === RemovalPolicy.DESTROY, {
				error: early('RemovalPolicy.RETAIN or RemovalPolicy.DESTROY (in a file: retain, destroy)'),
				abort: false,
			}),
		),
		/**
		 * How long logs are kept, in days. It must be one of CloudWatch's choices.
		 *
		 * @default RetentionDays.THREE_MONTHS
		 */
		logRetention: z.optional(
			z.custom<RetentionDays>(
				(value) => z.enum(RetentionDays).safeParse(value).success || (typeof value === 'number' && isOpen(value)),
				{ error: expected('days that CloudWatch Logs knows, such as RetentionDays.ONE_MONTH or 30'), abort: false },
			),
		),
		/**
		 * An alarm fires if the service accepts this many call requests in an hour, over all workspaces.
		 *
		 * @default 300
		 */
		callsPerHourAlarm: z.optional(count(1, 1_000_000, 'a whole number of calls from 1 on')),
		/**
		 * How many requests a second the whole API accepts. If there are more, the gateway answers 429.
		 *
		 * @default 2000
		 */
		requestsPerSecond: z.optional(count(1, 100_000, 'a whole number of requests from 1 on')),
		/**
		 * How many executions are reserved for each of the five functions that a live call needs, 2 to 999.
		 *
		 * @default - none, as a new account requires
		 */
		callConcurrency: z.optional(count(2, 999, 'a whole number of executions, from 2 to 999')),
	};
}

/** A resource of the CDK, that is, any object that has this attribute. */
const resource = <R extends object>(attribute: string, what: string) =>
	z.custom<R>((value) => typeof value === 'object' && value !== null && attribute in value, {
		error: expected(what),
		abort: false,
	});
const arn = (pattern: string, what: string) => text(new RegExp(`^arn:[^:]+:${pattern}`), `the ARN of ${what}`);

/** The region of a certificate. Null if the region is known only at the deployment. */
function regionOf(certificate: ICertificate): string | null {
	const known = (region: string | undefined) => (region && !Token.isUnresolved(region) ? region : null);
	const { certificateArn } = certificate;
	if (!Token.isUnresolved(certificateArn)) return known(certificateArn.split(':')[3]);
	// A certificate that CloudFormation creates is in the region of its stack. Certificates of other kinds, such as custom
	// resources, choose their region.
	const child = Construct.isConstruct(certificate) ? certificate.node.defaultChild : undefined;
	const isCreated =
		CfnResource.isCfnResource(child) && child.cfnResourceType === 'AWS::CertificateManager::Certificate';
	return isCreated ? known(Stack.of(certificate).region) : null;
}

/**
 * A certificate in this region. If this region or the certificate's region is not known yet, any certificate is accepted.
 */
function certificateIn(region: string | null) {
	const what = 'a certificate of aws-certificatemanager';
	const misplaced = (input: unknown) => {
		const found = isCertificate(input) ? regionOf(input) : null;
		return expected(`${what} in ${region}, and this one is in ${found}`);
	};
	return resource<ICertificate>('certificateArn', what).check(
		z.refine((value) => region === null || !isCertificate(value) || (regionOf(value) ?? region) === region, {
			error: ({ input }) => misplaced(input),
		}),
	);
}
const isCertificate = (value: unknown): value is ICertificate =>
	typeof value === 'object' && value !== null && 'certificateArn' in value;

/** CloudFront accepts only certificates of this region. */
const CLOUDFRONT_REGION = 'us-east-1';

/** The properties of the construct. `region` is the region of the stack, or null if it is known only at the deployment. */
const ofConstruct = (region: string | null) =>
	propertiesOf({
		secret: resource<ISecret>('secretArn', 'a secret of aws-secretsmanager with the credentials of the provider'),
		certificate: certificateIn(region),
		widgetCertificate: certificateIn(CLOUDFRONT_REGION),
		topic: resource<ITopic>('topicArn', 'a topic of aws-sns'),
		policy: resource<IManagedPolicy>('managedPolicyArn', 'a managed policy of aws-iam'),
	});
const ofFile = propertiesOf({
	secret: arn('secretsmanager:[^:]+:\\d+:secret:.+', 'a secret with the credentials of the provider'),
	certificate: arn('acm:[^:]+:\\d+:certificate/.+', 'a certificate'),
	widgetCertificate: arn(`acm:${CLOUDFRONT_REGION}:\\d+:certificate/.+`, `a certificate in ${CLOUDFRONT_REGION}`),
	topic: arn('sns:[^:]+:\\d+:.+', 'a topic'),
	policy: arn('iam::\\d+:policy/.+', 'a managed policy'),
});

type Domains = Partial<Record<'domainName' | 'certificate' | 'widgetDomainName' | 'widgetCertificate', unknown>>;
const PAIRS = [
	['domainName', 'certificate'],
	['certificate', 'domainName'],
	['widgetDomainName', 'widgetCertificate'],
	['widgetCertificate', 'widgetDomainName'],
] as const;
/**
 * A domain and its certificate must be set together. This is checked even if another property is wrong, so that all faults
 * are reported at once.
 */
const inPairs = PAIRS.map(([given, lacking]) =>
	z.refine<Domains>((props) => props[given] === undefined || props[lacking] !== undefined, {
		path: [lacking],
		error: `${expected(`one, because ${given} is given`)}`,
		when: ({ value }) => typeof value === 'object' && value !== null,
	}),
);

const PROPERTIES = expected('an object with properties');
const constructSchema = (region: string | null) => z.strictObject(ofConstruct(region), PROPERTIES).check(...inPairs);
/** The properties of the construct `CallBack`. */
export type CallBackProps = Readonly<z.infer<ReturnType<typeof constructSchema>>>;
/** Reads the properties of the construct in a stack. Throws the same errors as `readProperties`. */
export function readCallBackProps(value: unknown, { region }: Pick<Stack, 'region'>): CallBackProps {
	return readProperties(constructSchema(Token.isUnresolved(region) ? null : region), value);
}
export type OwnDomain = { readonly name: string; readonly certificate: ICertificate };
export type TelephonyProps = NonNullable<CallBackProps['telephony']>;

/** The content of the file deployment.config.json: the properties, with ARNs in place of resources. */
export const DeploymentFile = z
	.strictObject(
		{
			/** The name of the stack. By default, it is CallBack. */
			stackName: z.optional(
				text(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'a letter, then up to 63 letters, digits and hyphens'),
			),
			/** Tags of every resource that supports tags. */
			tags: z.optional(z.record(z.string(), z.string(expected('a text')), expected('names with texts'))),
			...ofFile,
		},
		PROPERTIES,
	)
	.check(...inPairs);
export type DeploymentFile = Readonly<z.infer<typeof DeploymentFile>>;
export type PlannedTelephony = NonNullable<DeploymentFile['telephony']>;

export const propertyNames: readonly string[] = ['stackName', 'tags', ...Object.keys(ofFile)];

/** The deployment is not possible with these properties. The message is for the person who wrote the properties. */
export class PropertiesError extends Error {
	override readonly name = 'PropertiesError';
}

/**
 * Checks properties. Throws a `PropertiesError` with a sentence for each wrong property: its name, and what was expected.
 */
export function readProperties<S extends z.ZodMiniType>(schema: S, value: unknown, of = 'CallBack'): z.infer<S> {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const sentences = result.error.issues.flatMap((issue) => {
		const path = issue.path.join('.');
		const inside = path === '' ? '' : `${path}.`;
		if (issue.code === 'unrecognized_keys')
			return issue.keys.map((key) => `${inside}${key}: there is no such property`);
		return [`${path === '' ? of : path}: ${issue.message}`];
	});
	throw new PropertiesError(`${of} cannot be deployed like this.\n${sentences.join('\n')}`);
}

/** The provider's settings in the form in which the functions read them. */
export function providerSettings(telephony: TelephonyProps | PlannedTelephony): Readonly<Record<string, unknown>> {
	const { callerNumber: from } = telephony;
	switch (telephony.provider) {
		case 'twilio': {
			const { accountSid: account_sid, machineDetection: machine_detection, region } = telephony;
			return { account_sid, from, machine_detection, region };
		}
		case 'telnyx': {
			const { accountSid: account_sid, applicationSid: application_sid, publicKey: public_key, region } = telephony;
			return { account_sid, application_sid, public_key, from, region };
		}
		case 'simulator':
			return { url: telephony.url, secret: telephony.sharedSecret };
	}
}
