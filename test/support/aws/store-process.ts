import { createInterface } from 'node:readline';
import { dynamoStore } from '../../../shared/adapters/dynamodb/store.ts';
import { TableEnv } from '../../../shared/env.ts';

// A process that holds one store, as a function does. `write N` on its standard input makes N writes at the same time, which open
// N connections; `read` makes one read. The process then prints `done`, or the error.

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
