import { describe, expect, it } from '@jest/globals';
import { attemptRecord, judgeAnswer } from '../../../shared/domain/webhooks/attempt-outcome.ts';
import { timings } from '../../support/webhooks/deliveries.ts';

describe('the hint to an attempt', () => {
	it.each([
		[100, 'only a 2xx counts'],
		[199, 'only a 2xx counts'],
		[400, 'only a 2xx counts'],
		[401, 'verify the signature'],
		[402, 'only a 2xx counts'],
		[403, 'verify the signature'],
		[404, 'check the path of the URL'],
		[405, 'does not take POST'],
		[410, 'Gone: it wants no more'],
		[429, 'as long as its Retry-After asks'],
		[499, 'only a 2xx counts'],
		[500, 'it failed at its end'],
		[503, 'it failed at its end'],
	])('that got %i says what to do', (status, words) => {
		const { error, hint } = judgeAnswer({ status, headers: {} });
		expect(error).toBe('http_status');
		expect(hint).toContain(`The receiver answered ${status}`);
		expect(hint).toContain(words);
	});

	it.each([200, 204, 299])('that got %i is missing, because nothing went wrong', (status) => {
		expect(judgeAnswer({ status, headers: {} })).toEqual({ error: null, hint: null });
	});

	it.each([300, 302, 399])('that got %i names the target of the redirect in 200 printable characters', (status) => {
		const hint = (location?: string) => judgeAnswer({ status, headers: location === undefined ? {} : { location } });
		expect(hint()).toEqual({
			error: 'redirect_not_followed',
			hint: "Redirects are not followed; set the endpoint's URL to the final address.",
		});
		expect(hint('https://a.example/\u202e').hint).toContain(' (to https://a.example/?);');
		expect(hint('x'.repeat(201)).hint).toContain(` (to ${'x'.repeat(200)});`);
		const moved = { kind: 'response', status, headers: { location: 'https://b.example' }, body: '', timings } as const;
		expect(attemptRecord(1, 'then', moved).hint).toContain(' (to https://b.example);');
	});
});
