import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { WorkspaceSettings } from '../../../shared/contract/workspaces/workspace.ts';
import { endOfToday, openState, startOfDate } from '../../../shared/domain/workspaces/business-hours.ts';
import { timeZoneName, timeZoneOfRegion, timeZones } from '../../../shared/domain/workspaces/time-zone.ts';
import { hoursPage } from '../../../shared/http/desk/hours/hours-page.ts';
import { hourOfDay } from '../../../shared/http/desk/kit/times.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { callsCsv } from '../../../shared/http/desk/numbers/list-files.ts';
import { readableTime } from '../../../shared/presentation/team-words.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';
import { put } from '../../support/writes.ts';

describe('the name of a time zone', () => {
	it.each([
		['Asia/Calcutta', 'Asia/Kolkata'],
		['Asia/Kolkata', 'Asia/Kolkata'],
		['Asia/Katmandu', 'Asia/Kathmandu'],
		['Europe/Kiev', 'Europe/Kyiv'],
		['europe/berlin', 'Europe/Berlin'],
		[' Europe/Berlin ', 'Europe/Berlin'],
		['US/Eastern', 'America/New_York'],
		['AMERICA/INDIANAPOLIS', 'America/Indiana/Indianapolis'],
		['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
	])('%s is stored as %s', (text, name) => {
		expect(timeZoneName(text)).toBe(name);
		expect(WorkspaceSettings.parse({ time_zone: text })).toEqual({ time_zone: name });
	});

	it.each([
		'',
		'Berlin',
		'+02:00',
		'CET',
		'UTC',
		'Etc/UTC',
		'Europe/Bern',
		'__proto__',
		'a/b',
		'/',
		'Europe/Berlin\u0000',
	])('%j is refused, because it is not the name of a place', (text) => {
		expect(timeZoneName(text)).toBeNull();
		expect(WorkspaceSettings.safeParse({ time_zone: text }).success).toBe(false);
	});

	it('occurs once in the list of the desk if it is the current name, and can be saved', () => {
		const all = timeZones('IN');
		expect(all[0]).toBe('Asia/Kolkata');
		expect(new Set(all).size).toBe(all.length);
		expect(all.length).toBeGreaterThan(400);
		for (const old of ['Europe/Kiev', 'Asia/Calcutta', 'America/Godthab', 'UTC']) expect(all).not.toContain(old);
		for (const zone of all) expect(timeZoneName(zone)).toBe(zone);
	});
});

it.each([
	['IN', 'Asia/Kolkata'],
	['DE', 'Europe/Berlin'],
	['NP', 'Asia/Kathmandu'],
	['UA', 'Europe/Kyiv'],
	['ES', 'Europe/Madrid'],
	['US', null],
	['AU', null],
	['XX', null],
])('the zone of a new workspace in %s is %s', (region, zone) => {
	expect(timeZoneOfRegion(region)).toBe(zone);
});

/** For each zone: an instant, its local time, and the end of that local day. The clock changes on the last three days. */
const clocks = [
	['Asia/Kolkata', '2026-11-26T18:29:00.000Z', '2026-11-26 23:59:00', '2026-11-26T18:30:00.000Z'],
	['Asia/Kathmandu', '2026-11-26T18:15:00.000Z', '2026-11-27 00:00:00', '2026-11-27T18:15:00.000Z'],
	['Australia/Adelaide', '2026-10-03T16:29:00.000Z', '2026-10-04 01:59:00', '2026-10-04T13:30:00.000Z'],
	['Australia/Adelaide', '2026-10-03T16:30:00.000Z', '2026-10-04 03:00:00', '2026-10-04T13:30:00.000Z'],
	['Europe/Berlin', '2026-10-25T01:30:00.000Z', '2026-10-25 02:30:00', '2026-10-25T23:00:00.000Z'],
] as const;

describe('a shop without opening hours uses its own time zone:', () => {
	it.each(clocks)('%s at %s', async (time_zone, at, wall, dayEnds) => {
		const store = memoryStore();
		const nowMs = Date.parse(at);
		const workspace = { ...samples.workspace, time_zone, business_hours: null };
		expect(new Date(endOfToday(time_zone, nowMs)).toISOString()).toBe(dayEnds);
		expect(readableTime(at, { language: 'en', time_zone })).toContain(
			`${wall.slice(11, 16)} (${time_zone.replace(/^.*\//, '')})`,
		);
		expect(hourOfDay(time_zone)(at)).toBe(Number(wall.slice(11, 13)));
		const item = { ...samples.call, workspace_id: workspace.id, id: '01KB1ZZZZZ0000000000000000', created_at: at };
		await store.commit([put('call', item)]);
		const view = viewOf({ workspace, person: {} } as never, Date.parse('2025-11-28T00:00:00Z'), { days: '30' });
		const { body = '' } = await callsCsv(view, { store } as never);
		expect(body).toContain(`\uFEFF"created_at (${time_zone})"`);
		expect(body).toContain(`\r\n"${wall}",`);
	});
});

it('opening hours follow the wall clock on both sides of a clock change, in a zone with a half-hour offset', () => {
	const weekly = [{ weekday: 0 as const, from_minute: 60, to_minute: 240 }];
	const shop = { time_zone: 'Australia/Adelaide', business_hours: { weekly, holidays: [] } };
	const open = (at: string) => openState(shop, Date.parse(at)).open;
	// On 4 October, the shop is open from 01:00 to 04:00, and the hour from 02:00 to 03:00 does not exist.
	expect(['15:29', '15:30', '17:29', '17:30'].map((time) => open(`2026-10-03T${time}:00Z`))).toEqual([
		false,
		true,
		true,
		false,
	]);
	// On 5 April, the hour from 02:00 to 03:00 occurs twice.
	expect(['14:29', '14:30', '18:29', '18:30'].map((time) => open(`2026-04-04T${time}:00Z`))).toEqual([
		false,
		true,
		true,
		false,
	]);
});

it('in each zone, a day begins when the date changes there', () => {
	const format = (zone: string) => new Intl.DateTimeFormat('en-CA', { timeZone: zone });
	const moments = fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2030-01-01') });
	fc.assert(
		fc.property(fc.constantFrom(...timeZones('US')), moments, (zone, nowMs) => {
			const endMs = endOfToday(zone, nowMs);
			expect(endMs).toBeGreaterThan(nowMs);
			expect(format(zone).format(endMs - 1)).toBe(format(zone).format(nowMs));
			expect(startOfDate(zone, format(zone).format(endMs))).toBe(endMs);
		}),
		{ numRuns: 500 },
	);
});

it('the desk offers the zones of the region first, and saves a zone even for a shop without opening hours', () => {
	const workspace = { ...samples.workspace, region: 'NP', time_zone: 'Asia/Kathmandu', business_hours: null };
	const { markup } = hoursPage(viewOf({ workspace, person: {}, secret: 'x' } as never, 0, {}));
	const [first] = /<option[^>]*>[^<]*/.exec(markup) ?? [];
	expect(first).toBe('<option value="Asia/Kathmandu" selected>Kathmandu');
	expect(markup).not.toContain('Katmandu');
});
