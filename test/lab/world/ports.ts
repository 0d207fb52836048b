import { resultCache as realCache } from '../../../shared/adapters/result-cache.ts';
import type { Store } from '../../../shared/ports/store.ts';
import type { NotifyOutcome, TeamMessage } from '../../../shared/ports/team-notifier.ts';
import { VaultBusy } from '../../../shared/ports/vault.ts';
import { hearLog } from './log.ts';
import { dial, hangUp, lookUp, receive } from './phones.ts';
import { send } from './queues.ts';
import { post } from './receivers.ts';
import { currentProcess, onStage } from './stage.ts';
import { open, seal } from './vault.ts';

// Ports for the functions, with the same names as the adapters that they replace. Each call goes to the world that is being
// played.

const currentStore = new Proxy({} as Store, { get: (_, name) => Reflect.get(onStage().store, name) as unknown });
export const dynamoStore = () => currentStore;
export const sqsQueues = () => ({ send });
export const resultCache = realCache;
export const systemClock = { now: () => onStage().time.now() };
/** Functions have unlimited time here, because the clock is virtual. */
export const timeLimit = { begins: () => undefined, left_ms: () => Infinity };
export const ulidIds = {
	next: (atMs?: number) => onStage().nextId(atMs),
	random: (bytes: number) => Uint8Array.from({ length: bytes }, () => onStage().random.below('bytes', 256)),
};
export const jsonLog = (context: { readonly operation?: string }) => hearLog(context.operation ?? '');
export const telephonyFor = () => ({
	dial,
	hangup: hangUp,
	lookup: lookUp,
	receive,
	render: (instruction: object) => ({ content_type: 'application/json', body: JSON.stringify(instruction) }),
});
const check = async (url: string) => ({ allowed: true, url }) as const;
export const httpsSender = () => ({ send: post, check });
export const TEST_LIMITS = {};

const mail = { tell: (message: TeamMessage) => onStage().step('mail', () => sendMail(message)) };
function sendMail(message: TeamMessage): NotifyOutcome {
	const stage = onStage();
	stage.mails.push(message);
	stage.tell('the team', `gets a mail${'link' in message ? ' with a link' : ''}`);
	if (stage.strikes('a mail fails', 'mail')) return { notified: 'failed', code: 'http_500' };
	stage.sent_mails.push({ message, process: currentProcess() ?? null });
	return { notified: 'sent' };
}
export const sesNotifier = () => mail;
export const chatNotifier = () => mail;
export const gatewayPages = () => ({ show: async () => undefined });
export const s3WidgetFiles = () => ({});

async function opened<T>(read: () => T): Promise<T> {
	return onStage().step('vault', () => {
		if (onStage().strikes('the vault is busy', 'vault')) throw new VaultBusy('the vault is busy');
		return read();
	});
}
export const kmsNumberSealer = () => ({ sealNumber: (number: string) => seal(number, 'number') });
export const kmsNumberOpener = () => ({ openNumber: (sealed: string) => opened(() => open(sealed)[1] ?? '') });
type Owner = { readonly id: string };
export const kmsSecretVault = () => ({
	sealSecret: (secret: string, { id }: Owner) => opened(() => seal(secret, id)),
	openSecret: (sealed: string, { id }: Owner) =>
		opened(() => {
			const [owner, secret = ''] = open(sealed);
			if (owner !== id) throw new Error('the secret belongs to another endpoint');
			return secret;
		}),
});
const keys = new Map<string, Uint8Array>();
export const kmsMacs = () => ({
	key: async (purpose: string) => {
		const key = keys.get(purpose) ?? new TextEncoder().encode(purpose.padEnd(32, '.'));
		keys.set(purpose, key);
		return key;
	},
	former: async () => [],
});
export const kmsPublicKeys = () => async () => '';
