import * as z from 'zod/mini';
import type { QueueVariable } from './ports/registry.ts';

// Only this file reads the environment. At initialisation, a function reads the groups that it needs, so that a function
// with a missing variable does not even start. infra/ sets the variables. The local stack takes the variables from the
// template and adds AWS_ENDPOINT_URL_* for its stand-ins of AWS services.

const endpoint = z.optional(z.string());
/**
 * The credentials with which calls to AWS are signed. On Lambda, these are the credentials of the function's role, which
 * stay the same as long as the process lives.
 */
const aws = {
	AWS_REGION: z.string(),
	AWS_ACCESS_KEY_ID: z.string(),
	AWS_SECRET_ACCESS_KEY: z.string(),
	AWS_SESSION_TOKEN: z.optional(z.string()),
	/** The address of every service that has no variable of its own. */
	AWS_ENDPOINT_URL: endpoint,
};
export type AwsEnv = z.infer<z.ZodMiniObject<typeof aws>>;

export const TableEnv = z.object({ ...aws, TABLE_NAME: z.string(), AWS_ENDPOINT_URL_DYNAMODB: endpoint });
export type TableEnv = z.infer<typeof TableEnv>;
const queueUrls = {
	QUEUE_URL_DIAL_LEGS: z.optional(z.string()),
	QUEUE_URL_HANG_UP_LEGS: z.optional(z.string()),
	QUEUE_URL_CALL_TIMERS: z.optional(z.string()),
	QUEUE_URL_DELIVERIES: z.optional(z.string()),
	QUEUE_URL_RETRIES: z.optional(z.string()),
	QUEUE_URL_TEAM_NOTICES: z.optional(z.string()),
	QUEUE_URL_DEAD_LETTERS: z.optional(z.string()),
} as const satisfies Record<QueueVariable, z.ZodMiniType>;
export const QueuesEnv = z.object({ ...aws, AWS_ENDPOINT_URL_SQS: endpoint, ...queueUrls });
export type QueuesEnv = z.infer<typeof QueuesEnv>;
/** `NUMBER_PUBLIC_KEY`: base64 of the DER SubjectPublicKeyInfo of the KMS key whose id is SEALING_KEY_ID. */
export const NumberSealerEnv = z.object({ NUMBER_PUBLIC_KEY: z.string(), SEALING_KEY_ID: z.string() });
export type NumberSealerEnv = z.infer<typeof NumberSealerEnv>;
export const NumberOpenerEnv = z.object({ ...aws, AWS_ENDPOINT_URL_KMS: endpoint });
export type NumberOpenerEnv = z.infer<typeof NumberOpenerEnv>;
export const SecretVaultEnv = z.object({
	SECRET_KEY_ID: z.string(),
	...aws,
	AWS_ENDPOINT_URL_KMS: endpoint,
});
export type SecretVaultEnv = z.infer<typeof SecretVaultEnv>;
export const MacsEnv = z.object({
	MAC_KEY_ID: z.string(),
	/** The ids of former KMS keys, which MAC_KEY_ID has replaced, separated by commas. */
	FORMER_MAC_KEY_IDS: z.optional(z.string()),
	...aws,
	AWS_ENDPOINT_URL_KMS: endpoint,
});
export type MacsEnv = z.infer<typeof MacsEnv>;
/** `LAMBDA_TASK_ROOT`: the folder into which Lambda unpacks the files of a function. */
export const WidgetFilesEnv = z.object({ ...aws, LAMBDA_TASK_ROOT: z.string() });
export type WidgetFilesEnv = z.infer<typeof WidgetFilesEnv>;
export const KmsEnv = z.object({ ...aws, AWS_ENDPOINT_URL_KMS: endpoint });
export type KmsEnv = z.infer<typeof KmsEnv>;
const TELEPHONY_PROVIDER = z.enum(['none', 'simulator', 'twilio', 'telnyx']);
export const DialingEnv = z.object({ TELEPHONY_PROVIDER });
/** The address at which people's browsers reach the API. */
export const PageEnv = z.object({ PUBLIC_BASE_URL: z.string() });
/** The address of the documentation. Not set if the documentation is not served. */
export const DocsEnv = z.object({ DOCS_URL: z.optional(z.string()) });
/**
 * The number that visitors see when they are called, in E.164, unless the workspace has a number of its own. Empty if the
 * deployment has none. Absent for the moments in which a deployment has replaced the code of `show-desk`, but not yet its
 * environment.
 */
export const CallerEnv = z.object({ CALLER_NUMBER: z.optional(z.string()) });
export const TelephonyEnv = z.object({
	/** The address ends in /v1. Providers sign this address, so it must not be derived from the headers of a request. */
	PUBLIC_BASE_URL: z.string(),
	TELEPHONY_PROVIDER,
	/** The account and the addresses of the provider, as JSON. */
	TELEPHONY_SETTINGS: z.string(),
	/** Where the credentials of a real provider are stored. Not set if TELEPHONY_PROVIDER is `none` or `simulator`. */
	TELEPHONY_SECRET_ARN: z.optional(z.string()),
	AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
	...aws,
});
export type TelephonyEnv = z.infer<typeof TelephonyEnv>;

export const MailEnv = z.object({
	/** The address from which mails are sent. Not set if no mails are sent. */
	MAIL_SENDER: z.optional(z.string()),
	/** The beginning of the links in messages. */
	PUBLIC_BASE_URL: z.string(),
	...aws,
	AWS_ENDPOINT_URL_SESV2: endpoint,
});

/** The addresses in the snippet that a shop puts into its site. */
export const SiteEnv = z.object({
	/** The address of the widget's script. */
	WIDGET_SCRIPT: z.string(),
	PUBLIC_BASE_URL: z.string(),
});

/**
 * Reads one group of variables. Throws if a variable is missing or malformed. The message names the variables, but not
 * their values.
 */
export function readEnv<S extends z.ZodMiniType>(group: S): z.infer<S> {
	const result = group.safeParse(process.env);
	if (result.success) return result.data;
	const names = result.error.issues.map((issue) => issue.path.join('.'));
	throw new Error(`environment: missing or malformed ${names.join(', ')}`);
}
