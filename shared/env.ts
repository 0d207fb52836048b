import * as z from 'zod/mini';

// The only reader of the environment. Each function names the groups it needs, so a missing variable stops it at INIT.

/** Settings of the functions, in groups. `infra/` sets them, the local stack passes on what the template says. */
const groups = {
	table: z.object({ TABLE_NAME: z.string(), AWS_REGION: z.string(), AWS_ENDPOINT_URL_DYNAMODB: z.optional(z.string()) }),
	queues: z.object({
		AWS_REGION: z.string(),
		AWS_ENDPOINT_URL_SQS: z.optional(z.string()),
		QUEUE_URL_DIAL_LEGS: z.optional(z.string()),
		QUEUE_URL_HANG_UP_LEGS: z.optional(z.string()),
		QUEUE_URL_CALL_TIMERS: z.optional(z.string()),
		QUEUE_URL_DELIVERIES: z.optional(z.string()),
		QUEUE_URL_RETRIES: z.optional(z.string()),
	}),
	/** `NUMBER_PUBLIC_KEY`: base64 of the DER SubjectPublicKeyInfo of the KMS key that opens numbers. */
	numberSealer: z.object({ NUMBER_PUBLIC_KEY: z.string() }),
	numberOpener: z.object({ NUMBER_KEY_ID: z.string(), AWS_REGION: z.string(), AWS_ENDPOINT_URL_KMS: z.optional(z.string()) }),
	secretVault: z.object({ SECRET_KEY_ID: z.string(), AWS_REGION: z.string(), AWS_ENDPOINT_URL_KMS: z.optional(z.string()) }),
	macs: z.object({ MAC_KEY_ID: z.string(), AWS_REGION: z.string(), AWS_ENDPOINT_URL_KMS: z.optional(z.string()) }),
	/** `PUBLIC_BASE_URL` ends in /v1 and is what providers sign; it is never rebuilt from request headers. */
	telephony: z.object({
		PUBLIC_BASE_URL: z.string(),
		TELEPHONY_PROVIDER: z.enum(['none', 'simulator', 'twilio', 'telnyx']),
		TELEPHONY_SETTINGS: z.string(),
	}),
} as const;
export type EnvGroup = keyof typeof groups;
export type Env<G extends EnvGroup> = z.infer<(typeof groups)[G]>;

/** Reads one group; throws at INIT when a variable is missing (the message names variables, never values). */
export function env<G extends EnvGroup>(group: G): Env<G> {
	const parsed = groups[group].safeParse(process.env);
	if (parsed.success) return parsed.data as Env<G>;
	throw new Error(`environment: ${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')} missing or malformed`);
}
