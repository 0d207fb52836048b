import type { Store } from '../../ports/store.ts';
import { type DynamoEnv, type DynamoOptions, dynamoClient } from './client.ts';
import { commit } from './commit.ts';
import { count } from './count.ts';
import { toKey, toRecord } from './items.ts';
import { readerByKey } from './items-by-key.ts';
import { due, listItems, partition } from './reads.ts';
import { attemptPrefix, records, SHARDS } from './table.ts';

/** The store on one DynamoDB table. `connect` opens the first connection while the function starts. */
export function dynamoStore(env: DynamoEnv, options: DynamoOptions = {}): Store & { readonly connect: () => void } {
	const { shards = SHARDS } = options;
	const client = dynamoClient(env, options);
	const readByKey = readerByKey(client, true);
	const glanceByKey = readerByKey(client, false);
	return {
		async get(record, key) {
			const item = await readByKey(toKey(record, key));
			return item ? toRecord(record, item) : null;
		},
		async glance(record, key) {
			const item = await glanceByKey(toKey(record, key));
			return item ? toRecord(record, item) : null;
		},
		async endpointsOf(workspace_id) {
			const { pk } = records.webhook_endpoint.key({ workspace_id, id: '' });
			return (await partition(client, pk)).map((item) => toRecord('webhook_endpoint', item));
		},
		async attemptsOf(delivery_id) {
			const { pk } = records.delivery_attempt.key({ delivery_id, number: 0 });
			return (await partition(client, pk, { sk: attemptPrefix })).map((item) => toRecord('delivery_attempt', item));
		},
		async consentsOf(number_hash) {
			const { pk } = records.consent.key({ number_hash, subject: '' });
			return (await partition(client, pk)).map((item) => toRecord('consent', item));
		},
		async anyWorkspaceAllows(origin) {
			const { pk } = records.allowed_origin.key({ origin, workspace_id: '' });
			const allowed = async (consistent: boolean) => (await partition(client, pk, { limit: 1, consistent })).length > 0;
			return (await allowed(false)) || allowed(true);
		},
		async list(record, workspace_id, range) {
			const items = await listItems(client, record, workspace_id, range, shards);
			return items.map((item) => toRecord(record, item));
		},
		due: (shard, now, limit) => due(client, shard, now, limit),
		count: (write) => count(client, write),
		commit: (writes) => commit(client, writes, shards),
		connect: client.connect,
	};
}
