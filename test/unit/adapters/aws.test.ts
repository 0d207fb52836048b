import { describe, expect, it } from '@jest/globals';
import { ulidIds } from '../../../shared/adapters/ids.ts';
import { jsonLog } from '../../../shared/adapters/log.ts';
import { ID_PATTERN, idTimePrefix } from '../../../shared/domain/kernel/id.ts';
import { errorFields } from '../../../shared/ports/log-redaction.ts';

describe('an id', () => {
	it('is a ULID of the current time', () => {
		const before = idTimePrefix(Date.now());
		const id = ulidIds.next();
		expect(id).toMatch(ID_PATTERN);
		expect(id.slice(0, 10) >= before && id.slice(0, 10) <= idTimePrefix(Date.now())).toBe(true);
	});

	it('is a ULID of the given time', () => {
		const atMs = Date.parse('2026-11-21T09:00:00.123Z');
		expect(ulidIds.next(atMs).slice(0, 10)).toBe(idTimePrefix(atMs));
	});

	it('cannot be guessed from the previous id: all characters after the time are random, with 32 equally frequent values', () => {
		const ids = Array.from({ length: 3200 }, () => ulidIds.next());
		expect(new Set(ids).size).toBe(ids.length);
		const seen = new Map<string, number>();
		for (const character of ids.map((id) => id.slice(10)).join('')) seen.set(character, (seen.get(character) ?? 0) + 1);
		expect(seen.size).toBe(32);
		// Each value is expected 1,600 times. 240 is six standard deviations.
		for (const count of seen.values()) expect(Math.abs(count - 1600)).toBeLessThan(240);
	});

	it('comes from a source that also returns random bytes, different ones each time', () => {
		expect(ulidIds.random(32)).toHaveLength(32);
		expect(ulidIds.random(32)).not.toEqual(ulidIds.random(32));
	});
});

describe('the log', () => {
	it.each(['no person answers to +12025550101', 'on two lines:\n+12025550101\n    at +12025550101 and a third', ''])(
		'names where an error was thrown, and nothing of its message: %j',
		(message) => {
			const { error, stack = '' } = errorFields(new TypeError(message));
			expect(error).toBe('TypeError');
			expect(stack).toMatch(/^\s+at .*aws\.test\.ts/);
			expect(stack.split('\n').every((line) => /^\s+at /.test(line))).toBe(true);
			expect(stack).not.toContain('2025550101');
		},
	);

	it('writes one line of JSON for each fact, with its context', () => {
		const lines: string[] = [];
		const log = jsonLog({ operation: 'cancel-call' }, (line) => lines.push(line));
		log.info('response', { status: 200, duration_ms: 1.5 });
		log.error('failed', { error: 'TypeError' });
		expect(lines.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
		const [first, second] = lines.map((line) => JSON.parse(line));
		expect(first).toEqual({
			timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
			level: 'INFO',
			fact: 'response',
			operation: 'cancel-call',
			status: 200,
			duration_ms: 1.5,
		});
		expect(second).toMatchObject({ level: 'ERROR', fact: 'failed', error: 'TypeError' });
	});

	it('marks a value that was cut because it is too long', () => {
		const lines: string[] = [];
		const log = jsonLog({}, (line) => lines.push(line));
		for (const length of [2000, 2001]) log.info('response', { stack: 'x'.repeat(length) });
		const stacks = lines.map((line): string => JSON.parse(line).stack);
		expect(stacks).toEqual(['x'.repeat(2000), `${'x'.repeat(1999)}…`]);
	});

	it('omits every field that is not on its allow list', () => {
		const lines: string[] = [];
		const smuggled = {
			phone: '+12025550101',
			message: 'secret',
			status: '+12025550101',
			code: { deep: '+12025550101' },
		};
		jsonLog({}, (line) => lines.push(line)).info('response', smuggled as never);
		expect(Object.keys(JSON.parse(lines[0] ?? ''))).toEqual(['timestamp', 'level', 'fact']);
	});
});
