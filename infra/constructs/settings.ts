import type { Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { type CallBackProps, providerSettings } from '../properties.ts';
import { variables } from './service-function.ts';

export type Settings = ReturnType<typeof functionSettings>;

/**
 * The properties of a deployment, as permissions and environment. Without any, every route answers, and no call is placed.
 * `baseUrl`: the URL of the API, ending in /v1.
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
		/** For functions that only need to know whether there is a provider. */
		telephony_presence: variables(presence),
		/** For the function that tells visitors which number will call them. */
		caller_number: variables({ CALLER_NUMBER: telephony?.callerNumber ?? '' }),
		/** For every function behind the gateway: its problems link to the documentation. */
		documentation: variables(docsUrl ? { DOCS_URL: docsUrl } : {}),
		mail: variables(
			{ ...(mailSender && { MAIL_SENDER: mailSender }), PUBLIC_BASE_URL: baseUrl },
			mayMail(stack, mailSender ?? 'none'),
		),
		/** For operators' tools. The simulator's settings contain its secret, so they are not exported. */
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
 * Permission to send mail from this sender only, but with every identity of the account: while the account is in SES's sandbox,
 * SES also checks this permission for the recipient's verified identity.
 */
function mayMail(stack: Stack, sender: string): PolicyStatement[] {
	const send = new PolicyStatement({
		actions: ['ses:SendEmail'],
		resources: [stack.formatArn({ service: 'ses', resource: 'identity', resourceName: '*' })],
		conditions: { StringEquals: { 'ses:FromAddress': sender } },
	});
	// The resource must be `*`: the account's suppression list has no ARN; only that of an SES tenant has one (Service
	// Authorization Reference, SES v2).
	return [send, new PolicyStatement({ actions: ['ses:GetSuppressedDestination'], resources: ['*'] })];
}

/** Permission to read the secret. An imported one may lack the six characters that end its ARN, and may have a key of its own. */
function mayRead({ secretArn, secretFullArn = `${secretArn}-??????`, encryptionKey }: ISecret): PolicyStatement[] {
	const read = new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [secretFullArn] });
	if (encryptionKey === undefined) return [read];
	return [read, new PolicyStatement({ actions: ['kms:Decrypt'], resources: [encryptionKey.keyArn] })];
}
