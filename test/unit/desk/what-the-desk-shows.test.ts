import { describe, expect, it } from '@jest/globals';
import type { WorkspaceLimits } from '../../../shared/domain/access/limits.ts';
import { newSession } from '../../../shared/domain/desk/session-cookie.ts';
import { chatRecipient, failingRecipient } from '../../../shared/domain/notices/failing-recipient.ts';
import { closesAt, teamState } from '../../../shared/domain/workspaces/business-hours.ts';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import type { BusinessHours, Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { hoursSection } from '../../../shared/http/desk/hours/hours-section.ts';
import { shortTime } from '../../../shared/http/desk/kit/times.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { noticesPage } from '../../../shared/http/desk/notices/notices-page.ts';
import { todayPage } from '../../../shared/http/desk/today/today-page.ts';
import { deskTextsIn } from '../../../shared/presentation/desk-texts.ts';
import { fillIn } from '../../../shared/presentation/team-texts.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';
import { put } from '../../support/writes.ts';

const time_zone = 'Europe/Berlin';
const hours = (weekly: BusinessHours['weekly']) => ({ time_zone, business_hours: { weekly, holidays: [] } });
/** Monday, 10:00 in Berlin. */
const MONDAY_10 = Date.parse('2026-11-23T09:00:00.000Z');

describe('the state of the shop on Today', () => {
	it('says that the shop closes when the hours end, across adjoining openings and past midnight', () => {
		const split = hours([
			{ weekday: 1, from_minute: 12 * 60, to_minute: 26 * 60 },
			{ weekday: 1, from_minute: 9 * 60, to_minute: 12 * 60 },
		]);
		expect(closesAt(split, MONDAY_10)).toBe('2026-11-24T01:00:00.000Z');
	});

	it('says no closing time for a shop without hours, or with hours all day', () => {
		const allDay = ([0, 1, 2, 3, 4, 5, 6] as const).map((weekday) => ({ weekday, from_minute: 0, to_minute: 1440 }));
		expect([closesAt({ time_zone, business_hours: null }, MONDAY_10), closesAt(hours(allDay), MONDAY_10)]).toEqual([
			null,
			null,
		]);
	});

	it('says that the shop is closed until the end of a pause, or until the first opening after the pause', () => {
		const monday = hours([{ weekday: 1, from_minute: 9 * 60, to_minute: 17 * 60 }]);
		const shop = { ...samples.workspace, ...monday };
		const noon = '2026-11-23T11:00:00.000Z';
		expect(teamState({ ...shop, paused_until: noon }, MONDAY_10)).toEqual({ open: false, next_open_at: noon });
		const evening = '2026-11-23T20:00:00.000Z';
		const next_open_at = '2026-11-30T08:00:00.000Z';
		expect(teamState({ ...shop, paused_until: evening }, MONDAY_10)).toEqual({ open: false, next_open_at });
		expect(teamState({ ...shop, paused_until: '2026-11-23T08:59:59.000Z' }, MONDAY_10)).toEqual({ open: true });
	});
});

it.each(languages)('the page of notices says in %s since when and why posts to the chat fail', async (language) => {
	const store = memoryStore();
	const { deps, now, workspace: fresh } = frontDesk(store);
	const team_webhook = { origin: 'https://hooks.slack.com', sealed: 'sealed' };
	const workspace = fresh({}, { team_webhook, language });
	const person = { address: 'ida@shop.example', role: 'member', sessions_from: '' } as const;
	const session = newSession(new Uint8Array(32), { workspace_id: workspace.id, address: person.address }, now.ms);
	const page = async () => {
		const view = viewOf({ workspace, person, session, secret: new Uint8Array(32) }, now.ms);
		return (await noticesPage(view, deps)).markup.replaceAll(/<[^>]*>/g, ' ');
	};
	expect(await page()).not.toContain('http_404');
	await store.commit([
		put('failing_recipient', failingRecipient(chatRecipient(workspace) ?? '', 'http_404', null, now.ms)),
	]);
	const since = shortTime(new Date(now.ms).toISOString(), workspace);
	expect(await page()).toContain(fillIn(deskTextsIn(language).chat_fails, since, 'http_404'));
	expect(fillIn(deskTextsIn(language).mail_fails, 'SINCE', 'CODE')).toMatch(/SINCE.*CODE/);
});

describe('a used-up limit', () => {
	/** The card at the top of the page Today of a shop with these limits. */
	async function stateOf(limits: Partial<WorkspaceLimits>, changes: Partial<Workspace> = {}): Promise<string> {
		const { deps, now, workspace: fresh } = frontDesk(memoryStore());
		const workspace = fresh(limits, { business_hours: null, ...changes });
		const person = { address: 'ida@shop.example', role: 'member', sessions_from: '' } as const;
		const session = newSession(new Uint8Array(32), { workspace_id: workspace.id, address: person.address }, now.ms);
		const at = { workspace, person, session, secret: new Uint8Array(32) };
		const page = await todayPage(viewOf(at, now.ms), deps);
		return /<p class="state">.*?<\/p>/s.exec(page.markup)?.[0].replaceAll(/<[^>]*>/g, '') ?? '';
	}
	const spent = { requests_per_workspace_per_window: 0 };

	it.each([
		[{}, {}, 'Always open'],
		[spent, {}, 'No calls until 10:10 AM: very many were requested'],
		[{ calls_per_day: 0 }, {}, 'No calls until Sun, Nov 22, 1:00 AM: the number of calls for one day is reached'],
		[{ calls_per_day: 0, ...spent }, {}, 'No calls until Sun, Nov 22, 1:00 AM'],
		[spent, { calls_enabled: false }, 'Calls are switched off'],
		[spent, { team: [] }, 'Closed'],
		[spent, { paused_until: '2026-11-21T10:00:00.000Z' }, 'Paused until'],
	])('is shown only if the shop itself is not closed for another reason: %j, %j', async (limits, changes, says) => {
		expect(await stateOf(limits, changes)).toContain(says);
	});
});

it.each([
	['en', 'Open until Wed 25 Nov, 17:00'],
	['de', 'Geöffnet bis Mi., 25. Nov., 17:00'],
	['fr', 'Ouvert jusqu’au mer. 25 nov. à 17:00'],
] as const)('the desk says until when the shop is open as speakers of %s say it', (language, says) => {
	const until = shortTime('2026-11-25T16:00:00.000Z', { language, time_zone });
	expect(fillIn(deskTextsIn(language).open_until, until)).toBe(says);
});

describe('the form of the opening hours', () => {
	it('accepts openings as they are entered, and puts an end that is before its beginning on the next day', () => {
		const fields = { time_zone: 'Europe/Berlin', 'from-5-0': '22:00', 'to-5-0': '02:00', 'from-6-0': '', 'to-6-0': '' };
		expect(hoursSection.entered(fields, samples.workspace)).toMatchObject({
			business_hours: { weekly: [{ weekday: 5, from_minute: 1320, to_minute: 1560 }] },
		});
	});

	it('keeps an opening that has a beginning and no end, so that the settings refuse it', () => {
		expect(hoursSection.entered({ 'from-1-0': '09:00', 'to-1-0': '' }, samples.workspace)).toMatchObject({
			business_hours: { weekly: [{ weekday: 1, from_minute: 540, to_minute: Number.NaN }] },
		});
	});
});
