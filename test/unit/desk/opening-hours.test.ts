import { describe, expect, it } from '@jest/globals';
import type { BusinessHours, OpenInterval } from '../../../shared/domain/workspaces/workspace.ts';
import { openingsIn } from '../../../shared/http/desk/hours/hours-section.ts';
import { weekSummary } from '../../../shared/http/desk/hours/week-summary.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { deployedBytes } from '../../support/deployed-bytes.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';

// The page of the opening hours has a switch and one pair of fields for each day, and shows dates as chips.

const { newShop, pageAt, send, signIn, post, store, deps } = deskInMemory();

const opening = (weekday: OpenInterval['weekday'], from: number, to: number) => {
	return { weekday, from_minute: from * 60, to_minute: to * 60 };
};
const MONDAY = [opening(1, 9, 12), opening(1, 13, 18)];
const days = (length: number): readonly string[] =>
	Array.from({ length }, (_, nth) => new Date(Date.UTC(2027, 0, 1 + nth)).toISOString().slice(0, 10));

async function hoursOf(hours: BusinessHours) {
	const shop = await newShop();
	const change = ({ weekly, holidays }: BusinessHours) => {
		const business_hours = { weekly: [...weekly], holidays: [...holidays] };
		return changeWorkspace(shop.id, { business_hours }, deps);
	};
	await change(hours);
	const ida = await signIn(shop.owner, shop.id);
	const show = async () => (await send(pageAt('hours'), ida)).html;
	const formIn = (html: string) => formsIn(html).find(({ action }) => action === 'hours') ?? {};
	const current = async () => (await store.get('workspace', { id: shop.id }))?.business_hours;
	const save = async (typed: object, without: readonly string[] = []) => {
		const shown = Object.entries(formIn(await show())).filter(([name]) => !without.includes(name));
		const answer = await post(ida, 'hours', { ...Object.fromEntries(shown), when: 'hours', ...typed });
		return { ...answer, form: formIn(answer.html) };
	};
	return { show, save, current, change };
}

describe('the page of opening hours', () => {
	it('names the day of an incomplete opening, says below the pair what is missing, and adds no empty pair', async () => {
		const { save } = await hoursOf({ weekly: [opening(1, 9, 12)], holidays: [] });
		const { html } = await save({ 'from-1-1': '13:00', 'to-1-1': '' });
		expect(html).toContain('<a href="#to-1-1-wrong">This was not saved: please check “Monday”.</a>');
		expect(html).toMatch(/name="from-1-1" aria-label="[^"]*" value="13:00">–<input type="time" name="to-1-1"/);
		expect(html).toMatch(/name="to-1-1" [^>]*aria-describedby="to-1-1-wrong" aria-invalid="true"/);
		expect(html).toMatch(/<\/div><p class="missed" id="to-1-1-wrong">Monday: enter when/);
		expect(html).not.toContain('name="from-1-2"');
	});

	it('has a switch and one pair of fields for each day, and a second pair where the day has two openings', async () => {
		const { show } = await hoursOf({ weekly: [...MONDAY, opening(6, 10, 14)], holidays: [] });
		const html = await show();
		const switches = [...html.matchAll(/role="switch" name="open-(\d)" value="yes"( checked)?/g)];
		expect(switches.map(([, day, on]) => `${day}${on ? ' on' : ''}`)).toEqual([
			'1 on',
			'2',
			'3',
			'4',
			'5',
			'6 on',
			'0',
		]);
		expect(html.replaceAll(/<details.*?<\/details>/gs, '').match(/<input type="time"/g)).toHaveLength(14);
		expect(
			[...html.matchAll(/<details( open)?><summary aria-label="Add hours"/g)].map(([, open]) => open === ' open'),
		).toEqual([true, ...Array.from({ length: 6 }, () => false)]);
		expect(html).toContain('name="from-1-2"');
		expect(html).not.toContain('name="from-2-2"');
	});

	it('names the day on which an opening ends if that is the next day', async () => {
		const night = { weekday: 0, from_minute: 19 * 60, to_minute: 41 * 60 } as const;
		const { show } = await hoursOf({ weekly: [...MONDAY, opening(2, 18, 24), night], holidays: [] });
		const notes = [...(await show()).matchAll(/<small class="next">([^<]*)/g)].map(([, text]) => text);
		expect(notes).toEqual(['Ends on Monday']);
	});

	it('stays below 60 KB with 400 dates, of which the next 12 have a chip', async () => {
		const { show, save, current } = await hoursOf({ weekly: MONDAY, holidays: ['2026-01-01', ...days(400)] });
		const html = await show();
		const chips = [...html.matchAll(/name="drop-([^"]*)"/g)].map(([, date]) => date);
		expect(chips).toEqual(days(12));
		expect(deployedBytes(html)).toBeLessThan(60_000);
		await save({ 'drop-2027-01-02': 'yes' });
		expect((await current())?.holidays).toHaveLength(400);
	});
});

describe('what is kept of the week while the shop is always open', () => {
	const usual = {
		weekly: [1, 2, 3, 4, 5].map((day) => opening(day as 1, 9, 18)).concat(opening(6, 18, 26)),
		holidays: [],
	};

	it.each([
		['en', 'US', 'Mon–Fri 9 AM–6 PM · Sat 6 PM–2 AM'],
		['de', 'DE', 'Mo–Fr 09:00–18:00 · Sa 18:00–02:00'],
	] as const)('is one line: %s', (language, region, line) => {
		expect(weekSummary(usual, { language, region }).replaceAll('\u202f', ' ')).toBe(line);
	});

	it('is said only of a shop that has had a week', async () => {
		const shop = await newShop();
		const { html } = await send(pageAt('hours'), await signIn(shop.owner, shop.id));
		expect(html).not.toContain('class="soft hidden-week"');
	});
});

describe('the form of the opening hours', () => {
	const usual = { weekly: [...MONDAY, opening(6, 10, 14)], holidays: ['2027-01-01', '2027-12-25'] };

	it('changes nothing if nothing was touched', async () => {
		const { save, current } = await hoursOf(usual);
		expect([(await save({})).status, await current()]).toEqual([303, usual]);
	});

	it('closes a day whose switch is off, even if its times are sent', async () => {
		const { save, current } = await hoursOf(usual);
		await save({}, ['open-1']);
		expect((await current())?.weekly).toEqual([opening(6, 10, 14)]);
	});

	it('of a page of the previous release, which has no switches, is read by its times', async () => {
		const { save, current } = await hoursOf(usual);
		await save({ 'from-2-0': '08:00', 'to-2-0': '09:00' }, ['by_day', 'open-1', 'open-6']);
		expect((await current())?.weekly).toEqual([...MONDAY, opening(2, 8, 9), opening(6, 10, 14)]);
	});

	it('asks for the times of a day that was switched on without times, and leaves the switch on', async () => {
		const { save, current } = await hoursOf(usual);
		const { status, html, form } = await save({ 'open-3': 'yes' }, ['open-6']);
		expect([status, /id="from-3-0-wrong">([^<]*)/.exec(html)?.[1]]).toEqual([
			422,
			'Wednesday: enter when you open and when you close.',
		]);
		expect(['open-1', 'open-3', 'open-6'].map((name) => form[name])).toEqual(['yes', 'yes', undefined]);
		expect(await current()).toEqual(usual);
	});

	it('says beside Save that the changes are not saved if it was refused, and not before', async () => {
		const { show, save } = await hoursOf(usual);
		const said = (html: string) => /data-unsaved="[^"]*">([^<]*)/.exec(html)?.[1];
		const { html } = await save({ 'open-3': 'yes' });
		expect([said(await show()), said(html)]).toEqual(['', 'You have changes that are not saved.']);
		expect([await show(), html].map((page) => page.includes('novalidate data-edited>'))).toEqual([false, true]);
	});

	it('copies the hours of the first open day to all open days, shows them, and saves them only when Save is pressed', async () => {
		const { save, current } = await hoursOf(usual);
		const { status, html, form } = await save({ copy: '1', 'open-0': 'yes', 'to-1-1': '19:00' });
		expect([status, await current()]).toEqual([200, usual]);
		expect(html).toMatch(/data-unsaved="[^"]*">You have changes that are not saved/);
		expect(['from-6-0', 'to-6-0', 'from-6-1', 'to-6-1', 'to-0-1', 'to-2-0'].map((name) => form[name])).toEqual([
			'09:00',
			'12:00',
			'13:00',
			'19:00',
			'19:00',
			'',
		]);
		expect((await save(form)).status).toBe(303);
		const copied = [opening(1, 9, 12), opening(1, 13, 19)];
		expect((await current())?.weekly).toEqual(
			([1, 6, 0] as const).flatMap((day) => copied.map((each) => ({ ...each, weekday: day }))),
		);
	});

	it('has Save as its first button, which the key Enter presses', async () => {
		const { show } = await hoursOf(usual);
		expect(/<form method="post" class="card" name="hours".*?<button[^>]*>([^<]*)/s.exec(await show())?.[1]).toBe(
			'Save',
		);
	});

	it('of a page of release 1.0.0 with a tick at “The same hours” has the times of the first open day, also if it is shown again', async () => {
		const { save } = await hoursOf(usual);
		const { status, form } = await save({ same: 'yes', holidays: 'never' });
		expect([status, form['to-6-1'], form['same']]).toEqual([422, '18:00', undefined]);
	});

	it('opens each open day at the hours of the first open day if a page of release 1.0.0 asks for that', async () => {
		const { save, current } = await hoursOf(usual);
		await save({ same: 'yes', 'open-0': 'yes' });
		expect((await current())?.weekly).toEqual(
			([1, 6, 0] as const).flatMap((day) => MONDAY.map((each) => ({ ...each, weekday: day }))),
		);
	});

	it('shows the error once, at the day that the hours are copied from', async () => {
		const { save } = await hoursOf(usual);
		const { html } = await save({ same: 'yes', 'to-6-0': '' }, ['open-1']);
		expect([...html.matchAll(/id="([^"]*)-wrong"/g)].map(([, name]) => name)).toEqual(['to-6-0']);
	});

	it('asks once about an opening of more than 16 hours, and saves it when Save is pressed again', async () => {
		const { save, current } = await hoursOf(usual);
		const { status, html, form } = await save({ 'to-1-1': '05:30', 'from-1-0': '', 'to-1-0': '' });
		expect([status, /id="to-1-1-wrong">([^<]*)/.exec(html)?.[1]]).toEqual([
			422,
			'Monday: 16 hours, 30 minutes is a long time. If it is right, press “Save” again.',
		]);
		expect((await save({ ...form, 'to-1-1': '06:00' })).status).toBe(422);
		expect(await current()).toEqual(usual);
		expect((await save(form)).status).toBe(303);
		const night = { weekday: 1, from_minute: 13 * 60, to_minute: 29.5 * 60 };
		expect((await current())?.weekly).toEqual([night, opening(6, 10, 14)]);
		expect((await save({ 'to-6-0': '15:00' })).status).toBe(303);
	});

	it('asks about each long opening only once, also if another of them was corrected or overlaps meanwhile', async () => {
		const { save, current } = await hoursOf({ weekly: [opening(1, 9, 17), opening(2, 9, 17)], holidays: [] });
		const askedIn = (html: string) => [...html.matchAll(/id="([^"]*)-wrong"/g)].map(([, name]) => name);
		const both = { 'from-1-0': '06:00', 'to-1-0': '23:00', 'from-2-0': '09:00', 'to-2-0': '04:00' };
		const first = await save(both);
		expect(askedIn(first.html)).toEqual(['to-1-0', 'to-2-0']);
		const second = await save({ ...first.form, 'to-2-0': '17:00', 'from-2-1': '16:00', 'to-2-1': '18:00' });
		expect(askedIn(second.html)).toEqual(['from-2-1']);
		expect((await save({ ...second.form, 'from-2-1': '17:00' })).status).toBe(303);
		expect((await current())?.weekly).toEqual([opening(1, 6, 23), opening(2, 9, 17), opening(2, 17, 18)]);
	});

	it.each([
		['18:00', '02:00'],
		['00:00', '00:00'],
		['00:00', '23:59'],
		['06:00', '22:00'],
	])('saves an opening from %s to %s without a question', async (from, to) => {
		const { save } = await hoursOf(usual);
		expect((await save({ 'from-6-0': from, 'to-6-0': to })).status).toBe(303);
	});

	it.each([
		['of the same day', { 'from-1-1': '11:00' }, 'from-1-1', 'Monday'],
		['of the night before', { 'open-0': 'yes', 'from-0-0': '20:00', 'to-0-0': '09:30' }, 'from-0-0', 'Sunday'],
	])('refuses hours that overlap others: %s', async (_, typed, name, day) => {
		const { save, current } = await hoursOf(usual);
		const { status, html } = await save(typed);
		const wrong = [...html.matchAll(/id="([^"]*)-wrong">([^<]*)/g)].map(([, field, words]) => [field, words]);
		const words = `${day}: these hours overlap with others. Change one of the two.`;
		expect([status, wrong, await current()]).toEqual([422, [[name, words]], usual]);
	});

	it('changes a date of a shop whose saved hours overlap, because an operator has set them', async () => {
		const overlapping = { weekly: [opening(1, 9, 12), opening(1, 11, 18), opening(2, 3, 23)], holidays: [] };
		const { save } = await hoursOf(overlapping);
		expect((await save({ holidays: '2027-01-01' })).status).toBe(303);
	});

	it('says that a shop with no open day is never open', async () => {
		const { save } = await hoursOf(usual);
		const { status, html } = await save({}, ['open-1', 'open-6']);
		expect([status, html]).toEqual([422, expect.stringContaining('Enter the times of at least one day')]);
	});

	it('removes a date by its chip, and adds the date from the calendar and the dates from the list', async () => {
		const { save, current } = await hoursOf(usual);
		const holidays = '2027-01-01\r\n2027-12-25\r\n2027-05-01';
		await save({ holidays, holiday: '2026-12-24', 'drop-2027-01-01': 'yes' });
		expect((await current())?.holidays).toEqual(['2026-12-24', '2027-05-01', '2027-12-25']);
	});

	it('keeps the week of a shop that is now always open, and saves it when the shop goes back to it', async () => {
		const { save, show, current } = await hoursOf(usual);
		await save({ when: 'always', 'to-6-0': '15:00' });
		expect(await current()).toBeNull();
		const kept = [...(await show()).matchAll(/<p class="soft hidden-week">([^<]*)/g)].map(([, words = '']) =>
			words.replaceAll('\u202f', ' '),
		);
		expect(kept).toEqual([
			'Mon 9 AM–12 PM, 1 PM–6 PM · Sat 10 AM–3 PM',
			'The week and the closed dates don’t count now, but are kept: “Open at these times” shows them again.',
		]);
		expect((await show()).match(/name="drop-2027-/g)).toHaveLength(2);
		await save({ when: 'always' });
		await save({});
		expect(await current()).toEqual({ ...usual, weekly: [...MONDAY, opening(6, 10, 15)] });
	});

	it('keeps the saved week of a shop that is now always open if the week was left unfinished', async () => {
		const { save, current } = await hoursOf(usual);
		expect((await save({ when: 'always', 'to-6-0': '' })).status).toBe(303);
		await save({});
		expect(await current()).toEqual(usual);
	});

	it.each([
		['is very long', { 'to-6-0': '03:00' }, 'to-6-0'],
		['overlaps another', { 'from-1-1': '11:00' }, 'from-1-1'],
	])(
		'asks about an opening that %s once the week counts, not while the shop is always open',
		async (_, typed, name) => {
			const { save, current } = await hoursOf(usual);
			expect((await save({ when: 'always', ...typed })).status).toBe(303);
			const { status, html } = await save({});
			expect([status, html]).toEqual([422, expect.stringContaining(`id="${name}-wrong"`)]);
			expect(await current()).toBeNull();
		},
	);

	it('overwrites nothing that another person has changed, and shows what was entered', async () => {
		const { save, current, change } = await hoursOf(usual);
		const seen = { seen: 'of before' };
		await change({ ...usual, weekly: [...MONDAY, opening(3, 8, 9)] });
		const { status, html } = await save(seen, ['open-1']);
		expect([status, (await current())?.weekly]).toEqual([409, [...MONDAY, opening(3, 8, 9)]]);
		expect(html).toMatch(/name="open-1" value="yes" checked>Monday<\/label><p class="soft">You entered: <bdi>Closed</);
	});
});

it('an error about an opening names the fields in which it was entered', () => {
	const fields = {
		by_day: 'yes',
		same: 'yes',
		'open-2': 'yes',
		'open-0': 'yes',
		'from-2-1': '09:00',
		'to-2-1': '10:00',
	};
	expect(openingsIn(fields)).toEqual([
		{ weekday: 2, at: '2-1' },
		{ weekday: 0, at: '2-1' },
	]);
	expect(openingsIn({ 'from-4-0': '', 'to-4-0': '10:00' })).toEqual([{ weekday: 4, at: '4-0' }]);
});

it('a time zone is chosen by its place, from a list that begins with the zones of the shop’s country, and is saved by its name', async () => {
	const shop = await newShop('DE', { time_zone: 'America/New_York' });
	const ida = await signIn(shop.owner, shop.id);
	const { html } = await send(pageAt('hours'), ida);
	const options = [...html.matchAll(/<option value="(\w+\/[^"]+)"( selected)?>([^<]+)/g)];
	const names = options.map(([, , , name = '']) => name);
	expect(names.slice(0, 4)).toEqual(['Berlin', 'Busingen', 'Abidjan', 'Accra']);
	expect(names.filter((name) => name.includes('/') || name.includes('_'))).toEqual([]);
	expect(names).toContain('Knox, Indiana');
	expect(options.filter(([, , selected]) => selected).map(([, zone, , name]) => [zone, name])).toEqual([
		['America/New_York', 'New York'],
	]);
	const form = formsIn(html).find(({ action }) => action === 'hours') ?? {};
	await post(ida, 'hours', { ...form, time_zone: 'America/Indiana/Knox' });
	expect((await store.get('workspace', { id: shop.id }))?.time_zone).toBe('America/Indiana/Knox');
});
