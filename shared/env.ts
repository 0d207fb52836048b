import * as z from 'zod/mini';
import type { QueueVariable } from './ports/registry.ts';

// The only reader of the environment. A function reads the groups it needs at INIT, so a missing variable stops it there.
// infra/ sets these; the local stack passes on what the template says and adds the AWS_ENDPOINT_URL_* of the stand-ins.

const endpoint = z.optional(z.string());
/** Signs every call to AWS. On Lambda, these are the role's own, fixed for the life of the process. */
const aws = {
	AWS_REGION: z.string(),
	AWS_ACCESS_KEY_ID: z.string(),
	AWS_SECRET_ACCESS_KEY: z.string(),
	AWS_SESSION_TOKEN: z.optional(z.string()),
	/** The endpoint of every service without a variable of its own. */
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
/** `NUMBER_PUBLIC_KEY`: base64 of the DER SubjectPublicKeyInfo of the KMS key with the id SEALING_KEY_ID. */
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
	/** KMS keys that MAC_KEY_ID replaced, separated by commas. */
	FORMER_MAC_KEY_IDS: z.optional(z.string()),
	...aws,
	AWS_ENDPOINT_URL_KMS: endpoint,
});
export type MacsEnv = z.infer<typeof MacsEnv>;
/** Where Lambda unpacks a function's files. */
export const WidgetFilesEnv = z.object({ ...aws, LAMBDA_TASK_ROOT: z.string() });
export type WidgetFilesEnv = z.infer<typeof WidgetFilesEnv>;
export const KmsEnv = z.object({ ...aws, AWS_ENDPOINT_URL_KMS: endpoint });
export type KmsEnv = z.infer<typeof KmsEnv>;
const TELEPHONY_PROVIDER = z.enum(['none', 'simulator', 'twilio', 'telnyx']);
export const DialingEnv = z.object({ TELEPHONY_PROVIDER });
/** Where people's browsers reach the API. */
export const PageEnv = z.object({ PUBLIC_BASE_URL: z.string() });
/** Where the documentation is served; not set if it is not served. */
export const DocsEnv = z.object({ DOCS_URL: z.optional(z.string()) });
/** The number that visitors see when they are called, in E.164; empty if the deployment has none. */
export const CallerEnv = z.object({ CALLER_NUMBER: z.string() });
export const TelephonyEnv = z.object({
	/** Ends in /v1. Providers sign it, so it is never rebuilt from request headers. */
	PUBLIC_BASE_URL: z.string(),
	TELEPHONY_PROVIDER,
	/** JSON, by provider: its account and addresses. */
	TELEPHONY_SETTINGS: z.string(),
	/** Where the credentials of a real provider are kept; not set for the others. */
	TELEPHONY_SECRET_ARN: z.optional(z.string()),
	AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
	...aws,
});
export type TelephonyEnv = z.infer<typeof TelephonyEnv>;

export const MailEnv = z.object({
	/** The address that messages come from; not set if none are sent. */
	MAIL_SENDER: z.optional(z.string()),
	/** The base of the links in messages. */
	PUBLIC_BASE_URL: z.string(),
	...aws,
	AWS_ENDPOINT_URL_SESV2: endpoint,
});

/** The addresses in a site's snippet. */
export const SiteEnv = z.object({
	/** The widget's script, as pages load it. */
	WIDGET_SCRIPT: z.string(),
	PUBLIC_BASE_URL: z.string(),
});

/** Reads one group; throws when a variable is missing or malformed. The message names variables, never values. */
export function readEnv<S extends z.ZodMiniType>(group: S): z.infer<S> {
	const result = group.safeParse(process.env);
	if (result.success) return result.data;
	const names = result.error.issues.map((issue) => issue.path.join('.'));
	throw new Error(`environment: missing or malformed ${names.join(', ')}`);
}
