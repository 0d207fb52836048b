import { generateKeyPairSync } from 'node:crypto';
import { kmsNumberSealer } from '../../shared/adapters/aws/keys/number-vault.ts';
import { ulidIds } from '../../shared/adapters/ids.ts';
import { phoneNumbers } from '../../shared/adapters/numbering-plans/phone-number.ts';
import type { WorkspaceLimits } from '../../shared/domain/access/limits.ts';
import { PLAIN_CONSENT } from '../../shared/domain/workspaces/consent-text.ts';
import { newWorkspace } from '../../shared/domain/workspaces/new-workspace.ts';
import type { Workspace } from '../../shared/domain/workspaces/workspace.ts';
import type { Store } from '../../shared/ports/store.ts';
import { captureLead } from '../../shared/use-cases/leads/capture-lead.ts';
import { requestCall } from '../../shared/use-cases/widget/request-call.ts';
import { everyLimit } from './every-limit.ts';
import { memoryLog } from './memory-log.ts';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const NUMBER_PUBLIC_KEY = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

const UNLIMITED = everyLimit(1_000_000);

/** The use cases that visitors' requests reach, with the given store. No phone is dialled, and messages are dropped. */
export function frontDesk(store: Store, nowMs = Date.parse('2026-11-21T09:00:00.000Z')) {
	const now = { ms: nowMs };
	const macs = { key: async () => new Uint8Array(32) };
	const clock = { now: () => now.ms };
	const { log, lines } = memoryLog();
	const deps = {
		store,
		queues: { send: async (_queue: string, messages: readonly unknown[]) => ({ sent: messages.length, failed: 0 }) },
		sealer: kmsNumberSealer({ NUMBER_PUBLIC_KEY, SEALING_KEY_ID: 'numbers' }),
		macs,
		numbers: phoneNumbers,
		ids: ulidIds,
		log,
		clock,
		erasesAtProvider: { erase: async () => ({ erase: 'gone' }) as const },
		can_dial: true,
		caller_number: null,
		speed: 1,
	};
	return {
		now,
		deps,
		/** The lines that the use cases logged. */
		lines,
		/** Creates a workspace. It has no limits except those in `limits`. */
		workspace(limits: Partial<WorkspaceLimits> = {}, changes: Partial<Workspace> = {}): Workspace {
			const identity = {
				id: ulidIds.next(),
				name: 'Shop',
				region: 'US',
				time_zone: 'Europe/Berlin',
				workspace_key: `wk_${ulidIds.next()}`,
			};
			return {
				...newWorkspace({ ...identity, created_at: new Date(now.ms).toISOString() }),
				origins: ['https://shop.example'],
				team: [{ id: 'm1', phone_masked: '+1********01' }],
				members_added: 1,
				limits: { ...UNLIMITED, ...limits },
				consent_text: PLAIN_CONSENT,
				...changes,
			};
		},
		requestCall: (workspace: Workspace, phone: string, sourceIp = '192.0.2.1') =>
			requestCall(visitor(workspace, phone, sourceIp), deps),
		captureLead: (workspace: Workspace, phone: string, sourceIp = '192.0.2.1') =>
			captureLead(visitor(workspace, phone, sourceIp), deps),
	};
}

function visitor(workspace: Workspace, phone: string, source_ip: string) {
	return {
		origin: 'https://shop.example',
		page_url: 'https://shop.example/pricing',
		workspace,
		phone,
		name: 'Ada',
		consent: true,
		source_ip,
	};
}

/** Phone numbers that belong to no one. Each index below 1,000 gives another number. */
export const fictionalNumber = (index: number): string =>
	`+1${[201, 202, 203, 205, 206, 207, 208, 209, 210, 212][Math.floor(index / 100) % 10]}55501${String(index % 100).padStart(2, '0')}`;
