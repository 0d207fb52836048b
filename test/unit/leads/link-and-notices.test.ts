import { describe, expect, it } from '@jest/globals';
import { endOfSecret, withSecret } from '../../../shared/domain/leads/callback-link.ts';
import { exhaustedNotices } from '../../../shared/domain/leads/endpoint-notice.ts';
import { samples } from '../../support/sample-records.ts';

const NOW = Date.parse('2026-11-21T10:00:00.500Z');
const NOW_S = Math.floor(NOW / 1000);
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

describe('a link', () => {
	const about = { lead_id: 'lead', workspace_id: 'workspace' };
	const newLink = () => withSecret(null, about, new Uint8Array(32), NOW);

	it('is valid for three days in each message, for 15 minutes from the desk, and remembered for 30 days more', () => {
		const [one, other, pressed] = [0, 1, 2].map((byte) => new Uint8Array(32).fill(byte)) as [
			Uint8Array,
			Uint8Array,
			Uint8Array,
		];
		const first = newLink();
		const second = withSecret(first, about, other, NOW + HOUR_S * 1000);
		const third = withSecret(second, about, pressed, NOW + HOUR_S * 1000, 'desk');
		const ends = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();
		expect(endOfSecret(third, one)).toBe(ends(3 * DAY_S));
		expect(endOfSecret(third, other)).toBe(ends(3 * DAY_S + HOUR_S));
		expect(endOfSecret(third, pressed)).toBe(ends(HOUR_S + 900));
		expect(endOfSecret(third, new Uint8Array(32).fill(3))).toBeNull();
		expect(third.expires_at_epoch_s).toBe(second.expires_at_epoch_s);
		expect(first.expires_at_epoch_s).toBe(NOW_S + 33 * DAY_S);
		expect(second.expires_at_epoch_s).toBe(NOW_S + HOUR_S + 33 * DAY_S);
	});

	it('does not grow without a bound: after 30 secrets the oldest gives way', () => {
		let link = newLink();
		for (let byte = 1; byte <= 100; byte += 1) link = withSecret(link, about, new Uint8Array(32).fill(byte), NOW);
		expect(link.secrets).toHaveLength(30);
		expect(endOfSecret(link, new Uint8Array(32).fill(100))).not.toBeNull();
		expect(endOfSecret(link, new Uint8Array(32).fill(70))).toBeNull();
	});
});

describe('the notices about an endpoint', () => {
	const { delivery } = samples;

	it('say how the last attempt of a delivery failed, if there was one', () => {
		const outcomeOf = (last_attempt: typeof delivery.last_attempt) =>
			exhaustedNotices({ ...delivery, last_attempt }, NOW).map(({ endpoint: fact }) => fact);
		const none = { fact: 'gave_up', error: null, response_status: null };
		expect(outcomeOf(null)).toEqual([expect.objectContaining(none), expect.objectContaining(none)]);
		const last = { ...samples.delivery_attempt.attempt, error: 'http_status', response_status: 503 } as const;
		expect(outcomeOf(last)).toContainEqual(expect.objectContaining({ error: 'http_status', response_status: 503 }));
	});
});
