import { WORKER_BUDGET } from '../../../shared/adapters/aws/client/client.ts';
import { dynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import type { Records } from '../../../shared/ports/registry.ts';
import type { Store } from '../../../shared/ports/store.ts';
import { type DynamoStandIn, startDynamo } from '../../support/aws/stand-ins.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { idOf, samples } from '../../support/sample-records.ts';

// What the suites of the store port share: the two stores, and short forms of writes.

let dynamo: DynamoStandIn | null = null;

/** The two stores, each with a function that opens an empty one. */
export const stores: readonly (readonly [string, () => Promise<Store>])[] = [
	['in memory', async () => memoryStore()],
	[
		'on DynamoDB',
		async () => {
			dynamo ??= await startDynamo();
			return dynamoStore(await dynamo.newTable(), { budget: WORKER_BUDGET });
		},
	],
];
export async function stopStores(): Promise<void> {
	await dynamo?.stop();
	dynamo = null;
}

export const call = (n: number, changes: Partial<Records['call']> = {}): Records['call'] => ({
	...samples.call,
	id: idOf(n),
	...changes,
});
export const delivery = (n: number, changes: Partial<Records['delivery']> = {}): Records['delivery'] => ({
	...samples.delivery,
	id: idOf(n),
	...changes,
});
