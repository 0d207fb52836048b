import { afterAll, beforeAll } from '@jest/globals';

/**
 * Returns a proxy for an object that is started before a file's tests and stopped after them. Use it only inside tests and
 * hooks: at import time the object has not been started.
 */
export function started<T extends object>(start: () => Promise<T>, stop: (running: T) => unknown): T {
	let running: T | null = null;
	beforeAll(async () => {
		running = await start();
	});
	afterAll(async () => {
		if (running !== null) await stop(running);
	});
	const there = (): T => {
		if (running === null) throw new Error('it has not been started yet');
		return running;
	};
	return new Proxy<T>({} as T, {
		get: (_, name) => {
			const value = Reflect.get(there(), name);
			return typeof value === 'function' ? value.bind(there()) : value;
		},
		has: (_, name) => Reflect.has(there(), name),
		ownKeys: () => Reflect.ownKeys(there()),
		getOwnPropertyDescriptor: (_, name) => ({
			value: Reflect.get(there(), name),
			enumerable: true,
			configurable: true,
		}),
	});
}
