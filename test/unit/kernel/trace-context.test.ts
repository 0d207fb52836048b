import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { derivedId } from '../../../shared/domain/kernel/id.ts';
import { attemptSpanId, spanIdOf, traceIdOf, traceparentOf } from '../../../shared/domain/kernel/trace-context.ts';

it('a trace id has the 128 bits of the ULID that it stands for, so that each can be derived from the other', () => {
	expect(traceIdOf('00000000000000000000000001')).toBe('00000000000000000000000000000001');
	expect(traceIdOf('7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).toBe('f'.repeat(32));
	// The example of https://github.com/ulid/spec. Other ULID libraries convert it to this UUID, too.
	expect(traceIdOf('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBe('01563e3ab5d3d6764c61efb99302bd5b');
});

it('every traceparent is valid in W3C Trace Context, and differs if the call or the attempt differs', () => {
	const ids = fc.tuple(fc.nat(2 ** 41), fc.string()).map(([ms, name]) => derivedId(ms, name));
	fc.assert(
		fc.property(ids, ids, fc.integer({ min: 1, max: 200 }), (call, delivery, number) => {
			const traceparent = traceparentOf(call, attemptSpanId(delivery, number));
			expect(traceparent).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/);
			expect(traceparent).not.toBe(traceparentOf(call, attemptSpanId(delivery, number + 1)));
			expect(spanIdOf(delivery)).not.toBe(attemptSpanId(delivery, number));
		}),
	);
});
