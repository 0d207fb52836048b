import type { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { type CallBackProps, providerSettings } from '../properties.ts';
import type { Grant } from './service-function.ts';

const USUAL = { calls_per_hour: 300, requests_per_second: 2000 };

/** The properties of a deployment, as permissions and environment. Without any, every route answers, and no call is placed. */
export class Settings {
	private readonly stack: Stack;
	private readonly props: CallBackProps;
	readonly logRetention: RetentionDays;
	/** Accepted call requests in an hour at which an alarm fires. */
	readonly callsPerHour: number;
	/** Requests a second, and at once, that the gateway lets through. */
	readonly requestsPerSecond: number;

	constructor(stack: Stack, props: CallBackProps) {
		this.stack = stack;
		this.props = props;
		this.logRetention = props.logRetention ?? RetentionDays.THREE_MONTHS;
		this.callsPerHour = props.callsPerHourAlarm ?? USUAL.calls_per_hour;
		this.requestsPerSecond = props.requestsPerSecond ?? USUAL.requests_per_second;
	}

	/** For functions that talk to the telephony provider. */
	telephony(base_url: string): Grant {
		const secret = this.secret();
		return {
			statements: secret ? mayRead(secret) : [],
			environment: {
				...this.telephonyPresence().environment,
				PUBLIC_BASE_URL: base_url,
				TELEPHONY_SETTINGS: this.providerSettings(),
				...(secret && { TELEPHONY_SECRET_ARN: secret.secretArn }),
			},
		};
	}

	/** For every function behind the gateway: its problems link to the documentation. */
	documentation(): Grant {
		const { docsUrl: DOCS_URL } = this.props;
		return { statements: [], environment: DOCS_URL ? { DOCS_URL } : {} };
	}

	/** For the function that tells visitors which number will call them. */
	callerNumber(): Grant {
		return { statements: [], environment: { CALLER_NUMBER: this.props.telephony?.callerNumber ?? '' } };
	}

	/** For functions that only need to know whether there is a provider. */
	telephonyPresence(): Grant {
		return { statements: [], environment: { TELEPHONY_PROVIDER: this.provider() } };
	}

	/**
	 * For the function that sends mail, from this sender only. It may use every identity of the account, because in its
	 * sandbox SES also checks the recipient's verified identity.
	 */
	mail(base_url: string): Grant {
		const { mailSender } = this.props;
		const send = new PolicyStatement({
			actions: ['ses:SendEmail'],
			resources: [this.stack.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })],
			conditions: { StringEquals: { 'ses:FromAddress': mailSender ?? 'none' } },
		});
		// Outside of tenants, the list has no resource of its own (Service Authorization Reference, SES v2).
		const readList = new PolicyStatement({ actions: ['ses:GetSuppressedDestination'], resources: ['*'] });
		return {
			statements: [send, readList],
			environment: { ...(mailSender && { MAIL_SENDER: mailSender }), PUBLIC_BASE_URL: base_url },
		};
	}

	/** For operators' tools. The simulator's settings contain its secret, so they are not exported. */
	outputs(): Readonly<Record<string, string>> {
		return {
			MailSender: this.props.mailSender ?? 'none',
			TelephonyProvider: this.provider(),
			TelephonySettings: this.provider() === 'simulator' ? '{}' : this.providerSettings(),
			TelephonySecretArn: this.secret()?.secretArn ?? 'none',
		};
	}

	private provider(): string {
		return this.props.telephony?.provider ?? 'none';
	}

	private secret(): ISecret | undefined {
		const { telephony } = this.props;
		return telephony && 'secret' in telephony ? telephony.secret : undefined;
	}

	private providerSettings(): string {
		const { telephony } = this.props;
		return telephony ? this.stack.toJsonString(providerSettings(telephony)) : '{}';
	}
}

/** Permission to read the secret. An imported one may lack the six characters that end its ARN, and may have a key of its own. */
function mayRead({ secretArn, secretFullArn = `${secretArn}-??????`, encryptionKey }: ISecret): PolicyStatement[] {
	const read = new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secretFullArn] });
	if (encryptionKey === undefined) return [read];
	return [read, new PolicyStatement({ actions: ['kms:Decrypt'], resources: [encryptionKey.keyArn] })];
}
