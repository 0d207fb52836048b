import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { addressKey, networkKey } from '../../../shared/domain/access/ip-address.ts';
import { DEFAULT_LIMITS, limitsOf } from '../../../shared/domain/access/limits.ts';
import {
	dailyCount,
	dailyLeadCount,
	numberCallCount,
	numberLeadCount,
	numberRefusalCount,
	requestCounts,
	windowRefusal,
	workspaceWindowCount,
} from '../../../shared/domain/access/rate-limit.ts';
import { type CallStatus, callStatuses, isTerminal } from '../../../shared/domain/calls/call.ts';
import { admitNumber, type NumberUsage } from '../../../shared/domain/calls/number-usage.ts';
import { pollInterval, statusIsReadable } from '../../../shared/domain/calls/poll-interval.ts';
import { openState } from '../../../shared/domain/workspaces/business-hours.ts';
import type { BusinessHours, OpenInterval } from '../../../shared/domain/workspaces/workspace.ts';
import { everyLimit } from '../../support/every-limit.ts';

const at = (text: string): number => Date.parse(text);
const iso = (epochMs: number): string => new Date(epochMs).toISOString();

describe('the limits of public requests', () => {
	const number = { number_hash: 'number-in-this-workspace', platform_number_hash: 'N' };
	const requester = { address_hash: 'A', network_hash: null, workspace_id: 'W', limits: DEFAULT_LIMITS };
	const now = at('2026-11-21T12:34:56.789Z');
	const window = { op: 'count', expires_at_epoch_s: at('2026-11-22T12:40:00Z') / 1000 };
	const day = { op: 'count', expires_at_epoch_s: at('2026-11-23T00:00:00Z') / 1000 };

	it('count a request in the window of its address, and of its network', () => {
		const address = { ...window, counter: 'address#A#2026-11-21T12:30', limits: { used: 5 } };
		const network = { ...window, counter: 'network#NET#2026-11-21T12:30', limits: { used: 15 } };
		expect(requestCounts(requester, now)).toEqual([address]);
		expect(requestCounts({ ...requester, network_hash: 'NET' }, now)).toEqual([address, network]);
		expect(windowRefusal(now)).toEqual({ refused: 'rate_limited', retry_after_seconds: 304 });
	});

	it('count a refused request for a number in the number’s window for the workspace', () => {
		expect(numberRefusalCount(number, requester, now)).toEqual({
			count: { ...window, counter: 'refused#W#N#2026-11-21T12:30', limits: { used: 10 } },
			refusal: { code: 'rate_limited', retry_after_seconds: windowRefusal(now).retry_after_seconds },
		});
	});

	it('count each accepted call and each accepted callback in a separate window of the workspace', () => {
		const refusal = { code: 'rate_limited', retry_after_seconds: 304 };
		expect(workspaceWindowCount('calls', requester, now)).toEqual({
			count: { ...window, counter: 'workspace#W#2026-11-21T12:30', limits: { used: 30 } },
			refusal: { ...refusal, closes: 'calls_per_window' },
		});
		expect(workspaceWindowCount('leads', requester, now)).toEqual({
			count: { ...window, counter: 'workspace-leads#W#2026-11-21T12:30', limits: { used: 30 } },
			refusal: { ...refusal, closes: 'leads_per_window' },
		});
	});

	it.each([
		[0, 5, 0],
		[1, 5, 1],
		[3, 15, 2],
		[100_000, 500_000, 50_000],
	])('follow the limit that a workspace has set: %i', (limit, ofNumber, ofNetwork) => {
		const limits = everyLimit(limit);
		const [, network] = requestCounts({ ...requester, network_hash: 'NET', limits }, now);
		const refused = numberRefusalCount(number, { ...requester, limits }, now);
		expect([network?.limits, refused.count.limits]).toEqual([{ used: ofNetwork }, { used: ofNumber }]);
	});

	it('count a call also in the workspace’s calls of the UTC day; when these are used up, calls are refused until midnight', () => {
		expect(dailyCount(requester, now)).toEqual({
			count: { ...day, counter: 'calls#W#2026-11-21T00:00', limits: { used: 500 } },
			refusal: { code: 'calls_unavailable', retry_after_seconds: 41_104, closes: 'calls_per_day' },
		});
	});

	it('count a lead also in the workspace’s leads of the UTC day', () => {
		expect(dailyLeadCount(requester, now)).toEqual({
			count: { ...day, counter: 'leads#W#2026-11-21T00:00', limits: { used: 200 } },
			refusal: {
				code: 'rate_limited',
				retry_after_seconds: 41_104,
				limit: 'leads_per_day',
				closes: 'leads_per_day',
			},
		});
	});

	it('count a number’s calls and leads in all workspaces together; if a counter is full, the refusal is that of a full window', () => {
		const refusal = { code: 'rate_limited', retry_after_seconds: windowRefusal(now).retry_after_seconds };
		expect(numberCallCount(number, DEFAULT_LIMITS, now)).toEqual({
			count: { ...day, counter: 'number#N#2026-11-21T00:00', limits: { calls: 6, 'calls 12:30': 2 } },
			refusal,
		});
		expect(numberLeadCount(number, DEFAULT_LIMITS, now)).toEqual({
			count: { ...day, counter: 'number#N#2026-11-21T00:00', limits: { leads: 6 } },
			refusal,
		});
	});

	it('start again from zero when Retry-After has passed, or at most a second earlier', () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: at('2100-01-01') }), (nowMs) => {
				const counts = (ms: number) => [
					...requestCounts({ ...requester, network_hash: 'NET' }, ms).map((count) => ({
						count,
						seconds: windowRefusal(ms).retry_after_seconds,
					})),
					...[
						dailyCount(requester, ms),
						dailyLeadCount(requester, ms),
						workspaceWindowCount('calls', requester, ms),
						workspaceWindowCount('leads', requester, ms),
					].map(({ count, refusal }) => {
						return { count, seconds: refusal.retry_after_seconds };
					}),
				];
				const names = (ms: number) => counts(ms).map(({ count }) => count.counter);
				for (const { count, seconds } of counts(nowMs)) {
					expect(seconds).toBeGreaterThanOrEqual(1);
					expect(names(nowMs + seconds * 1000)).not.toContain(count.counter);
					expect(names(nowMs + (seconds - 1) * 1000)).toContain(count.counter);
					expect(count.expires_at_epoch_s * 1000).toBeGreaterThan(nowMs + seconds * 1000);
				}
			}),
		);
	});

	it('have their defaults if the workspace is older than the limit', () => {
		const old = { limits: { calls_per_day: 7 } };
		expect(limitsOf(old)).toEqual({ ...DEFAULT_LIMITS, calls_per_day: 7 });
	});
});

describe('the range of addresses that is limited as one', () => {
	it.each([
		['203.0.113.7', '203.0.113.7'],
		['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
		['2001:0DB8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
		['2001:0DB8:0001:ffff::1', '2001:db8:1:ffff::/64'],
		['2001:db8::1', '2001:db8:0:0::/64'],
		['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
		['::1', '0:0:0:0::/64'],
		['::', '0:0:0:0::/64'],
		['fe80::1%eth0', 'fe80:0:0:0::/64'],
		['::ffff:203.0.113.7', '203.0.113.7'],
		['::FFFF:cb00:7107', '203.0.113.7'],
		['2001:db8:1:2:3:4:203.0.113.7', '2001:db8:1:2::/64'],
		['not:an:address', 'not:an:address'],
		['unknown', 'unknown'],
	])('of %s is %s', (address, key) => {
		expect(addressKey(address)).toBe(key);
	});

	it.each([
		['203.0.113.7', null],
		['::ffff:203.0.113.7', null],
		['unknown', null],
		['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
		['2001:0DB8:0001:ffff::1', '2001:db8:1::/48'],
		['2001:db8::1', '2001:db8:0::/48'],
		['fe80::1%eth0', 'fe80:0:0::/48'],
	])('of %s is in the network %s', (address, network) => {
		expect(networkKey(address)).toBe(network);
	});

	it('is the same for all addresses of a /64, and another range for the next /64', () => {
		const group = fc.nat(0xffff).map((n) => n.toString(16));
		const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length });
		fc.assert(
			fc.property(groups(4), groups(4), groups(4), groups(4), (prefix, a, b, other) => {
				// The prefix 0:0:0:0 is left out, because it contains the IPv4 addresses that are written as IPv6.
				if (prefix.every((part) => part === '0') || other.every((part) => part === '0')) return;
				const key = addressKey([...prefix, ...a].join(':'));
				expect(addressKey([...prefix, ...b].join(':'))).toBe(key);
				expect(addressKey([...other, ...a].join(':')) === key).toBe(prefix.join() === other.join());
			}),
		);
	});
});

describe('calls to one number', () => {
	const now_ms = at('2026-11-21T12:00:00Z');
	const next = { number_hash: 'N', call_id: 'C2', calls_per_day: 3, now_ms };
	const used: NumberUsage = {
		number_hash: 'N',
		version: 4,
		live_call_id: 'C1',
		day: '2026-11-21',
		day_count: 2,
		suppressed: false,
		expires_at_epoch_s: 0,
	};

	it('may be placed if there was none before, and are counted', () => {
		expect(admitNumber(null, null, next)).toEqual({
			usage: {
				number_hash: 'N',
				version: 1,
				live_call_id: 'C2',
				day: '2026-11-21',
				day_count: 1,
				suppressed: false,
				expires_at_epoch_s: at('2026-11-24T00:00:00Z') / 1000,
			},
		});
	});

	it.each(callStatuses)('may be placed only after the previous one has ended: %s', (status: CallStatus) => {
		const admission = admitNumber(used, { status, connected_at: null }, next);
		if (isTerminal(status)) {
			expect(admission).toMatchObject({ usage: { version: 5, live_call_id: 'C2', day_count: 3 } });
		} else {
			expect(admission).toEqual({ refused: 'in_a_call', retry_after_seconds: 60 });
		}
	});

	it('keep the time when the number was last reached, even after later calls that reached no one', () => {
		const failed = { status: 'failed', connected_at: null } as const;
		const reached_at = '2026-11-21T11:00:00.000Z';
		const first = admitNumber(used, { status: 'completed', connected_at: reached_at }, next);
		if ('refused' in first) throw new Error(first.refused);
		expect(first.usage).toMatchObject({ reached_at });
		expect(admitNumber({ ...first.usage, day_count: 1 }, failed, next)).toMatchObject({ usage: { reached_at } });
		expect(admitNumber(used, failed, next)).not.toHaveProperty('usage.reached_at');
	});

	it('may be placed after a call whose record no longer exists', () => {
		expect(admitNumber(used, null, next)).toHaveProperty('usage');
	});

	it('are refused for the rest of the UTC day when its calls are used up', () => {
		const full = { ...used, day_count: 3 };
		expect(admitNumber(full, null, next)).toEqual({ refused: 'called_enough', retry_after_seconds: 12 * 3600 });
		expect(admitNumber(full, null, { ...next, now_ms: now_ms + 12 * 3_600_000 })).toMatchObject({
			usage: { day: '2026-11-22', day_count: 1 },
		});
	});

	it('are never placed to a suppressed number', () => {
		const admission = admitNumber({ ...used, suppressed: true, day: '2020-01-01' }, null, next);
		expect(admission).toMatchObject({ refused: 'suppressed' });
	});

	it('are never more than a day allows, whatever the order of times within the day', () => {
		fc.assert(
			fc.property(
				fc.array(fc.nat(86_399_999), { maxLength: 10 }),
				fc.integer({ min: 0, max: 5 }),
				(offsets, calls_per_day) => {
					let usage: NumberUsage | null = null;
					let placed = 0;
					for (const offset of offsets) {
						const admission = admitNumber(usage, null, { ...next, calls_per_day, now_ms: at('2026-11-21') + offset });
						if (!('usage' in admission)) continue;
						usage = admission.usage;
						placed += 1;
					}
					expect(placed).toBe(Math.min(offsets.length, calls_per_day));
				},
			),
		);
	});
});

describe('the poll interval of a widget', () => {
	const created = at('2026-11-21T12:00:00.000Z');
	const call = (status: CallStatus) => ({ status, created_at: iso(created), connected_at: null });
	const usual = { speed: 1 };

	it.each([
		[-1000, 1000],
		[0, 1000],
		[29_999, 1000],
		[30_000, 2500],
		[59_999, 2500],
		[60_000, 4000],
		[7_200_000, 4000],
	])('is chosen while the visitor waits: %i ms after the request, the widget polls in %i ms', (ageMs, pollAfterMs) => {
		expect(pollInterval(call('requested'), { ...usual, now_ms: created + ageMs })).toBe(pollAfterMs);
		expect(pollInterval(call('ringing'), { now_ms: created + ageMs, speed: 2 })).toBe(pollAfterMs);
	});

	it.each([
		[-60_000, 5000],
		[0, 5000],
		[19_999, 5000],
		[20_000, 15_000],
		[119_999, 15_000],
		[120_000, 20_000],
		[7_200_000, 20_000],
	])('is chosen while people talk: %i ms into the conversation, the widget polls in %i ms', (talkedMs, pollAfterMs) => {
		const connected = { ...call('connected'), connected_at: iso(created) };
		expect(pollInterval(connected, { ...usual, now_ms: created + talkedMs })).toBe(pollAfterMs);
	});

	it('is a third while simulated people talk three times as fast', () => {
		const connected = { ...call('connected'), connected_at: iso(created) };
		const asksIn = (talkedMs: number) => pollInterval(connected, { ...usual, now_ms: created + talkedMs, speed: 3 });
		expect([asksIn(0), asksIn(6667), asksIn(40_000)]).toEqual([1667, 5000, 6667]);
	});

	it.each(callStatuses.filter(isTerminal))('is none after the end: %s', (status) => {
		expect(pollInterval(call(status), { ...usual, now_ms: created })).toBeNull();
	});

	it('has no effect on the status, which is readable until one hour after the end', () => {
		const ended = { completed_at: iso(created) };
		expect(statusIsReadable({ completed_at: null }, created + 10 ** 12)).toBe(true);
		expect(statusIsReadable(ended, created + 3_599_999)).toBe(true);
		expect(statusIsReadable(ended, created + 3_600_000)).toBe(false);
	});
});

describe('business hours', () => {
	const every = (from_minute: number, to_minute: number): readonly OpenInterval[] =>
		([0, 1, 2, 3, 4, 5, 6] as const).map((weekday) => ({ weekday, from_minute, to_minute }));
	const weekly = [1, 2, 3, 4, 5].map((weekday) => ({ weekday: weekday as 1, from_minute: 9 * 60, to_minute: 17 * 60 }));
	type Change = Partial<BusinessHours> & { readonly time_zone?: string };
	const state = ({ time_zone = 'Europe/Berlin', ...change }: Change, now: string) =>
		openState({ time_zone, business_hours: { weekly, holidays: [], ...change } }, at(now));
	const closedUntil = (next_open_at: string | null) => ({ open: false, next_open_at });

	it('are always open if they are not set', () => {
		expect(openState({ time_zone: 'Europe/Berlin', business_hours: null }, 0)).toEqual({ open: true });
	});

	it.each([
		['2026-11-20T07:59:59.999Z', '2026-11-20T08:00:00.000Z'],
		['2026-11-20T16:00:00.000Z', '2026-11-23T08:00:00.000Z'],
		['2026-11-21T12:00:00.000Z', '2026-11-23T08:00:00.000Z'],
	])('are closed at %s until %s', (now, next) => {
		expect(state({}, now)).toEqual(closedUntil(next));
	});
	it.each(['2026-11-20T08:00:00.000Z', '2026-11-20T15:59:59.999Z'])('are open at %s', (now) => {
		expect(state({}, now)).toEqual({ open: true });
	});

	it('skip holidays, which are local dates', () => {
		const holidays = ['2026-11-23', '2026-11-24'];
		expect(state({ holidays }, '2026-11-21T12:00:00Z')).toEqual(closedUntil('2026-11-25T08:00:00.000Z'));
		const tokyo = { time_zone: 'Asia/Tokyo', weekly: every(0, 1440), holidays: ['2026-11-22'] };
		expect(state(tokyo, '2026-11-21T14:59:59Z')).toEqual({ open: true });
		expect(state(tokyo, '2026-11-21T15:00:00Z')).toEqual(closedUntil('2026-11-22T15:00:00.000Z'));
	});

	it('may pass midnight, and then belong to the day on which they begin', () => {
		const night = { weekly: [{ weekday: 5 as const, from_minute: 22 * 60, to_minute: 30 * 60 }] };
		expect(state(night, '2026-11-21T04:59:00Z')).toEqual({ open: true });
		expect(state({ ...night, holidays: ['2026-11-21'] }, '2026-11-21T04:59:00Z')).toEqual({ open: true });
		expect(state({ ...night, holidays: ['2026-11-20'] }, '2026-11-21T04:59:00Z')).toEqual(
			closedUntil('2026-11-27T21:00:00.000Z'),
		);
	});

	it.each<[string, string, string, string]>([
		['Europe/Berlin', 'put forward', '2026-03-28T17:00:00Z', '2026-03-29T07:00:00.000Z'],
		['Europe/Berlin', 'put back', '2026-10-24T17:00:00Z', '2026-10-25T08:00:00.000Z'],
		['America/New_York', 'put forward', '2026-03-08T00:00:00Z', '2026-03-08T13:00:00.000Z'],
		['America/New_York', 'put back', '2026-11-01T00:00:00Z', '2026-11-01T14:00:00.000Z'],
		['Australia/Lord_Howe', 'put forward by half an hour', '2026-10-03T10:00:00Z', '2026-10-03T22:00:00.000Z'],
		['Asia/Kolkata', 'never changed', '2026-11-21T12:00:00Z', '2026-11-22T03:30:00.000Z'],
		['Pacific/Kiritimati', 'far ahead', '2026-11-21T12:00:00Z', '2026-11-21T19:00:00.000Z'],
		['Pacific/Pago_Pago', 'far behind', '2026-11-22T05:00:00Z', '2026-11-22T20:00:00.000Z'],
	])('begin at nine by the wall clock of %s, where clocks are %s', (time_zone, _, now, next) => {
		expect(state({ time_zone, weekly: every(9 * 60, 17 * 60) }, now)).toEqual(closedUntil(next));
	});

	it('that begin in a skipped hour begin later by the length of the skip, and hours within it are dropped', () => {
		const skipped = { weekly: every(150, 240) };
		expect(state(skipped, '2026-03-29T00:59:59Z')).toEqual(closedUntil('2026-03-29T01:30:00.000Z'));
		expect(state({ weekly: every(120, 180) }, '2026-03-29T00:59:59Z')).toEqual(closedUntil('2026-03-30T00:00:00.000Z'));
	});

	it('that begin in a repeated hour begin at its first occurrence, and are not interrupted', () => {
		const repeated = { weekly: every(150, 240) };
		expect(state(repeated, '2026-10-25T00:29:59Z')).toEqual(closedUntil('2026-10-25T00:30:00.000Z'));
		for (const now of ['2026-10-25T00:30:00Z', '2026-10-25T01:15:00Z', '2026-10-25T02:59:59Z']) {
			expect(state(repeated, now)).toEqual({ open: true });
		}
		expect(state(repeated, '2026-10-25T03:00:00Z')).toMatchObject({ open: false });
	});

	it('that never begin have no next opening', () => {
		expect(state({ weekly: [] }, '2026-11-21T12:00:00Z')).toEqual(closedUntil(null));
		expect(state({ weekly: every(600, 600) }, '2026-11-21T12:00:00Z')).toEqual(closedUntil(null));
	});

	const zones = fc.constantFrom(
		'Europe/Berlin',
		'America/New_York',
		'Australia/Lord_Howe',
		'Pacific/Apia',
		'Africa/Cairo',
		'Asia/Kathmandu',
		'UTC',
	);
	const interval = fc
		.tuple(fc.integer({ min: 0, max: 6 }), fc.nat(1439), fc.nat(1440))
		.map(
			([weekday, from_minute, length]) => ({ weekday, from_minute, to_minute: from_minute + length }) as OpenInterval,
		);
	const anyHours = fc.record({
		time_zone: zones,
		business_hours: fc.record({ weekly: fc.array(interval, { maxLength: 4 }), holidays: fc.constant([]) }),
	});
	const moments = fc.integer({ min: at('2026-01-01'), max: at('2027-12-31') });

	it('are closed before the announced opening and open at it, in every zone', () => {
		fc.assert(
			fc.property(
				anyHours,
				moments,
				fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
				(weekly, nowMs, part) => {
					const now = openState(weekly, nowMs);
					if (now.open || now.next_open_at === null) return;
					const nextMs = at(now.next_open_at);
					expect(nextMs).toBeGreaterThan(nowMs);
					expect(openState(weekly, nextMs)).toEqual({ open: true });
					expect(openState(weekly, nextMs - 1)).toEqual(now);
					expect(openState(weekly, nowMs + Math.floor(part * (nextMs - nowMs)))).toEqual(now);
				},
			),
			{ numRuns: 300 },
		);
	});

	it('agree with the wall clock on every day without a clock change', () => {
		const wall = (zone: string, ms: number) => {
			const parts = new Intl.DateTimeFormat('en-GB', {
				timeZone: zone,
				weekday: 'short',
				hour: '2-digit',
				minute: '2-digit',
				hourCycle: 'h23',
			}).formatToParts(ms);
			const part = (type: string) => parts.find((p) => p.type === type)?.value ?? '';
			return {
				weekday: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'].indexOf(part('weekday')),
				minute: Number(part('hour')) * 60 + Number(part('minute')),
			};
		};
		const zone = fc.constantFrom('Asia/Kathmandu', 'Asia/Tokyo', 'America/Bogota', 'UTC');
		fc.assert(
			fc.property(zone, fc.array(interval, { maxLength: 4 }), moments, (time_zone, weekly, nowMs) => {
				const { weekday, minute } = wall(time_zone, nowMs);
				const expected = weekly.some((open) => {
					const today = open.weekday === weekday && open.from_minute <= minute && minute < open.to_minute;
					const before =
						open.weekday === (weekday + 6) % 7 && open.from_minute <= minute + 1440 && minute + 1440 < open.to_minute;
					return today || before;
				});
				expect(openState({ time_zone, business_hours: { weekly, holidays: [] } }, nowMs).open).toBe(expected);
			}),
			{ numRuns: 300 },
		);
	});
});
