import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type Challenge, isProven, newChallenge, readProof } from '../../../shared/domain/visitors/proof-of-work.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import type { Store } from '../../../shared/ports/store.ts';
import { fictionalNumber, frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { proofFor } from '../../support/prove-work.ts';

const KEY = new Uint8Array(32).fill(7);
const NOW = Date.parse('2026-11-21T09:03:20.000Z');
const VISITOR = 'address in a workspace';
const challenged = (random = new Uint8Array(12).fill(1), bound_to = VISITOR, now_ms = NOW, key = KEY) =>
	newChallenge(random, bound_to, now_ms, key);
const holds = (header: string, bound_to = VISITOR, now_ms = NOW, key: Uint8Array = KEY): boolean => {
	const proof = readProof(header);
	return proof !== null && isProven(proof, bound_to, now_ms, key);
};

describe('a proof of work', () => {
	const proof = proofFor(challenged());
	const [challenge = '', solutions = ''] = proof.split(':');

	it('is valid for 5 minutes, for the address, workspace and key that it was requested for', () => {
		expect(holds(proof)).toBe(true);
		expect(holds(proof, VISITOR, NOW + 299_999)).toBe(true);
		expect(holds(proof, VISITOR, NOW + 300_000)).toBe(false);
		expect(holds(proof, 'another address')).toBe(false);
		expect(holds(proof, VISITOR, NOW, new Uint8Array(32).fill(8))).toBe(false);
	});

	it('asks for 32 rounds of 13 bits: 262,144 hashes on average', () => {
		expect(challenged()).toEqual({ challenge, rounds: 32, zero_bits: 13 });
		expect(solutions.split(',')).toHaveLength(32);
	});

	it('is invalid with any other text, longer or shorter, and is parsed without an error', () => {
		const position = fc.nat({ max: proof.length - 1 });
		const text = fc.string({ unit: fc.constantFrom(...'0123456789abcXYZ-_.,:é\0'), maxLength: 3 });
		const changed = fc
			.tuple(position, fc.nat({ max: 3 }), text)
			.map(([at, cut, put]) => proof.slice(0, at) + put + proof.slice(at + cut));
		// Another number may happen to solve its round, one in 8192; base64url's last character has 2 bits without a meaning.
		const same = new Set([proof]);
		fc.assert(
			fc.property(fc.oneof({ weight: 4, arbitrary: changed }, { weight: 1, arbitrary: fc.string() }), (header) => {
				fc.pre(!same.has(header));
				const [other = '', numbers = ''] = header.split(':');
				const alike = other === challenge && numbers.split(',').every(Number) && numbers.split(',').length === 32;
				if (!alike) expect(holds(header)).toBe(false);
				else readProof(header);
			}),
			{ numRuns: 2000 },
		);
	});

	it('is invalid with a round left out, added, repeated or moved, or with less work', () => {
		const numbers = solutions.split(',').map(Number);
		const other = (changed: readonly number[]) => holds(`${challenge}:${changed.join(',')}`);
		expect(other(numbers)).toBe(true);
		expect(other(numbers.slice(1))).toBe(false);
		expect(other(numbers.slice(0, -1))).toBe(false);
		expect(other([...numbers, 0])).toBe(false);
		expect(other(numbers.toReversed())).toBe(false);
		expect(other(numbers.map(() => numbers[0] ?? 0))).toBe(false);
		// Below the least solution there is none; above 32 bits there is no number.
		for (const [round, number] of numbers.entries()) {
			expect(other(numbers.with(round, number - 1))).toBe(false);
			expect(other(numbers.with(round, number + 2 ** 32))).toBe(false);
		}
		const easier = proof.replace('.13.32.', '.01.32.');
		expect([easier === proof, holds(easier)]).toEqual([false, false]);
	});
});

describe('a busy workspace', () => {
	/** 4 requests a window, 2 of them without proof. */
	const busy = { requests_per_workspace_per_window: 4 };
	const open = (store: Store = memoryStore()) => {
		const desk = frontDesk(store, NOW);
		let visitors = 0;
		const next = () => ({ phone: fictionalNumber(visitors), address: `198.51.100.${visitors++}` });
		const ask = (workspace: Workspace, proof?: string, { phone, address } = next()) =>
			desk.requestCall(workspace, phone, address, proof);
		/** A visitor who does the work that is asked for. */
		const willing = async (workspace: Workspace, operation: 'requestCall' | 'captureLead' = 'requestCall') => {
			const { phone, address } = next();
			const asked = workOf(await desk[operation](workspace, phone, address));
			return desk[operation](workspace, phone, address, proofFor(asked));
		};
		return { ...desk, next, ask, willing };
	};
	function workOf(result: object): Challenge {
		if (!('proof_of_work' in result)) throw new Error(`no work in ${JSON.stringify(result)}`);
		return result.proof_of_work as Challenge;
	}

	it('asks for no proof until half of its window is used, and keeps the rest for visitors with a proof', async () => {
		const { workspace, ask, willing } = open();
		const shop = workspace(busy);
		const outcomes = [await ask(shop), await ask(shop)];
		expect(outcomes.map(({ outcome }) => outcome)).toEqual(['placed', 'placed']);
		for (let n = 0; n < 5; n += 1) expect(await ask(shop)).toMatchObject({ refused: 'rate_limited' });
		expect(await willing(shop)).toMatchObject({ outcome: 'placed' });
		expect(await willing(shop, 'captureLead')).toMatchObject({ outcome: 'captured' });
		expect(await willing(shop)).toEqual({ outcome: 'refused', refused: 'rate_limited', retry_after_seconds: 400 });
	});

	it('costs nothing extra while it is not busy: the same counts, no other look-up, and no key', async () => {
		const memory = memoryStore();
		const asked: string[] = [];
		const store: Store = {
			...memory,
			get: (record, key) => {
				asked.push(record);
				return memory.get(record, key);
			},
			count: (count) => {
				asked.push(count.counter.split('#')[0] ?? '');
				return memory.count(count);
			},
		};
		const { workspace, ask } = open(store);
		expect(await ask(workspace(busy))).toMatchObject({ outcome: 'placed' });
		expect(asked.sort()).toEqual(['address', 'number_usage', 'workspace']);
	});

	it('accepts each proof once, even in two concurrent requests', async () => {
		const { workspace, ask, next } = open();
		const shop = workspace({ requests_per_workspace_per_window: 6 });
		for (let n = 0; n < 3; n += 1) await ask(shop);
		const visitor = next();
		const proof = proofFor(workOf(await ask(shop, undefined, visitor)));
		const phones = [500, 501, 502].map(fictionalNumber);
		const twins = await Promise.all(phones.map((phone) => ask(shop, proof, { ...visitor, phone })));
		expect(twins.map(({ outcome }) => outcome).sort()).toEqual(['placed', 'refused', 'refused']);
		expect(await ask(shop, proof, visitor)).toMatchObject({ refused: 'rate_limited', proof_of_work: {} });
	});

	it('accepts no proof for another address or another workspace, and no expired one', async () => {
		const { workspace, ask, next, now } = open();
		const [shop, other] = [workspace(busy), workspace(busy)];
		for (const each of [shop, shop, other, other]) await ask(each);
		const visitor = next();
		const proof = proofFor(workOf(await ask(shop, undefined, visitor)));
		expect(await ask(shop, proof)).toMatchObject({ refused: 'rate_limited' });
		expect(await ask(other, proof, visitor)).toMatchObject({ refused: 'rate_limited' });
		now.ms += 300_000;
		expect(await ask(shop, proof, visitor)).toMatchObject({ refused: 'rate_limited' });
		now.ms -= 1;
		expect(await ask(shop, proof, visitor)).toMatchObject({ outcome: 'placed' });
	});

	it('does not count refused requests without proof, so they cannot use up what is left for visitors', async () => {
		const { workspace, ask, willing } = open();
		const shop = workspace(busy);
		for (let n = 0; n < 50; n += 1) await ask(shop);
		expect(await willing(shop)).toMatchObject({ outcome: 'placed' });
	});
});
