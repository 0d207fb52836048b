import { CfnCondition, CfnParameter, Fn } from 'aws-cdk-lib';
import { Construct } from 'constructs';

const NO_TOPIC = 'none';

/** What whoever deploys chooses; everything has a default that answers, and places no call. */
export class Settings extends Construct {
	private readonly publicBaseUrl: CfnParameter;
	private readonly provider: CfnParameter;
	private readonly providerSettings: CfnParameter;
	private readonly alarmTopic: CfnParameter;

	constructor(scope: Construct, id: string) {
		super(scope, id);
		this.publicBaseUrl = this.parameter('PublicBaseUrl', {
			default: '',
			allowedPattern: '^(https://[^?#]+/v1)?$',
			description:
				'Where clients and telephony providers reach the API, ending in /v1. Empty: the address of the API itself.',
		});
		this.provider = this.parameter('TelephonyProvider', {
			default: 'none',
			allowedValues: ['none', 'simulator', 'twilio', 'telnyx'],
			description: 'Who places the calls. none: calls are refused.',
		});
		this.providerSettings = this.parameter('TelephonySettings', {
			default: '{}',
			description: "JSON: the provider's account and addresses.",
		});
		this.alarmTopic = this.parameter('AlarmTopicArn', {
			default: NO_TOPIC,
			description: `SNS topic that hears of alarms. ${NO_TOPIC}: they only show.`,
		});
	}

	/** PUBLIC_BASE_URL, given the API's own. */
	baseUrl(own: string): string {
		const given = this.differs('PublicBaseUrlGiven', this.publicBaseUrl, '');
		return Fn.conditionIf(given.logicalId, this.publicBaseUrl.valueAsString, own).toString();
	}

	/** Environment of functions that speak with the telephony provider. */
	telephony(base_url: string): Record<string, string> {
		return {
			PUBLIC_BASE_URL: base_url,
			...this.telephonyPresence(),
			TELEPHONY_SETTINGS: this.providerSettings.valueAsString,
		};
	}

	telephonyPresence(): Record<string, string> {
		return { TELEPHONY_PROVIDER: this.provider.valueAsString };
	}

	/** The action of every alarm: the topic, or none. */
	alarmAction(): string {
		const given = this.differs('AlarmTopicGiven', this.alarmTopic, NO_TOPIC);
		return Fn.conditionIf(given.logicalId, this.alarmTopic.valueAsString, Fn.ref('AWS::NoValue')).toString();
	}

	private parameter(id: string, props: ConstructorParameters<typeof CfnParameter>[2]): CfnParameter {
		const parameter = new CfnParameter(this, id, props);
		parameter.overrideLogicalId(id);
		return parameter;
	}

	private differs(id: string, parameter: CfnParameter, nothing: string): CfnCondition {
		const expression = Fn.conditionNot(Fn.conditionEquals(parameter.valueAsString, nothing));
		const condition = new CfnCondition(this, id, { expression });
		condition.overrideLogicalId(id);
		return condition;
	}
}
