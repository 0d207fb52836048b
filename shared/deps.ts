import { WORKER_BUDGET } from './adapters/aws/client/client.ts';
import { kmsMacs, kmsPublicKeys, kmsSecretVault } from './adapters/aws/keys/kms.ts';
import { kmsNumberOpener, kmsNumberSealer } from './adapters/aws/keys/number-vault.ts';
import { sesNotifier } from './adapters/aws/mail.ts';
import { s3WidgetFiles } from './adapters/aws/widget-files.ts';
import { systemClock, timeLimit } from './adapters/clock.ts';
import { dynamoStore } from './adapters/dynamodb/store.ts';
import { chatNotifier } from './adapters/https/chat.ts';
import { httpsSender, TEST_LIMITS } from './adapters/https/sender.ts';
import { ulidIds } from './adapters/ids.ts';
import { jsonLog } from './adapters/log.ts';
import { numberGuides as regionGuides } from './adapters/numbering-plans/number-guides.ts';
import { phoneNumbers } from './adapters/numbering-plans/phone-number.ts';
import { sqsQueues } from './adapters/sqs/queues.ts';
import { telephonyFor } from './adapters/telephony/provider.ts';
import {
	CallerEnv,
	DialingEnv,
	DocsEnv,
	KmsEnv,
	MacsEnv,
	MailEnv,
	NumberOpenerEnv,
	NumberSealerEnv,
	PageEnv,
	QueuesEnv,
	readEnv,
	SecretVaultEnv,
	SiteEnv,
	TableEnv,
	TelephonyEnv,
	WidgetFilesEnv,
} from './env.ts';
import { restoreSigningSecret } from './http/webhooks/signing-secret.ts';
// The build of the local stack replaces this import with local/overrides.ts.
import { overrides } from './overrides.ts';
import { macPurposes } from './ports/vault.ts';

// Only this file connects ports with adapters. When a function is initialised, it calls each part of this file that it
// needs, once. The function's bundle contains only these parts.

export const log = (operation: string) => jsonLog({ operation });

/**
 * The dependencies that every function behind the gateway has. A function that reads no records needs no other
 * dependencies.
 */
export const publicDeps = (operation: string) => ({
	log: log(operation),
	time_limit: timeLimit,
	docs_url: readEnv(DocsEnv).DOCS_URL ?? null,
});

/** The dependencies of a function behind the gateway that reads records. */
export function edgeDeps(operation: string) {
	return { ...publicDeps(operation), store: dynamoStore(readEnv(TableEnv)), clock: systemClock };
}

/** The dependencies of every function whose pages people open. */
export function pageDeps(operation: string) {
	return { ...edgeDeps(operation), public_base_url: readEnv(PageEnv).PUBLIC_BASE_URL };
}

/**
 * The dependencies of the routes that make a signing secret. `restoreSecret` serves a repeated request, which gets the same
 * secret again.
 */
export function secretDeps(operation: string) {
	const vault = secretVault();
	return { ...edgeDeps(operation), ids: ulidIds, vault, restoreSecret: restoreSigningSecret(vault.openSecret) };
}

/** The dependencies of the two public routes that accept a visitor's number. */
export function visitorDeps() {
	const keys = macs();
	// Ask KMS for the keys at initialisation, so that KMS answers while the request is read. If KMS fails, the first
	// request that needs a key asks KMS again.
	for (const purpose of macPurposes) keys.key(purpose).catch(() => undefined);
	return {
		queues: queues(),
		ids: ulidIds,
		numbers: phoneNumbers,
		sealer: numberSealer(),
		macs: keys,
		speed: overrides.speed,
	};
}

export const numberSealer = () => kmsNumberSealer(readEnv(NumberSealerEnv));
export const numberParser = () => phoneNumbers;
/** The addresses in the snippet that the desk shows. */
export function siteAddresses() {
	const { WIDGET_SCRIPT, PUBLIC_BASE_URL: base_url } = readEnv(SiteEnv);
	return { widget_script: overrides.widget_script ?? WIDGET_SCRIPT, base_url };
}

/** How numbers are written in each region. */
export const regionNumberGuides = () => regionGuides;

/**
 * The number that visitors see when they are called, unless the workspace has a number of its own. Null if the deployment
 * has no such number.
 */
export const callerNumber = () => readEnv(CallerEnv).CALLER_NUMBER || null;

/** Whether a phone provider is set up. */
export const canDial = () => readEnv(DialingEnv).TELEPHONY_PROVIDER !== 'none';

/** Additional dependencies of functions that advance a call. */
export function callDeps() {
	return { queues: queues(), ids: ulidIds, speed: overrides.speed };
}

export const ids = () => ulidIds;
export const queues = () =>
	sqsQueues(readEnv(QueuesEnv), (loss) =>
		log('queues').warn('messages lost', { ...loss, service: 'sqs', service_operation: 'SendMessageBatch' }),
	);
export const macs = () => kmsMacs(readEnv(MacsEnv));
export const secretVault = () => kmsSecretVault(readEnv(SecretVaultEnv));
export const webhookSender = () => httpsSender(overrides);
/** For test deliveries to endpoints. Test deliveries have shorter time limits, because a client waits for the answer. */
export const testSender = () => httpsSender({ ...overrides, limits: TEST_LIMITS });
export const telephony = () => telephonyFor(readEnv(TelephonyEnv), null);

/** The dependencies of workers. Workers retry for a longer time, because no client waits for them. */
export function workerDeps(operation: string) {
	const store = dynamoStore(readEnv(TableEnv), { budget: WORKER_BUDGET });
	return { store, queues: queues(), clock: systemClock, ids: ulidIds, log: log(operation), speed: overrides.speed };
}
/** The dependencies of notices to teams. `notifier` is null if no sender address is set up. */
export function teamMailDeps() {
	const { MAIL_SENDER: from, PUBLIC_BASE_URL: link_base_url, ...env } = readEnv(MailEnv);
	return { link_base_url, notifier: from === undefined ? null : sesNotifier(from, env) };
}
/** For posts to the chats of teams. */
export const teamChat = () => ({ chat: chatNotifier(webhookSender()), vault: secretVault() });
export const numberOpener = () => kmsNumberOpener(readEnv(NumberOpenerEnv));
/** Used only during a deployment. */
export const publicKeys = () => kmsPublicKeys(readEnv(KmsEnv));
export const widgetFiles = () => s3WidgetFiles(readEnv(WidgetFilesEnv));
