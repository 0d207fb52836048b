import { describe, expect, it } from '@jest/globals';
import { newLeg } from '../../../shared/domain/calls/leg.ts';
import { callTally } from '../../../shared/domain/calls/tally.ts';
import type { Language } from '../../../shared/domain/workspaces/language.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { callsCsv, leadsCsv, sourcesCsv } from '../../../shared/http/desk/numbers/list-files.ts';
import { numbersPage } from '../../../shared/http/desk/numbers/numbers-page.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';
import { put } from '../../support/writes.ts';

/** Thursday, 10:00 in New York. */
const NOW_MS = Date.parse('2026-11-26T15:00:00Z');

type Ended = { readonly at: string; readonly end?: 'answered' | 'missed' | 'busy' };

/** The page Statistics of a shop in New York with these calls. `at`: the call's time in New York. */
async function statistics(
	calls: readonly Ended[],
	about: { days?: 7 | 30; opened?: string; language?: Language } = {},
) {
	const { days = 7, opened = '2025-01-01T00:00:00.000Z', language = 'en' } = about;
	const store = memoryStore();
	const { deps, workspace: fresh } = frontDesk(store, NOW_MS);
	const workspace = { ...fresh(), created_at: opened, time_zone: 'America/New_York', region: 'GB', language };
	for (const { at, end = 'answered' } of calls) {
		const created_at = new Date(`${at}-05:00`).toISOString();
		const leg = { ...newLeg('call', 'agent', 'm1', Date.parse(created_at)), dialed_at: created_at };
		const about = {
			workspace_id: workspace.id,
			created_at,
			legs: [leg],
			winner_leg_id: end === 'answered' ? leg.id : null,
		};
		const reasons = { answered: null, missed: 'no_agent_answer', busy: 'visitor_busy' } as const;
		const status = end === 'answered' ? ('completed' as const) : ('failed' as const);
		const call = { ...samples.call, ...about, status, failure_reason: reasons[end] } as const;
		await store.commit([callTally(call, Date.parse(created_at))]);
	}
	const person = { address: 'ida@shop.example', role: 'owner', sessions_from: '' };
	const view = viewOf({ workspace, person, secret: new Uint8Array(32) } as never, NOW_MS, { days: `${days}` });
	const { markup } = await numbersPage(view, deps);
	return {
		markup,
		figures: [
			...markup.matchAll(
				/<dt>(?:<a href="[^"]+">)?([^<]+)(?:<\/a>)?<\/dt><dd>([^<]+)<\/dd>(?:<dd class="before">(.*?)<\/dd>)?/g,
			),
		].map(([, name, value, before]) => [name, value, before?.replace(/<[^>]+>/g, '')]),
		byDay: rowsOf(markup, 'Calls by day'),
		byHour: rowsOf(markup, 'Calls by hour of the day'),
	};
}
const rowsOf = (markup: string, title: string) => {
	const [, table = ''] = new RegExp(`<h2>${title}</h2>.*?<tbody>(.*?)</tbody>`, 's').exec(markup) ?? [];
	return [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) =>
		[...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, text]) => text).join(' '),
	);
};

describe('Statistics by day', () => {
	it('covers today and the six days before on the clock of the shop, beside the same days a week before', async () => {
		const { byDay, figures } = await statistics([
			{ at: '2026-11-26T09:59' },
			{ at: '2026-11-20T00:00', end: 'missed' },
			{ at: '2026-11-20T23:59', end: 'busy' },
			// On Thursday of last week: a call before 10:00, and a call at 10:00. It is 10:00 now, so only the first one is
			// compared.
			{ at: '2026-11-19T09:45' },
			{ at: '2026-11-19T10:00' },
			{ at: '2026-11-13T00:00' },
			// This call is older than both periods.
			{ at: '2026-11-12T23:59' },
		]);
		expect(byDay).toEqual([
			'Fri 20 Nov 0 1 1 1',
			'Sat 21 Nov 0 0 0 0',
			'Sun 22 Nov 0 0 0 0',
			'Mon 23 Nov 0 0 0 0',
			'Tue 24 Nov 0 0 0 0',
			'Wed 25 Nov 0 0 0 0',
			'Thu 26 Nov 1 0 0 1',
		]);
		expect(figures.slice(0, 3)).toEqual([
			['Calls', '3', '+1 compared with the period before'],
			['Conversations', '1', '-1 compared with the period before'],
			['Missed by the team', '1', '+1 compared with the period before'],
		]);
	});

	it('compares 30 days with the 30 days before if their tallies are still there', async () => {
		const old = Array.from({ length: 28 }, (_, n) => ({ at: `2026-10-${String(n + 1).padStart(2, '0')}T12:00` }));
		const kept = await statistics([{ at: '2026-11-25T12:00' }, ...old], { days: 30 });
		expect(kept.byDay).toHaveLength(30);
		expect(kept.figures[0]).toEqual(['Calls', '2', '-24 compared with the period before']);
		// The previous release deleted tallies after 40 days.
		const cut = await statistics([{ at: '2026-11-25T12:00' }, ...old.slice(18)], { days: 30 });
		expect(cut.figures[0]).toEqual(['Calls', '2', undefined]);
	});

	it('does not compare with a period before the shop existed', async () => {
		const { figures, markup } = await statistics([{ at: '2026-11-25T12:00' }], { opened: '2026-11-18T00:00:00.000Z' });
		expect(figures[0]).toEqual(['Calls', '1', undefined]);
		expect(markup).not.toContain('Calls in the period before');
	});

	it('is drawn without a script or style attributes, which the policy of the page refuses', async () => {
		const { markup } = await statistics([{ at: '2026-11-26T09:59' }, { at: '2026-11-26T09:58', end: 'missed' }]);
		expect(markup).not.toMatch(/style=|<script/);
		const [, last = ''] = /.*<li[^>]*>(<svg.*?<\/svg>)<span><i>Thu<\/i>26/s.exec(markup) ?? [];
		expect(last).toContain('class="answered" x="8%" width="84%" y="82.0" height="64"');
		expect(last).toContain('class="missed" x="8%" width="84%" y="18.0" height="64"');
	});

	it('has a scale where the columns have no numbers, and names each column', async () => {
		const { markup } = await statistics([{ at: '2026-11-26T09:59' }, { at: '2026-11-26T09:58', end: 'missed' }]);
		const [, week = '', hours = ''] = markup.split('class="plot');
		expect([week, hours].map((chart) => /<span class="scale">(\d+)<\/span>/.exec(chart)?.[1])).toEqual([
			undefined,
			'2',
		]);
		expect(week).toContain('<li title="Thu 26 Nov: 2">');
		expect(hours).toContain('<li title="09:00: 2">');
	});

	it('has tiles that lead to the calls that they count', async () => {
		const { markup } = await statistics([]);
		expect([...markup.matchAll(/<dt><a href="([^"]+)">([^<]+)/g)].map(([, to, of]) => [of, to])).toEqual([
			['Calls', 'calls'],
			['Conversations', 'calls?end=completed'],
			['Missed by the team', 'calls?end=missed'],
		]);
	});

	it('has the 24 hours of the day on the shop’s clock', async () => {
		const { byHour } = await statistics([{ at: '2026-11-26T09:59' }, { at: '2026-11-25T09:00' }]);
		expect(byHour).toHaveLength(24);
		expect(byHour[9]).toBe('09:00 2');
	});
});

describe('a list as a file', () => {
	/** The downloaded files of a shop with one call and one callback request. */
	async function files(language: Language, query: Readonly<Record<string, string>>) {
		const store = memoryStore();
		const { deps, workspace: fresh } = frontDesk(store, NOW_MS);
		const workspace = { ...fresh(), language, time_zone: 'Europe/Berlin' };
		const at = new Date(NOW_MS - 3_600_000).toISOString();
		const about = { workspace_id: workspace.id, created_at: at, reference: 'A-1' };
		const id = deps.ids.next(Date.parse(at));
		const leg = { ...newLeg(id, 'agent', 'm1', NOW_MS), member_name: '=Ida' };
		const call = { ...samples.call, ...about, id, legs: [leg], winner_leg_id: leg.id, failure_reason: null } as const;
		await store.commit([put('call', { ...call, status: 'completed', duration_seconds: 65 })]);
		await store.commit([put('callback_lead', { ...samples.callback_lead, ...about, id, status: 'pending' })]);
		const person = { address: 'ida@shop.example', role: 'owner', sessions_from: '' };
		const view = viewOf({ workspace, person, secret: new Uint8Array(32) } as never, NOW_MS, query);
		const made = await Promise.all([callsCsv(view, deps), leadsCsv(view, deps), sourcesCsv(view, deps)]);
		return made.map(({ body = '' }) => body.slice(1).trim().split('\r\n'));
	}

	it('has the format of release 28086779, for programs that fetch its address', async () => {
		const [calls = [], leads = [], sources = []] = await files('de', { days: '7' });
		expect(calls[0]).toBe(
			'"created_at (Europe/Berlin)";"name";"number";"page";"reference";"status";"reason";"seconds"',
		);
		expect(calls[1]).toMatch(/;"A-1";"completed";"";"65"$/);
		expect(leads[0]).toBe('"created_at (Europe/Berlin)";"name";"number";"page";"reference";"status";"note"');
		expect(leads[1]).toContain(';"A-1";"pending";');
		expect(sources[0]).toBe('"from";"name";"conversations";"requests";"missed";"callbacks"');
	});

	it('is in the language of the desk and says who answered, if the link of the desk is used', async () => {
		const [calls = [], leads = [], sources = []] = await files('de', { days: '7', words: '' });
		expect(calls[0]).toBe(
			'"Angefragt (Europe/Berlin)";"Name";"Nummer";"Seite";"Referenz";"Ausgang";"Grund";"Sekunden im Gespräch";"Angenommen von"',
		);
		expect(calls[1]).toMatch(/;"A-1";"Gesprochen";"";"65";"'=Ida"$/);
		expect(leads[0]).toMatch(/^"Angefragt \(Europe\/Berlin\)";"Name";"Nummer";"Seite";"Referenz";"Zustand";"/);
		expect(leads[1]).toContain(';"A-1";"Noch zurückzurufen";');
		expect(sources[0]).toBe(
			'"Woher die Anrufe kommen";"Name";"Gespräche";"Anrufe";"Vom Team verpasst";"Rückrufwünsche"',
		);
	});
});
