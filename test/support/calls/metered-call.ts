import { generateKeyPairSync } from 'node:crypto';
import { kmsNumberSealer } from '../../../shared/adapters/aws/number-sealer.ts';
import type { Meter } from '../../../shared/adapters/dynamodb/client.ts';
import { dynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import { phoneNumbers } from '../../../shared/adapters/phone-metadata/phone-number.ts';
import { ulidIds } from '../../../shared/adapters/system/ids.ts';
import type { Call } from '../../../shared/domain/calls/call.ts';
import type { Leg, LegFact } from '../../../shared/domain/calls/leg.ts';
import { bodyHash, IDEMPOTENCY_SECONDS, idempotencyScope } from '../../../shared/domain/kernel/idempotency.ts';
import type { SendResult } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import { eventKinds } from '../../../shared/domain/webhooks/event.ts';
import type { Messages, QueueName, Queues } from '../../../shared/ports/queues.ts';
import type { Store, Write } from '../../../shared/ports/store.ts';
import type { Telephony } from '../../../shared/ports/telephony.ts';
import { applyLegFact } from '../../../shared/use-cases/calls/apply-leg-fact.ts';
import { dialLeg } from '../../../shared/use-cases/calls/dial-leg.ts';
import { requestCall } from '../../../shared/use-cases/visitors/request-call.ts';
import { attemptDelivery } from '../../../shared/use-cases/webhooks/attempt-delivery.ts';
import { samples, WORKSPACE } from '../../conformance/records.ts';
import { type DynamoStandIn, startDynamo } from '../aws/stand-ins.ts';

// What a call costs, in DynamoDB's units as the table meters them: the largest part of the platform's bill.

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const sealer = kmsNumberSealer({
	SEALING_KEY_ID: '00000000-0000-0000-0000-000000000000',
	NUMBER_PUBLIC_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
});
const writes: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems']);

type Sent = { [Q in QueueName]: { readonly queue: Q; readonly message: Messages[Q] } }[QueueName];

/** A receiver's usual answer. */
const timings = { dns_ms: 1.25, connect_ms: 12.5, tls_ms: 30.25, first_byte_ms: 80.5, total_ms: 81 };
const answered: SendResult = { kind: 'response', status: 200, headers: {}, body: '{"received":true}', timings };

/** What one call took: units of the table, and messages. */
export type CallUnits = {
	readonly written: number;
	readonly read: number;
	/** Sent, by queue. */
	readonly messages: Readonly<Partial<Record<QueueName, number>>>;
};

/** Deps over the real table; what is sent waits in `sent`. */
async function world(dynamo: DynamoStandIn) {
	const messages: Partial<Record<QueueName, number>> = {};
	const spent = { written: 0, read: 0, messages };
	const now = { ms: Date.parse('2026-11-21T09:00:00.000Z'), metered: false };
	const meter: Meter = ({ operation, units }) => {
		if (now.metered) spent[writes.has(operation) ? 'written' : 'read'] += units;
	};
	const store: Store = dynamoStore(await dynamo.newTable(), { meter });
	const sent: Sent[] = [];
	const queues: Queues = {
		async send(queue, messages) {
			for (const { message } of messages) sent.push({ queue, message } as Sent);
			spent.messages[queue] = (spent.messages[queue] ?? 0) + messages.length;
			return { sent: messages.length, failed: 0 };
		},
	};
	const telephony = {
		dial: async () => ({ dial: 'accepted', provider_id: `CA${'0'.repeat(32)}` }),
	} as unknown as Telephony;
	const deps = {
		store,
		queues,
		telephony,
		sealer,
		opener: { openNumber: async () => '+12025550101' },
		macs: { key: async () => new Uint8Array(32) },
		numbers: phoneNumbers,
		ids: ulidIds,
		clock: { now: () => now.ms },
		vault: { openSecret: async () => 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
		sender: { send: async () => answered },
		log: { info() {}, warn() {}, error() {} },
		schedule_seconds: [0, 5],
		can_dial: true,
		speed: 1,
	};
	return { deps, sent, spent, now };
}
type World = Awaited<ReturnType<typeof world>>;

/** The kept answer of a request with an Idempotency-Key. */
function keptAnswer(call: Call): readonly Write[] {
	const scope = idempotencyScope({ workspace_id: WORKSPACE, operation: 'request-call', resource_id: null, key: 'key' });
	const body = JSON.stringify({ data: { id: call.id, status: call.status, poll_after_ms: 1500 } });
	const expires_at_epoch_s = Date.parse(call.created_at) / 1000 + IDEMPOTENCY_SECONDS;
	const item = { scope, body_hash: bodyHash('key', body), status: 202, body, sealed_secret: null, expires_at_epoch_s };
	return [{ op: 'put', record: 'idempotency', item, guard: { if: 'absent' } }];
}

/** A call as most are: one team member, answered, pressed 1, visitor answered, talked for a minute, visitor hangs up. */
async function wholeCall({ deps, sent, now }: World): Promise<void> {
	const always = { if: 'always' } as const;
	const team = { owner: `team#${WORKSPACE}#0`, sealed: 'x', expires_at_epoch_s: null };
	const workspace = {
		...samples.workspace,
		limits: { ...samples.workspace.limits, calls_per_day: 500 },
		business_hours: null,
	};
	await deps.store.commit([{ op: 'put', record: 'sealed_number', item: team, guard: always }]);
	now.metered = true;
	const page = {
		origin: 'https://shop.example',
		page_url: 'https://shop.example/products/1234?utm_source=mail',
		source_ip: '192.0.2.1',
	};
	const asked = { ...page, workspace, phone: '+12025550101', name: 'Grace Hopper', consent: true };
	const outcome = await requestCall(asked, keptAnswer, deps);
	if (!('call' in outcome)) throw new Error(JSON.stringify(outcome));
	const { id: call_id } = outcome.call;

	const legOf = async (role: Leg['role']): Promise<string> => {
		now.metered = false;
		const call = await deps.store.get('call', { id: call_id });
		now.metered = true;
		return call?.legs.find((leg) => leg.role === role)?.id ?? '';
	};
	const fact = async (
		role: Leg['role'],
		seconds: number,
		changes: Partial<LegFact> & Pick<LegFact, 'rank'>,
	): Promise<void> => {
		now.ms += seconds * 1000;
		const at = new Date(now.ms).toISOString();
		const blank = {
			provider_id: `CA${'0'.repeat(32)}`,
			at,
			ringing_at: null,
			answered_at: null,
			accepted_at: null,
			cause: null,
		};
		await applyLegFact({ call_id, leg_id: await legOf(role), keyed: true }, { ...blank, ...changes }, deps);
	};
	const workOff = async (): Promise<void> => {
		for (const { queue, message } of sent.splice(0)) {
			if (queue === 'dial-legs') await dialLeg(message, deps);
			if (queue === 'deliveries') await attemptDelivery(message, deps);
		}
	};
	await workOff();
	await fact('agent', 1, { rank: 'ringing' });
	await fact('agent', 5, { rank: 'answered' });
	await fact('agent', 3, { rank: 'accepted' });
	await workOff();
	await fact('visitor', 1, { rank: 'ringing' });
	await fact('visitor', 8, { rank: 'answered' });
	await fact('visitor', 60, { rank: 'ended', cause: 'completed' });
	await fact('agent', 1, { rank: 'ended', cause: 'completed' });
	await workOff();
	now.metered = false;
	const status = (await deps.store.get('call', { id: call_id }))?.status;
	if (status !== 'completed') throw new Error(`the call ended ${status}`);
}

/** What a whole call takes, without a webhook endpoint and with one that wants all its events. */
export async function unitsOfACall(): Promise<{ readonly without: CallUnits; readonly withOne: CallUnits }> {
	const dynamo = await startDynamo();
	try {
		const without = await world(dynamo);
		await wholeCall(without);
		const withOne = await world(dynamo);
		const item = { ...samples.webhook_endpoint, events: eventKinds };
		await withOne.deps.store.commit([{ op: 'put', record: 'webhook_endpoint', item, guard: { if: 'always' } }]);
		await wholeCall(withOne);
		return { without: without.spent, withOne: withOne.spent };
	} finally {
		await dynamo.stop();
	}
}
