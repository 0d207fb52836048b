import { createInterface } from 'node:readline';
import { dynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import { TableEnv } from '../../../shared/env.ts';

// A process that holds a store as a function does. `write N` on its standard input makes N writes at once, which open N
// connections; `read` makes one read. It prints `done`, or why they failed.

const store = dynamoStore(TableEnv.parse(process.env));
console.log('ready');
const write = (n: number) =>
	store.commit([{ op: 'count', counter: String(n), limits: { a: 1000 }, expires_at_epoch_s: 2_000_000_000 }]);
for await (const line of createInterface({ input: process.stdin })) {
	const [verb, count] = line.split(' ');
	try {
		if (verb === 'write') await Promise.all(Array.from({ length: Number(count) }, (_, n) => write(n)));
		else await store.get('call', { id: 'unknown' });
		console.log('done');
	} catch (error) {
		console.log(String(error));
	}
}
