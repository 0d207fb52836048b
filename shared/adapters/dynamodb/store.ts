import { marshall } from '@aws-sdk/util-dynamodb';
import type { TableEnv } from '../../env.ts';
import type { RecordKeys, RecordName } from '../../ports/registry.ts';
import type { Store } from '../../ports/store.ts';
import { type DynamoOptions, dynamoClient } from './client.ts';
import { commit, count, fieldsOf } from './commit.ts';
import { toRecord } from './items.ts';
import { itemReader, readerByKey } from './items-by-key.ts';
import { due, listItems, partition } from './reads.ts';
import { attemptPrefix, counter, records } from './table.ts';

/** The store on one DynamoDB table. `connect` opens the first connection while the function starts. */
export function dynamoStore(env: TableEnv, options: DynamoOptions = {}): Store & { readonly connect: () => void } {
	const client = dynamoClient(env, options);
	const itemOf = itemReader(client, true);
	/** The records in the partition of a key, in order. */
	async function partitionOf<N extends RecordName>(record: N, key: RecordKeys[N], sk = '') {
		const items = await partition(client, records[record].key(key).pk, sk);
		return items.map((item) => toRecord(record, item));
	}
	return {
		get: readerByKey(itemOf),
		glance: readerByKey(itemReader(client, false)),
		endpointsOf: (workspace_id) => partitionOf('webhook_endpoint', { workspace_id, id: '' }),
		attemptsOf: (delivery_id) => partitionOf('delivery_attempt', { delivery_id, number: 0 }, attemptPrefix),
		consentsOf: (number_hash) => partitionOf('consent', { number_hash, subject: '' }),
		desksOf: (address) => partitionOf('desk_address', { address, workspace_id: '' }),
		async anyWorkspaceAllows(origin) {
			const { pk } = records.allowed_origin.key({ origin, workspace_id: '' });
			const hasAllowingWorkspace = async (ConsistentRead: boolean) =>
				(await partition(client, pk, '', { Limit: 1, ConsistentRead })).length > 0;
			return (await hasAllowingWorkspace(false)) || hasAllowingWorkspace(true);
		},
		async list(record, workspace_id, range) {
			const items = await listItems(client, record, workspace_id, range);
			return items.map((item) => toRecord(record, item));
		},
		due: (...args) => due(client, ...args),
		count: (write) => count(client, write),
		used: async (name) => fieldsOf(await itemOf(marshall(counter.key(name)))),
		commit: (writes) => commit(client, writes),
		connect: client.connect,
	};
}
