import { generateKeyPairSync } from 'node:crypto';
import { ACCESS_LOG } from '../../../infra/access-log.ts';
import { kmsNumberSealer } from '../../../shared/adapters/aws/keys/number-vault.ts';
import type { Meter } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import { phoneNumbers } from '../../../shared/adapters/phone-metadata/phone-number.ts';
import { ulidIds } from '../../../shared/adapters/system/ids.ts';
import { jsonLog } from '../../../shared/adapters/system/log.ts';
import { type Route, VERSION_PREFIX } from '../../../shared/contract/route.ts';
import type { SendResult } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import type { HttpResponse } from '../../../shared/http/response.ts';
import type { Pages } from '../../../shared/ports/pages.ts';
import type { Queues } from '../../../shared/ports/queues.ts';
import type { Messages, QueueName } from '../../../shared/ports/registry.ts';
import type { Store } from '../../../shared/ports/store.ts';
import type { MacPurpose } from '../../../shared/ports/vault.ts';
import type { DynamoStandIn } from '../aws/stand-ins.ts';
import type { Agenda } from './agenda.ts';
import { ledgerOf, type Share } from './write-ledger.ts';

// A world in which everything that AWS bills is counted while a call takes place in it.

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const sealer = kmsNumberSealer({
	SEALING_KEY_ID: '00000000-0000-0000-0000-000000000000',
	NUMBER_PUBLIC_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
});
const writes: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);
/** CloudWatch counts this with every line. */
const LINE_BYTES = 26;
/** What the gateway and HTTP/2 add to an answer's own headers. */
const HEADER_BYTES = 150;
/** The gateway's variables as long as they usually are. */
const LOGGED = {
	'$context.requestId': 'JKJaXmPLvHcESHA=',
	'$context.status': '200',
	'$context.responseLength': '112',
	'$context.responseLatency': '14',
	'$context.integrationLatency': '12',
	'$context.integrationErrorMessage': '-',
} as const;

export type Sent = { [Q in QueueName]: { readonly queue: Q; readonly message: Messages[Q] } }[QueueName];
export type Operation = Route['operation'] | 'preflight' | 'watch-call';

/** What one call took of everything that is billed. */
export type CallCounts = {
	/** DynamoDB's units, as the table meters them. */
	readonly written: number;
	readonly read: number;
	/** The units written, by kind of record. */
	readonly shares: Readonly<Record<string, Share>>;
	readonly kept_bytes: number;
	/** At the gateway, by operation. */
	readonly requests: Readonly<Record<string, number>>;
	readonly access_log_bytes: number;
	/** Of the functions. */
	readonly log_lines: number;
	readonly log_bytes: number;
	/** To browsers and the provider, as answers. */
	readonly answer_bytes: number;
	/** By queue. */
	readonly messages: Readonly<Partial<Record<QueueName, number>>>;
	/** Requests that sent them; `grouped`: those with a MessageGroupId, and their messages. */
	readonly sends: number;
	readonly grouped_sends: number;
	readonly grouped_messages: number;
	/** Numbers opened, each by KMS; and keys that a function asks KMS for when it is cold. */
	readonly openings: number;
	readonly cold_keys: number;
	readonly mails: number;
	/** WebSockets of pages: messages to them, and how long they were open, in milliseconds. */
	readonly shown: number;
	readonly watched_ms: number;
	/** Asked of the telephone provider, by operation. */
	readonly provider: Readonly<Record<'dial' | 'hangup' | 'lookup', number>>;
};
/** The same while it is counted. */
type Counting = { -readonly [N in keyof Omit<CallCounts, 'shares' | 'kept_bytes'>]: CallCounts[N] };

/** A receiver's usual answer. */
const timings = { dns_ms: 1.25, connect_ms: 12.5, tls_ms: 30.25, first_byte_ms: 80.5, total_ms: 81 };
const answered: SendResult = { kind: 'response', status: 200, headers: {}, body: '{"received":true}', timings };

/** Deps over the real table at the agenda's time. `work` is given each message when it is due. */
export async function meteredWorld(dynamo: DynamoStandIn, time: Agenda, work: (sent: Sent) => Promise<void>) {
	const counts: Counting = {
		...{ written: 0, read: 0, access_log_bytes: 0, log_lines: 0, log_bytes: 0, answer_bytes: 0 },
		...{ sends: 0, grouped_sends: 0, grouped_messages: 0, openings: 0, cold_keys: 0, mails: 0 },
		...{ shown: 0, watched_ms: 0 },
		...{ requests: {}, messages: {}, provider: { dial: 0, hangup: 0, lookup: 0 } },
	};
	let [metered, paused] = [false, 0];
	const on = (): boolean => metered && paused === 0;
	const meter: Meter = ({ operation, units }) => {
		if (on()) counts[writes.has(operation) ? 'written' : 'read'] += units;
	};
	const ledger = ledgerOf(dynamoStore(await dynamo.newTable(), { meter }), on);
	async function unmetered<T>(run: () => Promise<T>): Promise<T> {
		paused += 1;
		return run().finally(() => {
			paused -= 1;
		});
	}
	// The sweep asks for all calls at once what is due.
	const store: Store = { ...ledger.store, due: (...asked) => unmetered(() => ledger.store.due(...asked)) };
	const raise = <N extends string>(of: Readonly<Partial<Record<N, number>>>, name: N, by = 1) => {
		return { ...of, [name]: (of[name] ?? 0) + by };
	};
	const queues: Queues = {
		async send(queue, messages) {
			counts.messages = raise(counts.messages, queue, messages.length);
			counts.sends += 1;
			const grouped = messages.filter(({ group }) => group !== null).length;
			counts.grouped_sends += Number(grouped > 0);
			counts.grouped_messages += grouped;
			for (const { message, delay_seconds } of messages) {
				time.after(delay_seconds * 1000 + 20, () => work({ queue, message } as Sent));
			}
			return { sent: messages.length, failed: 0 };
		},
	};
	const asked = new Set<string>();
	const coldKey = (name: string): void => {
		if (on() && !asked.has(name)) counts.cold_keys += 1;
		asked.add(name);
	};
	const macs = {
		async key(purpose: MacPurpose) {
			coldKey(purpose);
			return new Uint8Array(32);
		},
	};
	const vault = {
		async openSecret(sealed: string) {
			coldKey(sealed);
			return 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
		},
	};
	const opener = {
		async openNumber() {
			counts.openings += 1;
			return '+12025550101';
		},
	};
	let watched_since = Number.POSITIVE_INFINITY;
	const pages: Pages = {
		async show() {
			counts.shown += 1;
			counts.watched_ms = time.now() - watched_since;
		},
	};
	const deps = {
		...{ store, queues, pages, sealer, opener, macs, vault, ids: ulidIds, numbers: phoneNumbers },
		clock: { now: () => time.now() },
		sender: { send: async () => answered },
		log: jsonLog({ operation: 'x'.repeat(12) }, (line) => {
			if (!on()) return;
			counts.log_lines += 1;
			counts.log_bytes += Buffer.byteLength(line) + LINE_BYTES;
		}),
		...{ schedule_seconds: [0, 5], can_dial: true, speed: 1 },
	};
	/** A request came through the gateway and was answered. */
	function passed(operation: Operation, { method, path }: { readonly method: string; readonly path: string }) {
		const line = JSON.stringify(ACCESS_LOG).replace('$context.routeKey', `${method} ${VERSION_PREFIX}${path}`);
		const filled = Object.entries(LOGGED).reduce((text, [name, value]) => text.replace(name, value), line);
		return (response: HttpResponse): HttpResponse => {
			counts.requests = raise(counts.requests, operation);
			counts.access_log_bytes += Buffer.byteLength(filled) + LINE_BYTES;
			const headers = JSON.stringify(response.headers).length + HEADER_BYTES;
			counts.answer_bytes += headers + Buffer.byteLength(response.body ?? '');
			return response;
		};
	}
	return {
		deps,
		passed,
		/** A page opened its WebSocket. */
		opened: (): void => {
			watched_since = time.now();
			counts.requests = raise(counts.requests, 'watch-call');
		},
		unmetered,
		asks: (operation: keyof CallCounts['provider']): void => {
			counts.provider = { ...counts.provider, [operation]: counts.provider[operation] + 1 };
		},
		/** From here on, or up to here, everything is counted. */
		meter: (now_on: boolean): void => {
			metered = now_on;
		},
		counts: (): CallCounts => ({ ...counts, shares: ledger.shares(), kept_bytes: ledger.keptBytes(time.now()) }),
	};
}
export type MeteredWorld = Awaited<ReturnType<typeof meteredWorld>>;
