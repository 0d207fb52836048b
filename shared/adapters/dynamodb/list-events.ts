import { idTime, lowestIdAt } from '../../domain/kernel/id.ts';
import type { TableEnv } from '../../env.ts';
import type { EventList, ListRange } from '../../ports/store.ts';
import { type DynamoClient, type DynamoOptions, dynamoClient } from './client.ts';
import { type Attributes, toRecord } from './items.ts';
import { batchGet, keyText, stringOf } from './items-by-key.ts';
import { listItems } from './reads.ts';
import { records, table } from './table.ts';

/** Number of deliveries to read at once. */
const PAGE = 100;
/**
 * An event's id may be this much younger than its deliveries' ids, which have the time of its `created_at`: the ids of one
 * process never go back, but its clock may.
 */
const CLOCK_STEP_MS = 1000;

const idOf = (item: Attributes): string => stringOf(item['id']);

/**
 * The list of events on the table. An event without a delivery is in the list index. Any other is found through its
 * deliveries, which are in the index anyway, so that it needs no entry of its own.
 */
export function dynamoEvents(env: TableEnv, options: DynamoOptions = {}): EventList {
	const client = dynamoClient(env, options);
	return {
		async listEvents(workspace_id, range) {
			const [own, delivered] = await Promise.all([
				listItems(client, 'event', workspace_id, range),
				deliveredEvents(client, workspace_id, range),
			]);
			const events = new Map([...own, ...delivered].map((event) => [idOf(event), event]));
			const newestFirst = [...events.values()].sort((a, b) => (idOf(a) < idOf(b) ? 1 : -1));
			const inOrder = range.oldest_first ? newestFirst.reverse() : newestFirst;
			return inOrder.slice(0, range.limit).map((item) => toRecord('event', item));
		},
	};
}

/** The first events of a range that have deliveries: as many as it asks for, or more, or all. */
async function deliveredEvents(
	client: DynamoClient,
	workspace_id: string,
	range: ListRange,
): Promise<readonly Attributes[]> {
	const found = new Map<string, Attributes>();
	let walk: ListRange = { ...deliveriesAround(range), limit: PAGE };
	for (;;) {
		const page = await listItems(client, 'delivery', workspace_id, walk);
		for (const event of await eventsOf(client, page)) if (isWithin(range, idOf(event))) found.set(idOf(event), event);
		const last = page.at(-1);
		if (last === undefined || page.length < PAGE) return [...found.values()];
		const settled = [...found.values()].filter((event) => comesBefore(event, last, range));
		if (settled.length >= range.limit) return settled;
		walk = range.oldest_first ? { ...walk, from_id: idOf(last) } : { ...walk, before_id: idOf(last) };
	}
}

/** The range of deliveries that has the deliveries of all events of a range. */
function deliveriesAround({ from_id, before_id, ...range }: ListRange): ListRange {
	return {
		...range,
		from_id: from_id && lowestIdAt(idTime(from_id) - CLOCK_STEP_MS),
		before_id: before_id && lowestIdAt(idTime(before_id) + 1),
	};
}

function isWithin({ from_id, before_id }: ListRange, id: string): boolean {
	return (from_id === null || id >= from_id) && (before_id === null || id < before_id);
}

/** Whether an event comes, in the order of the range, before those of all deliveries behind this one. */
function comesBefore(event: Attributes, delivery: Attributes, { oldest_first }: ListRange): boolean {
	const time = idTime(idOf(delivery));
	return oldest_first ? idOf(event) < lowestIdAt(time) : idOf(event) >= lowestIdAt(time + CLOCK_STEP_MS + 1);
}

async function eventsOf(client: DynamoClient, deliveries: readonly Attributes[]): Promise<readonly Attributes[]> {
	const keys = deliveries.map(({ event, subject_id }) => ({
		[table.partition_key]: { S: `${records.event.prefix}${stringOf(subject_id)}` },
		[table.sort_key]: { S: stringOf(event) },
	}));
	const items = await batchGet(client, keys);
	return [...new Set(keys.map(keyText))].map((name) => items.get(name)).filter((item) => item !== undefined);
}
