import { unmarshall } from '@aws-sdk/util-dynamodb';
import { attemptPrefix, records } from '../../shared/adapters/dynamodb/table.ts';
import type { StoredItem } from './bench/bench.ts';
import { choicesOf, type Shape, type Shapes, takenBy } from './shapes.ts';

// The kinds of records and messages, and which of them a deployment contains.

export type KindedRecord = { readonly kind: string; readonly fields: Readonly<Record<string, unknown>> };

/**
 * The kind of a stored item, and its fields. The kind is `tally` for the tallies of the desk's figures, and `counter` for all
 * other counters.
 */
export function recordIn(item: StoredItem): KindedRecord {
	const fields = unmarshall({ ...item });
	const pk = String(fields['pk']);
	const sk = String(fields['sk']);
	if (pk.startsWith('COUNTER#tally#')) return { kind: 'tally', fields };
	if (pk.startsWith('COUNTER#')) return { kind: 'counter', fields };
	const found = Object.entries(records).find(([kind, { prefix }]) => {
		const isAttempt = sk.startsWith(attemptPrefix);
		return pk.startsWith(prefix) && (!prefix.startsWith('DELIVERY#') || (kind === 'delivery_attempt') === isAttempt);
	});
	if (found === undefined) throw new Error(`the item ${pk} is of no kind`);
	const [kind] = found;
	// An item that is not due has no `due_at`, so that the timer index leaves it out.
	const isTimed = ['call', 'delivery', 'team_notice'].includes(kind);
	return { kind, fields: isTimed ? { due_at: null, ...fields } : fields };
}

/** Forms of data that the types allow but no code of the service writes, and why. */
const NEVER_WRITTEN = new Map([
	['call.legs[].freed_id present', 'only a dial at Telnyx leads to it: the samples are of the simulated phones'],
	['sealed_number.expires_at_epoch_s null', 'a visitor’s number always expires; only a team’s never does'],
	['deliveries.exhausted present', 'only AWS’s redrive puts it there: the samples have steps of it'],
	['retries.exhausted present', 'only AWS’s redrive puts it there: the samples have steps of it'],
	[
		'team_notice.endpoint.error null',
		'a delivery is given up after an attempt that failed, and each failure has its code',
	],
]);

/** The names of those options of a type that no sample uses. An option is, for example, a null or an optional field. */
export function missingIn(name: string, shape: Shape, samples: readonly unknown[]): readonly string[] {
	const taken = new Set(samples.flatMap((sample) => takenBy(shape, sample)));
	if (samples.length === 0) return [name];
	const missing = choicesOf(shape).flatMap(({ path, taken: all }) =>
		all.filter((each) => !taken.has(`${path} ${each}`)).map((each) => `${name}.${path} ${each}`),
	);
	return [...new Set(missing)].filter((each) => !NEVER_WRITTEN.has(each));
}

/**
 * Every record and message that the samples lack. For each optional field, the samples need a value with the field and one
 * without.
 */
export function missingKinds(
	shapes: Shapes,
	items: readonly StoredItem[],
	messages: readonly { readonly queue: string; readonly body: string }[],
): readonly string[] {
	const stored = items.map(recordIn);
	return [
		...Object.entries(shapes.records).flatMap(([kind, shape]) => {
			const own = stored.filter((each) => each.kind === kind).map(({ fields }) => fields);
			return missingIn(kind, shape, own).map((name) => `record ${name}`);
		}),
		...Object.entries(shapes.messages).flatMap(([queue, shape]) => {
			const own = messages.filter((each) => each.queue === queue).map(({ body }): unknown => JSON.parse(body));
			return missingIn(queue, shape, own).map((name) => `message ${name}`);
		}),
		...['tally', 'counter'].filter((kind) => !stored.some((each) => each.kind === kind)),
	];
}

/** For each queue, one message for each set of fields that occurs. */
export function oneOfEach<M extends { readonly queue: string; readonly body: string }>(
	messages: readonly M[],
): readonly M[] {
	const formOf = ({ queue, body }: M): string => {
		const fields = Object.entries(JSON.parse(body) as object);
		return `${queue} ${fields.map(([name, value]) => `${name}${value === null ? ' null' : ''}`).sort()}`;
	};
	return [...new Map(messages.map((message) => [formOf(message), message])).values()];
}
