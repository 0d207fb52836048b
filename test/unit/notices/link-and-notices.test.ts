import { describe, expect, it } from '@jest/globals';
import {
	callbackLinkAfterUse,
	endOfSecret,
	handledLink,
	withSecret,
} from '../../../shared/domain/notices/callback-link.ts';
import { disabledNotices, exhaustedNotices } from '../../../shared/domain/notices/endpoint-notice.ts';
import { missedNoticeIds, withMissedCall } from '../../../shared/domain/notices/missed-call-notice.ts';
import {
	claimNotice,
	finishNotice,
	isNoticeDue,
	newNotice,
	noticeAfterFailure,
	replayNotice,
	type TeamNotice,
} from '../../../shared/domain/notices/team-notice.ts';
import { samples } from '../../support/sample-records.ts';

const NOW = Date.parse('2026-11-21T10:00:00.500Z');
const NOW_S = Math.floor(NOW / 1000);
const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;
const version = ({ version }: { readonly version: number }) => version;

describe('a link', () => {
	const about = { lead_id: 'lead', workspace_id: 'workspace' };
	const newLink = () => withSecret(null, about, new Uint8Array(32), NOW);

	it('is valid for three days in each message, for 15 minutes from the desk, and is stored for 30 more days', () => {
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

	it('has a limited size: after 30 secrets, a new secret replaces the oldest', () => {
		let link = newLink();
		for (let byte = 1; byte <= 100; byte += 1) link = withSecret(link, about, new Uint8Array(32).fill(byte), NOW);
		expect(link.secrets).toHaveLength(30);
		expect(endOfSecret(link, new Uint8Array(32).fill(100))).not.toBeNull();
		expect(endOfSecret(link, new Uint8Array(32).fill(70))).toBeNull();
	});

	it('keeps the secret of a press on the desk when messages add secrets, and the secrets of messages when presses on the desk add more', () => {
		const pressed = new Uint8Array(32).fill(200);
		let link = withSecret(newLink(), about, pressed, NOW, 'desk');
		for (let byte = 1; byte <= 29; byte += 1) link = withSecret(link, about, new Uint8Array(32).fill(byte), NOW);
		expect(endOfSecret(link, pressed)).not.toBeNull();
		// Presses on the desk have a separate limit. Above this limit, a press replaces the secret of an earlier press, and never
		// the secret of a message.
		for (let byte = 100; byte < 140; byte += 1) {
			link = withSecret(link, about, new Uint8Array(32).fill(byte), NOW, 'desk');
		}
		expect(endOfSecret(link, pressed)).toBeNull();
		expect(endOfSecret(link, new Uint8Array(32).fill(1))).not.toBeNull();
	});

	it('that a person marks as handled opens with no secret, and is stored at least 30 more days', () => {
		const alone = handledLink(null, about, NOW);
		expect(alone).toMatchObject({ ...about, version: 1, secrets: [], expires_at_epoch_s: NOW_S + 30 * DAY_S });
		const soon = handledLink(newLink(), about, NOW);
		expect(soon).toMatchObject({ version: 2, secrets: [], expires_at_epoch_s: NOW_S + 33 * DAY_S });
		const late = handledLink(newLink(), about, NOW + 10 * DAY_S * 1000);
		expect(late).toMatchObject({ version: 2, secrets: [], expires_at_epoch_s: NOW_S + 40 * DAY_S });
	});

	it('has another version after each change', () => {
		const first = newLink();
		const second = withSecret(first, about, new Uint8Array(32).fill(1), NOW);
		expect([first, second, callbackLinkAfterUse(second, 'call', NOW)].map(version)).toEqual([1, 2, 3]);
	});
});

describe('a notice to the team', () => {
	const newOne = (): TeamNotice => newNotice({ id: 'lead', workspace_id: 'workspace' }, NOW, 'mail');

	it('is stored for 30 days', () => {
		expect(newOne().expires_at_epoch_s).toBe(NOW_S + 30 * DAY_S);
	});

	it('is due only at its time, and not while a function that has claimed it may be sending it', () => {
		const notice = newOne();
		expect(isNoticeDue(notice, NOW)).toBe(true);
		const claimed = claimNotice(notice, NOW);
		const leasedUntilMs = Date.parse(claimed.lease_until ?? '');
		expect(leasedUntilMs).toBeGreaterThan(NOW);
		expect([NOW, leasedUntilMs - 1, leasedUntilMs].map((ms) => isNoticeDue(claimed, ms))).toEqual([false, false, true]);
		const failed = noticeAfterFailure(claimed, NOW, [0, 60]);
		expect([NOW, NOW + 59_999, NOW + 60_000].map((ms) => isNoticeDue(failed, ms))).toEqual([false, false, true]);
	});

	it('that used all its tries has failed, and is not due again', () => {
		const failed = noticeAfterFailure(claimNotice(newOne(), NOW), NOW, [0]);
		expect(failed).toMatchObject({ status: 'failed', next_attempt_at: null, lease_until: null, due_at: null });
		expect(isNoticeDue(failed, NOW + 30 * DAY_S * 1000)).toBe(false);
	});

	it('about missed calls is due five seconds after the end of its ten minutes, and has the next version after each call', () => {
		const call = (call_id: string) => ({ channel: 'mail', workspace_id: 'workspace', call_id }) as const;
		const one = withMissedCall(null, call('first'), Date.parse('2026-11-21T10:03:00.000Z'));
		const two = withMissedCall(one, call('second'), Date.parse('2026-11-21T10:09:59.999Z'));
		const due_at = '2026-11-21T10:10:05.000Z';
		expect(one).toMatchObject({ version: 1, due_at, next_attempt_at: due_at });
		expect(two).toEqual({ ...one, version: 2, missed: { call_ids: ['first', 'second'], more: 0 } });
		expect(missedNoticeIds('workspace', Date.parse('2026-11-21T10:14:00.000Z'))).toContain(one.id);
		expect(missedNoticeIds('workspace', Date.parse('2026-11-21T09:56:00.000Z'))).toContain(one.id);
	});

	it('has the next version after each change', () => {
		const notice = newOne();
		const changed = [
			replayNotice(notice, NOW),
			claimNotice(notice, NOW),
			finishNotice(notice, 'sent'),
			noticeAfterFailure(notice, NOW, [0]),
			noticeAfterFailure(notice, NOW, []),
		];
		expect(changed.map(version)).toEqual([2, 2, 2, 2, 2]);
	});
});

describe('the notices about an endpoint', () => {
	const { webhook_endpoint: endpoint, delivery } = samples;

	it('say by mail and by chat that the endpoint was switched off, unless its owner switched it off', () => {
		const notices = disabledNotices({ ...endpoint, disabled_reason: 'gone' }, NOW);
		expect(notices.map(({ channel }) => channel)).toEqual(['mail', 'chat']);
		for (const disabled_reason of [null, 'manual'] as const) {
			expect(disabledNotices({ ...endpoint, disabled_reason }, NOW)).toEqual([]);
		}
	});

	it('say how the last attempt of a delivery failed, if there was one', () => {
		const outcomeOf = (last_attempt: typeof delivery.last_attempt) =>
			exhaustedNotices({ ...delivery, last_attempt }, NOW).map(({ endpoint: fact }) => fact);
		const none = { fact: 'gave_up', error: null, response_status: null };
		expect(outcomeOf(null)).toEqual([expect.objectContaining(none), expect.objectContaining(none)]);
		const last = { ...samples.delivery_attempt.attempt, error: 'http_status', response_status: 503 } as const;
		expect(outcomeOf(last)).toContainEqual(expect.objectContaining({ error: 'http_status', response_status: 503 }));
	});
});
