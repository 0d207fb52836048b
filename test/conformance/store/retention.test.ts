import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { dynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import { table } from '../../../shared/adapters/dynamodb/table.ts';
import type { SendResult } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import { attemptDelivery } from '../../../shared/use-cases/webhooks/attempt-delivery.ts';
import { deliveryMessage } from '../../../shared/use-cases/webhooks/event-outbox.ts';
import { recoverDeliveries } from '../../../shared/use-cases/webhooks/recover-deliveries.ts';
import { retryDelivery } from '../../../shared/use-cases/webhooks/retry-delivery.ts';
import { type DynamoStandIn, startDynamo } from '../../support/aws/stand-ins.ts';
import { type DeliveryDays, deliveryDays, WORKSPACE } from '../../support/webhooks/deliveries.ts';

let dynamo: DynamoStandIn;
beforeAll(async () => {
	dynamo = await startDynamo();
});
afterAll(() => dynamo.stop());

const DAYS_30_S = 30 * 24 * 3600;
const timings = { dns_ms: 0, connect_ms: 0, tls_ms: 0, first_byte_ms: 0, total_ms: 0 };
const refused: SendResult = { kind: 'response', status: 500, headers: {}, body: 'no', timings };

/** The items in the table, read directly, as DynamoDB's TTL process reads them. */
async function written(env: Awaited<ReturnType<DynamoStandIn['newTable']>>) {
	const client = new DynamoDBClient({
		region: env.AWS_REGION,
		endpoint: env.AWS_ENDPOINT_URL_DYNAMODB ?? '',
		credentials: { accessKeyId: env.AWS_ACCESS_KEY_ID, secretAccessKey: env.AWS_SECRET_ACCESS_KEY },
	});
	const { Items = [] } = await client.send(new ScanCommand({ TableName: env.TABLE_NAME }));
	client.destroy();
	return Items.map((item) => ({
		name: `${item[table.partition_key]?.S} ${item[table.sort_key]?.S}`,
		expires: item[table.ttl_attribute],
	}));
}

it('events, deliveries and every attempt expire after 30 days, even after replays', async () => {
	const env = await dynamo.newTable();
	const store = dynamoStore(env);
	const w: DeliveryDays = deliveryDays(store);
	const endpoint = await w.endpoint('hooks');
	const [event] = await w.happen();
	if (event === undefined) throw new Error('nothing happened');
	const by = { ...w.deps, sender: { send: async () => refused } };
	const delivery = () => w.deliveryOf(event, endpoint);
	const attempt = async () => {
		await attemptDelivery(deliveryMessage(await delivery()).message, by);
		w.clock.now_ms += 3_600_000;
	};
	for (let n = 0; n < 3; n += 1) await attempt();
	w.clock.now_ms += 20 * 24 * 3_600_000;
	await retryDelivery({ workspace_id: WORKSPACE, id: (await delivery()).id }, w.deps);
	await attempt();
	await recoverDeliveries(
		{ workspace_id: WORKSPACE, endpoint_id: endpoint.id, since_ms: 0, until_ms: null, dry_run: false, mode: 'missing' },
		w.deps,
	);

	const at = Math.floor(Date.parse(event.created_at) / 1000) + DAYS_30_S;
	const items = await written(env);
	const kept = items.filter(({ name }) => /^(EVENT|DELIVERY)#/.test(name));
	expect(kept.map(({ name }) => name.split(' ')[1]?.replace(/#.*/, '')).sort()).toEqual([
		'ATTEMPT',
		'ATTEMPT',
		'ATTEMPT',
		'DELIVERY',
		'call.completed',
	]);
	// DynamoDB deletes an item only if the table's TTL attribute contains a number of epoch seconds.
	expect(kept.map(({ expires }) => expires)).toEqual(kept.map(() => ({ N: String(at) })));
});
