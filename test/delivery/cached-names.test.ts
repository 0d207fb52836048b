import { expect, it } from '@jest/globals';
import { cachedNames } from '../../shared/adapters/https/sender.ts';

const HOST = 'receiver.example';

/** A name server whose names get a new address at every look-up. Look-ups fail while `down` is true. */
function moving() {
	let nowMs = 1_000_000;
	let asked = 0;
	let down = false;
	const resolve = cachedNames(
		async () => {
			asked += 1;
			if (down) throw Object.assign(new Error('no answer'), { code: 'ETIMEOUT' });
			return [`198.51.100.${asked}`];
		},
		() => nowMs,
	);
	return {
		resolve,
		asked: () => asked,
		pass: (ms: number) => {
			nowMs += ms;
		},
		fail: (is: boolean) => {
			down = is;
		},
	};
}

it('a name is looked up once for all deliveries within four seconds', async () => {
	const names = moving();
	const together = await Promise.all([names.resolve(HOST), names.resolve(HOST)]);
	names.pass(3999);
	expect([...together, await names.resolve(HOST)]).toEqual(Array(3).fill(['198.51.100.1']));
	names.pass(1);
	expect(await names.resolve(HOST)).toEqual(['198.51.100.2']);
	expect(names.asked()).toBe(2);
});

it('each host’s name is looked up separately', async () => {
	const names = moving();
	expect(await names.resolve(HOST)).not.toEqual(await names.resolve('other.example'));
});

it('a name is looked up again after a failure; all callers that wait for one look-up get its failure', async () => {
	const names = moving();
	names.fail(true);
	const failed = await Promise.allSettled([names.resolve(HOST), names.resolve(HOST)]);
	expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(names.asked()).toBe(1);
	names.fail(false);
	expect(await names.resolve(HOST)).toEqual(['198.51.100.2']);
});

it('a name is looked up again after a thousand others have evicted it, so that memory stays bounded', async () => {
	const names = moving();
	await names.resolve(HOST);
	for (let n = 0; n < 1000; n += 1) await names.resolve(`h${n}.example`);
	await names.resolve(HOST);
	expect(names.asked()).toBe(1002);
});
