import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { WORKER_BUDGET } from '../shared/adapters/aws/client/client.ts';
import { kmsMacs, kmsPublicKeys, kmsSecretVault } from '../shared/adapters/aws/keys/kms.ts';
import { kmsNumberSealer } from '../shared/adapters/aws/keys/number-vault.ts';
import { secretsManager } from '../shared/adapters/aws/provider-secrets.ts';
import { systemClock } from '../shared/adapters/clock.ts';
import { dynamoStore } from '../shared/adapters/dynamodb/store.ts';
import { httpsSender, TEST_LIMITS } from '../shared/adapters/https/sender.ts';
import { ulidIds } from '../shared/adapters/ids.ts';
import { phoneNumbers } from '../shared/adapters/numbering-plans/phone-number.ts';
import { sqsQueues } from '../shared/adapters/sqs/queues.ts';
import { telephonyFor } from '../shared/adapters/telephony/provider.ts';
import { MacsEnv, NumberOpenerEnv, QueuesEnv, SecretVaultEnv, TableEnv, TelephonyEnv } from '../shared/env.ts';
import { queueVariables } from '../shared/ports/registry.ts';
import type { Telephony } from '../shared/ports/telephony.ts';
import { allWorkspaces } from './all-workspaces.ts';
import { resolveAwsAccount } from './aws-environment.ts';
import { deadLetterQueue } from './dead-letters/queue.ts';
import { deployedStack } from './deployed-stack.ts';
import { readJsonFile } from './input/read-json.ts';
import { OperatorError } from './operator-error.ts';

export type OperatedStack = {
	readonly outputs: string | undefined;
	readonly state_dir: string | undefined;
	/** The profile of the AWS CLI that has the credentials and the region of the deployed stack. */
	readonly profile?: string | undefined;
};

/**
 * The operator's environment. The variables have the same names as in the environments of the functions. This environment
 * has the variables of all queues and keys.
 */
const OperatorEnv = z.object({
	...TableEnv.shape,
	...QueuesEnv.shape,
	...NumberOpenerEnv.shape,
	/** The key with which the numbers of teams are encrypted. */
	NUMBER_KEY_ID: z.string(),
	...SecretVaultEnv.shape,
	...MacsEnv.shape,
	AWS_ENDPOINT_URL_SECRETS_MANAGER: z.optional(z.string()),
	MAIL_SENDER: z.optional(z.string()),
	/**
	 * The address at which people's browsers reach the API. The address is absent if an earlier release has started the
	 * stack.
	 */
	PUBLIC_BASE_URL: z.optional(z.string()),
	TELEPHONY_PROVIDER: z.optional(z.string()),
	TELEPHONY_SETTINGS: z.optional(z.string()),
	TELEPHONY_SECRET_ARN: z.optional(z.string()),
	/** Only on the local stack: the webhook receivers on this machine, and the authority that signs their certificates. */
	LOCAL_ALLOWED_WEBHOOK_HOSTS: z.optional(z.string()),
	LOCAL_TRUSTED_CA_FILE: z.optional(z.string()),
});
type OperatorEnv = z.infer<typeof OperatorEnv>;

/**
 * Reads the table, the keys, the sender, the phone provider and the queues from the stack's outputs. The name of each output
 * begins with `CallBack`. CloudFormation allows only letters and digits in that name, so it contains the name of a queue
 * without hyphens.
 */
export function resourcesIn(outputs: (name: string) => string | undefined) {
	const output = (name: string) => outputs(`CallBack${name}`);
	const queues = Object.entries(queueVariables).map(
		([name, variable]) => [variable, output(`QueueUrl${name.replaceAll('-', '')}`)] as const,
	);
	return {
		TABLE_NAME: output('TableName'),
		NUMBER_KEY_ID: output('NumberKeyId'),
		SECRET_KEY_ID: output('SecretKeyId'),
		MAC_KEY_ID: output('MacKeyId'),
		...formerKeys(output('FormerMacKeyIds')),
		MAIL_SENDER: output('MailSender'),
		PUBLIC_BASE_URL: output('BaseUrl'),
		TELEPHONY_PROVIDER: output('TelephonyProvider'),
		TELEPHONY_SETTINGS: output('TelephonySettings'),
		TELEPHONY_SECRET_ARN: output('TelephonySecretArn'),
		...Object.fromEntries(queues),
	};
}

/** The output with the older keys exists only after a key was replaced. */
const formerKeys = (FORMER_MAC_KEY_IDS: string | undefined) => (FORMER_MAC_KEY_IDS ? { FORMER_MAC_KEY_IDS } : {});

export type OpsDeps = Awaited<ReturnType<typeof connect>>;

export const readOperatorEnv = (value: unknown): OperatorEnv => OperatorEnv.parse(value);

/** Connects to everything that the commands need. Throws `OperatorError` if the stack cannot be reached. */
export async function connect(target: OperatedStack) {
	if (target.outputs === undefined) return operatorDeps(localEnv(target.state_dir ?? '.local'));
	await resolveAwsAccount(target.profile);
	return operatorDeps(awsEnv(target.outputs));
}

export async function operatorDeps(env: OperatorEnv) {
	const NUMBER_PUBLIC_KEY = await publicKey(env);
	return {
		store: dynamoStore(env, { budget: WORKER_BUDGET }),
		workspaces: () => allWorkspaces(env),
		queues: sqsQueues(env),
		deadLetters: deadLetterQueue({ ...env, QUEUE_URL_DEAD_LETTERS: env.QUEUE_URL_DEAD_LETTERS ?? '' }),
		clock: systemClock,
		ids: ulidIds,
		numbers: phoneNumbers,
		sealer: kmsNumberSealer({ NUMBER_PUBLIC_KEY, SEALING_KEY_ID: env.NUMBER_KEY_ID }),
		/** Null if the service sends no mail. */
		mail_sender: senderOf(env),
		/** The address of the API, ending in /v1. Null if the stack's outputs do not contain the address. */
		public_base_url: env.PUBLIC_BASE_URL ?? null,
		vault: kmsSecretVault(env, WORKER_BUDGET),
		macs: kmsMacs(env, WORKER_BUDGET),
		telephony: telephonyOf(env),
		erasesAtProvider: { erase: eraserOf(env) },
		sender: senderTo(env),
		/**
		 * The speed of real phones. The local stack may run faster. Deadlines that a command sets there may therefore be
		 * later than those that the stack sets itself.
		 */
		speed: 1,
	};
}

const telephonyOf = (env: OperatorEnv) => ({
	provider: env.TELEPHONY_PROVIDER ?? 'none',
	settings: env.TELEPHONY_SETTINGS ?? '{}',
	readSecret: async () => secretsManager(env).read(env.TELEPHONY_SECRET_ARN ?? ''),
});

/**
 * Deletes records at the deployment's phone provider. The provider may not be set up here, and the operator may lack the
 * permission to read the provider's secret. In both cases, this deletion fails, and the rest of the command still runs.
 */
function eraserOf(env: OperatorEnv): Telephony['erase'] {
	const { TELEPHONY_SETTINGS = '{}' } = env;
	const environment = { ...env, TELEPHONY_PROVIDER: env.TELEPHONY_PROVIDER ?? 'none', TELEPHONY_SETTINGS };
	let telephony: Telephony | null = null;
	return async (providerId) => {
		try {
			// The URL for callbacks is empty. The provider sends its callbacks to the functions and never to an operator's
			// command.
			const settings = TelephonyEnv.parse({ ...environment, PUBLIC_BASE_URL: '' });
			telephony ??= telephonyFor(settings, process.env['TELEPHONY_API_URL'] ?? null);
			return await telephony.erase(providerId);
		} catch {
			return { erase: 'failed', code: 'provider_not_configured' };
		}
	};
}

/** Sends to customers' endpoints and, for the local stack, also to some addresses on this machine. */
const senderTo = ({ LOCAL_ALLOWED_WEBHOOK_HOSTS: hosts, LOCAL_TRUSTED_CA_FILE: file }: OperatorEnv) =>
	httpsSender({
		allowed_webhook_hosts: hosts?.split(',') ?? [],
		trusted_ca_pem: file === undefined ? null : readFileSync(file, 'utf8'),
		limits: TEST_LIMITS,
	});

const senderOf = ({ MAIL_SENDER = 'none' }: OperatorEnv) => (MAIL_SENDER === 'none' ? null : MAIL_SENDER);

/** Gets the public key for numbers. This is the first request to the stack, so a failure shows that the stack does not answer. */
async function publicKey(env: OperatorEnv): Promise<string> {
	try {
		return await kmsPublicKeys(env, WORKER_BUDGET)(env.NUMBER_KEY_ID);
	} catch (error) {
		const why = error instanceof Error ? error.message : 'no answer';
		throw new OperatorError(`The stack does not answer (${why}). Is it running, and are the credentials right?`);
	}
}

/** Reads `operator.json` of the local stack. The stack must be running. */
function localEnv(stateDir: string): OperatorEnv {
	const file = join(stateDir, 'operator.json');
	return readJsonFile(file, OperatorEnv, 'start the stack first (npm start)');
}

/**
 * Reads the file that `cdk deploy --outputs-file` has written. Before this, the caller must call `resolveAwsAccount`, which
 * puts the credentials into the environment.
 */
function awsEnv(file: string): OperatorEnv {
	const { outputs } = deployedStack(file);
	const { LOCAL_ALLOWED_WEBHOOK_HOSTS: _hosts, LOCAL_TRUSTED_CA_FILE: _file, ...environment } = process.env;
	const parsed = OperatorEnv.safeParse({ ...environment, ...resourcesIn((name) => outputs[name]) });
	if (parsed.success) return parsed.data;
	const missing = parsed.error.issues.map((issue) => issue.path.join('.')).join(', ');
	throw new OperatorError(
		`set ${missing}: sign in, or name a profile with --profile; the region comes from it, or from AWS_REGION`,
	);
}
