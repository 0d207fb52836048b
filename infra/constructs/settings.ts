import {
	ArnFormat,
	CfnCondition,
	CfnParameter,
	type CfnParameterProps,
	CfnRule,
	Fn,
	Stack,
	Validations,
} from 'aws-cdk-lib';
import { type IManagedPolicy, ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { Grant } from './service-function.ts';

/** Means "not given" where an empty string would not be a valid ARN. */
const NONE = 'none';
/** Empty settings. */
const EMPTY = '{}';

/** An optional parameter; `orElse` is its value, or another if it is not given. */
type Optional = { readonly value: string; readonly orElse: (otherwise: string) => string };

/** The parameters of a deployment. With the defaults every route answers, and the service places no calls. */
export class Settings extends Construct {
	private readonly publicBaseUrl = this.optional('PublicBaseUrl', {
		default: '',
		allowedPattern: '^(https://[^?#]+/v1)?$',
		description:
			'Where clients and telephony providers reach the API, ending in /v1. Empty: the address of the API itself.',
	});
	private readonly provider = this.parameter('TelephonyProvider', {
		default: 'none',
		allowedValues: ['none', 'simulator', 'twilio', 'telnyx'],
		description: 'Who places the calls. none: calls are refused.',
	});
	private readonly allowSimulator = this.parameter('AllowSimulator', {
		default: 'no',
		allowedValues: ['no', 'yes'],
		description: 'Whether TelephonyProvider may be simulator, which rings no real phone: for a trial deployment.',
	});
	private readonly providerSettings = this.parameter('TelephonySettings', {
		default: EMPTY,
		description: "JSON: the provider's account and addresses (docs/telephony.md).",
	});
	private readonly providerSecret = this.optional('TelephonySecretArn', {
		default: NONE,
		allowedPattern: `^(${NONE}|arn:[^:]+:secretsmanager:[^:]+:[0-9]+:secret:.+)$`,
		description: `Secrets Manager secret with the provider's credentials (docs/telephony.md). ${NONE}: it needs none.`,
	});
	private readonly docs = this.optional('DocsUrl', {
		default: '',
		allowedPattern: '^(https?://[^?#]*[^?#/])?$',
		description: 'Where you serve the documentation (docs/deployment.md). Empty: the type of a problem leads nowhere.',
	});
	private readonly caller = this.parameter('CallerNumber', {
		default: '',
		allowedPattern: '^([+][1-9][0-9]{5,14})?$',
		description: "The number that visitors see when they are called, for the widget. Empty: it doesn't say.",
	});
	private readonly sender = this.optional('MailSender', {
		default: NONE,
		allowedPattern: `^(${NONE}|[^@\\s]+@[^@\\s]+)$`,
		description: `Address that messages to teams come from, verified in Amazon SES (docs/mail.md). ${NONE}: none are sent.`,
	});
	private readonly alarmTopic = this.optional('AlarmTopicArn', {
		default: NONE,
		allowedPattern: `^(${NONE}|arn:[^:]+:sns:[^:]+:[0-9]+:.+)$`,
		description: `SNS topic that alarms notify. ${NONE}: they only show.`,
	});
	private readonly boundary = this.optional('PermissionsBoundaryArn', {
		default: NONE,
		allowedPattern: `^(${NONE}|arn:[^:]+:iam::[0-9]+:policy/.+)$`,
		description: `Permissions boundary of every role (docs/deploying-safely.md). ${NONE}: roles have none.`,
	});
	/** Accepted call requests in an hour at which an alarm fires. */
	readonly callsPerHour = this.parameter('CallsPerHourAlarm', {
		type: 'Number',
		default: 300,
		minValue: 1,
		description: 'Accepted call requests in an hour, of all workspaces, at which an alarm fires.',
	}).valueAsNumber;
	/** Requests a second, and at once, that the gateway lets through. */
	readonly requestsPerSecond = this.parameter('RequestsPerSecond', {
		type: 'Number',
		default: 2000,
		minValue: 1,
		description: 'Requests a second to the whole API; the gateway answers 429 to more (docs/scaling.md).',
	}).valueAsNumber;

	constructor(scope: Construct, id: string) {
		super(scope, id);
		const reason = 'TelephonySecretArn says where the secret is; the secret itself is in no template.';
		Validations.of(Stack.of(this)).acknowledge({ id: 'CloudFormation-Validate::W2509', reason });
		this.requireWhole();
	}

	/**
	 * Refuses at deployment a provider without its settings or its secret, because its functions would not start, and the
	 * simulator without explicit permission, because it tells visitors that they are being called.
	 */
	private requireWhole(): void {
		const isGiven = (value: string, nothing: string) => Fn.conditionNot(Fn.conditionEquals(value, nothing));
		const { valueAsString: provider } = this.provider;
		const rule = (id: string, providers: string[], assert: ReturnType<typeof isGiven>, assertDescription: string) =>
			new CfnRule(this, id, {
				ruleCondition: Fn.conditionContains(providers, provider),
				assertions: [{ assert, assertDescription }],
			}).overrideLogicalId(id);
		const settings = isGiven(this.providerSettings.valueAsString, EMPTY);
		rule('ProviderHasSettings', ['simulator', 'twilio', 'telnyx'], settings, 'This provider needs TelephonySettings.');
		const secret = isGiven(this.providerSecret.value, NONE);
		const isAllowed = Fn.conditionEquals(this.allowSimulator.valueAsString, 'yes');
		rule(
			'SimulatorIsAllowed',
			['simulator'],
			isAllowed,
			'The simulator rings no real phone: set AllowSimulator to yes for a trial.',
		);
		rule('ProviderHasSecret', ['twilio', 'telnyx'], secret, 'This provider needs TelephonySecretArn.');
	}

	/** PUBLIC_BASE_URL; the default is the API's own URL. */
	baseUrl(own: string): string {
		return this.publicBaseUrl.orElse(own);
	}

	/** For functions that talk to the telephony provider. */
	telephony(base_url: string): Grant {
		const secret = { service: 'secretsmanager', resource: 'secret', resourceName: NONE };
		const no_secret = Stack.of(this).formatArn({ ...secret, arnFormat: ArnFormat.COLON_RESOURCE_NAME });
		const resources = [this.providerSecret.orElse(no_secret)];
		return {
			statements: [new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources })],
			environment: {
				...this.telephonyPresence().environment,
				PUBLIC_BASE_URL: base_url,
				TELEPHONY_SETTINGS: this.providerSettings.valueAsString,
				TELEPHONY_SECRET_ARN: this.providerSecret.orElse(Fn.ref('AWS::NoValue')),
			},
		};
	}

	/** For every function behind the gateway: its problems link to the documentation. */
	documentation(): Grant {
		return { statements: [], environment: { DOCS_URL: this.docs.orElse(Fn.ref('AWS::NoValue')) } };
	}

	/** For the function that tells visitors which number will call them. */
	callerNumber(): Grant {
		return { statements: [], environment: { CALLER_NUMBER: this.caller.valueAsString } };
	}

	/** For functions that only need to know whether there is a provider. */
	telephonyPresence(): Grant {
		return { statements: [], environment: { TELEPHONY_PROVIDER: this.provider.valueAsString } };
	}

	/**
	 * For the function that sends mail, from this sender only. It may use every identity of the account, because in its
	 * sandbox SES also checks the recipient's verified identity.
	 */
	mail(base_url: string): Grant {
		const send = new PolicyStatement({
			actions: ['ses:SendEmail'],
			resources: [Stack.of(this).formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })],
			conditions: { StringEquals: { 'ses:FromAddress': this.sender.value } },
		});
		// Outside of tenants, the list has no resource of its own (Service Authorization Reference, SES v2).
		const readList = new PolicyStatement({ actions: ['ses:GetSuppressedDestination'], resources: ['*'] });
		return {
			statements: [send, readList],
			environment: { MAIL_SENDER: this.sender.orElse(Fn.ref('AWS::NoValue')), PUBLIC_BASE_URL: base_url },
		};
	}

	/** The sender, or `none`, for the outputs. */
	mailSender(): string {
		return this.sender.value;
	}

	/**
	 * The provider and its settings, for operators' tools. The simulator's settings contain its secret, so they are not
	 * exported.
	 */
	telephonyOutputs(): Readonly<Record<string, string>> {
		const usesSimulator = new CfnCondition(this, 'Simulated', {
			expression: Fn.conditionEquals(this.provider.valueAsString, 'simulator'),
		});
		return {
			TelephonyProvider: this.provider.valueAsString,
			TelephonySettings: Fn.conditionIf(usesSimulator.logicalId, EMPTY, this.providerSettings.valueAsString).toString(),
			TelephonySecretArn: this.providerSecret.value,
		};
	}

	/** The action of every alarm: the topic, or none. */
	alarmAction(): string {
		return this.alarmTopic.orElse(Fn.ref('AWS::NoValue'));
	}

	/** The permissions boundary of every role, or none. */
	permissionsBoundary(): IManagedPolicy {
		return ManagedPolicy.fromManagedPolicyArn(this, 'Boundary', this.boundary.orElse(Fn.ref('AWS::NoValue')));
	}

	private parameter(id: string, props: CfnParameterProps): CfnParameter {
		const parameter = new CfnParameter(this, id, props);
		parameter.overrideLogicalId(id);
		return parameter;
	}

	private optional(id: string, props: CfnParameterProps & { readonly default: string }): Optional {
		const { valueAsString: value } = this.parameter(id, props);
		const expression = Fn.conditionNot(Fn.conditionEquals(value, props.default));
		const condition = new CfnCondition(this, `${id}Given`, { expression });
		condition.overrideLogicalId(`${id}Given`);
		return { value, orElse: (otherwise) => Fn.conditionIf(condition.logicalId, value, otherwise).toString() };
	}
}
