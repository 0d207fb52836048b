import { Token } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import * as z from 'zod/mini';

// Everything that one may choose for a deployment: the construct takes resources, the file deployment.config.json their ARNs.

const expected = (what: string) => `expected ${what}`;

/** A text like `pattern`, or one that only the deployment knows. */
const text = (pattern: RegExp, what: string) =>
	z.string(expected(what)).check(z.refine((value) => Token.isUnresolved(value) || pattern.test(value), expected(what)));

/** An address like `pattern` that programs read as one, or one that only the deployment knows. Its pages and mails link to it. */
function address(pattern: RegExp, what: string) {
	const isOne = (value: string) =>
		pattern.test(value) &&
		!/[\s"<>\\^`{|}]|^https?:\/{3}/.test(value) &&
		URL.canParse(value) &&
		new URL(value).username === '';
	return z.string(expected(what)).check(z.refine((value) => Token.isUnresolved(value) || isOne(value), expected(what)));
}

/** A whole number, or one that only the deployment knows. */
function count(least: number, most: number, what: string) {
	const fits = (value: number) => Number.isInteger(value) && value >= least && value <= most;
	return z.number(expected(what)).check(z.refine((value) => Token.isUnresolved(value) || fits(value), expected(what)));
}

const choice = <const T extends readonly string[]>(choices: T) =>
	z.enum(choices, expected(`one of ${choices.join(', ')}`));

const domain = (example: string) => {
	const labels = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;
	return z.optional(text(labels, `a domain name in lower case, such as ${example}`));
};
const callerNumber = text(/^\+[1-9]\d{6,14}$/, 'a number in E.164, such as +13125550100: one of the account’s');

/** The shapes of resources: the construct has objects of the CDK, a file has ARNs. */
type Resources = Readonly<Record<'secret' | 'certificate' | 'topic' | 'policy', z.ZodMiniType>>;

function telephonyOf<S extends z.ZodMiniType>(secret: S) {
	const twilio = z.strictObject({
		provider: z.literal('twilio'),
		/** The (sub-)account's SID: `AC` and 32 hexadecimal digits. */
		accountSid: text(/^AC[0-9a-fA-F]{32}$/, 'AC and 32 hexadecimal digits'),
		/** The number that people see, in E.164: one of the account's. */
		callerNumber,
		/** Secret with the auth token, as JSON (docs/telephony.md). */
		secret,
		/** Whether to detect if a machine answered the visitor; costs money and a moment of silence. Default: false. */
		machineDetection: z.optional(z.boolean(expected('true or false'))),
		/** Where Twilio processes calls; each region has credentials of its own. Default: us1. */
		region: z.optional(choice(['us1', 'ie1', 'au1'])),
	});
	const telnyx = z.strictObject({
		provider: z.literal('telnyx'),
		/** The organisation that the TeXML application belongs to. */
		accountSid: text(/./, 'the id of the organisation'),
		/** The TeXML application, which determines the permitted countries. */
		applicationSid: text(/./, 'the id of the TeXML application'),
		/** Base64 of the account's public key. */
		publicKey: text(/^[A-Za-z0-9+/]{43}=$/, 'Base64 of the 32 bytes of the account’s public key'),
		/** The number that people see, in E.164: one of the account's. */
		callerNumber,
		/** Secret with the API key, as JSON (docs/telephony.md). */
		secret,
		/** Where Telnyx processes requests. Default: us. */
		region: z.optional(choice(['us', 'eu'])),
	});
	const simulator = z.strictObject({
		provider: z.literal('simulator'),
		/** Says that no real phone shall ring: visitors are told that they are being called. */
		trial: z.literal(true, expected('true: the simulator rings no real phone')),
		/** The address of the simulated phone network. */
		url: address(/^https?:\/\/./, 'the http(s) address of the simulated phone network'),
		/** What the network shares with us; in the template, because it protects nothing. At least 16 characters. */
		sharedSecret: text(/^.{16,}$/, 'at least 16 characters'),
		callerNumber: z.optional(callerNumber),
	});
	return z.discriminatedUnion('provider', [twilio, telnyx, simulator], expected('provider: twilio or telnyx'));
}

function propertiesOf<R extends Resources>({ secret, certificate, topic, policy }: R) {
	return {
		/** Who places the calls, with the provider's settings. Without it, calls are refused. */
		telephony: z.optional(telephonyOf<R['secret']>(secret)),
		/** Your domain for the API and the desk, such as calls.shop.example. Default: API Gateway's own. */
		domainName: domain('calls.shop.example'),
		/** The certificate of `domainName`, in the region of the stack. */
		certificate: z.optional<R['certificate']>(certificate),
		/** Your domain for the widget's files, such as widget.shop.example. Default: CloudFront's own. */
		widgetDomainName: domain('widget.shop.example'),
		/** The certificate of `widgetDomainName`, in us-east-1. */
		widgetCertificate: z.optional<R['certificate']>(certificate),
		/** Where clients and providers reach the API if it is behind something of yours, ending in /v1. Default: its own address. */
		publicBaseUrl: z.optional(address(/^https?:\/\/[^?#]+\/v1$/, 'an https address that ends in /v1')),
		/** Where you serve the documentation; problems link to it. Default: they link nowhere. */
		docsUrl: z.optional(address(/^https?:\/\/[^?#]*[^?#/]$/, 'an https address without a slash at its end')),
		/** The address that mail to teams comes from, verified in Amazon SES. Without it, none is sent. */
		mailSender: z.optional(
			text(/^[^@\s]+@[^@\s]+\.[^@\s]+$/, 'an address that SES may send from, such as calls@shop.example'),
		),
		/** Topic that every alarm notifies when it fires and when it is over. Without it, alarms only show. */
		alarmTopic: z.optional<R['topic']>(topic),
		/** Permissions boundary of every role. Default: none. */
		permissionsBoundary: z.optional<R['policy']>(policy),
		/** How long logs are kept, in days; one of CloudWatch's choices. Default: 90. */
		logRetention: z.optional(
			z.enum(RetentionDays, expected('days that CloudWatch Logs knows, such as RetentionDays.ONE_MONTH or 30')),
		),
		/** Accepted call requests in an hour, of all workspaces, at which an alarm fires. Default: 300. */
		callsPerHourAlarm: z.optional(count(1, 1_000_000, 'a whole number of calls from 1 on')),
		/** Requests a second to the whole API; the gateway answers 429 to more. Default: 2,000. */
		requestsPerSecond: z.optional(count(1, 100_000, 'a whole number of requests from 1 on')),
		/** Executions kept for each of the five functions that a call under way needs. Default: none, as a new account requires. */
		callConcurrency: z.optional(count(2, 999, 'a whole number of executions, from 2 to 999')),
	};
}

/** A resource of the CDK: any object with this attribute. */
const resource = <R extends object>(attribute: string, what: string) =>
	z.custom<R>((value) => typeof value === 'object' && value !== null && attribute in value, expected(what));
const arn = (pattern: string, what: string) => text(new RegExp(`^arn:[^:]+:${pattern}`), `the ARN of ${what}`);

const ofConstruct = propertiesOf({
	secret: resource<ISecret>('secretArn', 'a secret of aws-secretsmanager with the credentials of the provider'),
	certificate: resource<ICertificate>('certificateArn', 'a certificate of aws-certificatemanager'),
	topic: resource<ITopic>('topicArn', 'a topic of aws-sns'),
	policy: resource<IManagedPolicy>('managedPolicyArn', 'a managed policy of aws-iam'),
});
const ofFile = propertiesOf({
	secret: arn('secretsmanager:[^:]+:\\d+:secret:.+', 'a secret with the credentials of the provider'),
	certificate: arn('acm:[^:]+:\\d+:certificate/.+', 'a certificate'),
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
/** A domain and its certificate come together. */
const inPairs = PAIRS.map(([given, lacking]) =>
	z.refine<Domains>((props) => props[given] === undefined || props[lacking] !== undefined, {
		path: [lacking],
		error: `${expected(`one, because ${given} is given`)}`,
	}),
);

export const CallBackProps = z.strictObject(ofConstruct).check(...inPairs);
/** The properties of the construct `CallBack`. */
export type CallBackProps = Readonly<z.infer<typeof CallBackProps>>;
export type OwnDomain = { readonly name: string; readonly certificate: ICertificate };
export type TelephonyProps = NonNullable<CallBackProps['telephony']>;

/** What the file deployment.config.json may contain: the properties, with ARNs in place of resources. */
export const DeploymentFile = z
	.strictObject({
		/** The name of the stack. Default: CallBack. */
		stackName: z.optional(text(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'a letter, then up to 63 letters, digits and hyphens')),
		/** Tags of everything that can have tags. */
		tags: z.optional(z.record(z.string(), z.string(expected('a text')), expected('names with texts'))),
		...ofFile,
	})
	.check(...inPairs);
export type DeploymentFile = Readonly<z.infer<typeof DeploymentFile>>;
export type PlannedTelephony = NonNullable<DeploymentFile['telephony']>;

export const propertyNames: readonly string[] = ['stackName', 'tags', ...Object.keys(ofFile)];

/** Properties that nothing can be deployed with. Its message is for the person who wrote them. */
export class PropertiesError extends Error {
	override readonly name = 'PropertiesError';
}

/** Reads properties. Throws a `PropertiesError` with a sentence for each that is wrong: its name, and what was expected. */
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

/** The provider's settings as the functions read them. */
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
