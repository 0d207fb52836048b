import { expect, it } from '@jest/globals';
import { readCallback } from '../../../shared/adapters/telephony/call-resource.ts';
import { standIn } from '../../../shared/domain/kernel/id.ts';

const CALL_SID = `CA${'f'.repeat(32)}`;
const busy = {
	CallSid: CALL_SID,
	CallStatus: 'busy',
	Timestamp: 'Sat, 21 Nov 2026 10:00:20 +0000',
	CallDuration: '0',
	SipResponseCode: '486',
	SequenceNumber: '2',
};

/** The parts of a callback that may appear in the log. */
function detailOf(fields: Readonly<Record<string, string>>): string {
	const callback = readCallback(new URLSearchParams(fields), false, 0);
	return 'detail' in callback ? callback.detail : '';
}

it('a callback is logged with its codes, its times and a replacement for its id', () => {
	const logged = detailOf({ ...busy, To: '+12025550199', Called: '+12025550199', ToCity: 'RAYMOND' });
	expect(Object.fromEntries(new URLSearchParams(logged))).toEqual({ ...busy, CallSid: standIn(CALL_SID) });
	const limit = {
		...busy,
		ErrorMessage: 'User channel limit exceeded D1',
		AnsweredTime: '2021-04-28 21:51:18.731479Z',
	};
	expect(Object.fromEntries(new URLSearchParams(detailOf(limit)))).toEqual({ ...limit, CallSid: standIn(CALL_SID) });
});

const names = [
	...Object.keys(busy),
	'AnsweredTime',
	'AnsweredBy',
	'HangupCause',
	'ErrorMessage',
	'ErrorCode',
	'Digits',
];
const written = [
	'+12025550199',
	'2025550199',
	'(202) 555-0199',
	'202.555.0199',
	'202-555-0199',
	'to 12025550199',
	CALL_SID,
];

it.each(names)('a number or an id in %s is not logged', (name) => {
	for (const value of written) {
		const logged = decodeURIComponent(detailOf({ ...busy, [name]: value })).replace(/[^\dA-Za-z]/g, '');
		expect([value, logged]).not.toEqual([value, expect.stringMatching(/2025550199|f{32}/)]);
	}
});
