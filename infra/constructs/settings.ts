import type { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { type CallBackProps, providerSettings } from '../properties.ts';
import { variables } from './service-function.ts';

export type Settings = ReturnType<typeof functionSettings>;

/**
 * The properties of a deployment as permissions and environment variables. Without any property, every route answers, but
 * no call is placed. `baseUrl` is the address of the API, ending in /v1.
 */
export function functionSettings(stack: Stack, { telephony, docsUrl, mailSender }: CallBackProps, baseUrl: string) {
	const provider = telephony?.provider ?? 'none';
	const secret = telephony && 'secret' in telephony ? telephony.secret : undefined;
	const ofProvider = telephony ? stack.toJsonString(providerSettings(telephony)) : '{}';
	const presence = { TELEPHONY_PROVIDER: provider };
	return {
		telephony: variables(
			{
				...presence,
				PUBLIC_BASE_URL: baseUrl,
				TELEPHONY_SETTINGS: ofProvider,
				...(secret && { TELEPHONY_SECRET_ARN: secret.secretArn }),
			},
			secret ? mayRead(secret) : [],
		),
		/** For functions that only need to know whether a phone provider is set up. */
		telephony_presence: variables(presence),
		/** For the functions that tell visitors and members which number will call them. */
		caller_number: variables({ CALLER_NUMBER: telephony?.callerNumber ?? '' }),
		/** For every function behind the gateway, because its problem responses link to the documentation. */
		documentation: variables(docsUrl ? { DOCS_URL: docsUrl } : {}),
		mail: variables(
			{ ...(mailSender && { MAIL_SENDER: mailSender }), PUBLIC_BASE_URL: baseUrl },
			mayMail(stack, mailSender ?? 'none'),
		),
		/** For operators' tools. The settings of the simulator contain its secret, so these settings are not exported. */
		outputs: {
			MailSender: { value: mailSender ?? 'none', description: 'The sender of mail to teams' },
			TelephonyProvider: { value: provider, description: 'Who places the calls' },
			TelephonySettings: {
				value: provider === 'simulator' ? '{}' : ofProvider,
				description: "The provider's settings, for operators' commands",
			},
			TelephonySecretArn: {
				value: secret?.secretArn ?? 'none',
				description: "The secret with the provider's credentials",
			},
		},
	};
}

/**
 * Permission to send mail, only from this sender, but with every identity of the account. The reason is SES's sandbox:
 * while the account is in the sandbox, SES also checks this permission for the verified identity of the recipient.
 */
function mayMail(stack: Stack, sender: string): PolicyStatement[] {
	const send = new PolicyStatement({
		actions: ['ses:SendEmail'],
		resources: [stack.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })],
		conditions: { StringEquals: { 'ses:FromAddress': sender } },
	});
	// The resource must be `*`, because the account's suppression list has no ARN. Only the list of an SES tenant has an
	// ARN (Service Authorization Reference, SES v2).
	return [send, new PolicyStatement({ actions: ['ses:GetSuppressedDestination'], resources: ['*'] })];
}

/**
 * Permission to read the secret. The ARN of an imported secret may lack its last six characters, which Secrets Manager chooses
 * at random: `??????` stands for them. If the secret has an encryption key of its own, the permission includes decrypting with
 * this key.
 */
function mayRead({ secretArn, secretFullArn = `${secretArn}-??????`, encryptionKey }: ISecret): PolicyStatement[] {
	const read = new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secretFullArn] });
	if (encryptionKey === undefined) return [read];
	return [read, new PolicyStatement({ actions: ['kms:Decrypt'], resources: [encryptionKey.keyArn] })];
}
