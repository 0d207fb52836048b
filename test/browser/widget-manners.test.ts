import { describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { findings } from '../support/browser/axe.ts';
import { soon, suiteStage, type Visit } from '../support/browser/stage.ts';

const stage = suiteStage();

/** A task of this length makes a visitor wait (W3C Long Tasks API). */
const LONG_TASK_MS = 50;
/**
 * A visitor's processor is assumed to be this many times slower, so the test multiplies each measured time by this factor. It
 * does not use the throttle of DevTools: the throttle waits in real time, so other work of this machine would change the
 * result.
 */
const SLOWER = 4;
const TEXT = '<p>Text that a shift would move.</p>'.repeat(60);

type TraceEvent = {
	readonly name: string;
	readonly pid: number;
	readonly tid: number;
	readonly ts: number;
	readonly dur?: number;
	/** Processor time in microseconds, so that other work of this machine does not count. */
	readonly tdur?: number;
	readonly args?: { readonly data?: { readonly url?: string } };
};

/** Everything that the browser did while `act` ran, with its processor times. */
async function traced(session: CDPSession, act: () => Promise<void>): Promise<readonly TraceEvent[]> {
	const events: TraceEvent[] = [];
	session.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])));
	const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
	await session.send('Tracing.start', {
		transferMode: 'ReportEvents',
		traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'] },
	});
	await act();
	await session.send('Tracing.end');
	await complete;
	return events;
}

/** The processor time in milliseconds of each task in which the widget ran. */
function widgetTasks(events: readonly TraceEvent[]): readonly number[] {
	const ran = events.filter(({ args }) => /\/widget\b.*\.js/.test(args?.data?.url ?? ''));
	return events
		.filter(({ name, pid, tid, ts, dur = 0 }) => {
			const holds = (one: TraceEvent) => one.pid === pid && one.tid === tid && one.ts >= ts && one.ts < ts + dur;
			return name.endsWith('RunTask') && ran.some(holds);
		})
		.map(({ tdur = Number.NaN }) => tdur / 1000);
}

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const screens: readonly (readonly [string, BrowserContextOptions])[] = [
	['on a desktop', { viewport: { width: 1280, height: 800 } }],
	['on a phone', PHONE],
];

/** Records every element of the page that moves, including those that moved earlier while the page was loading. */
const watchShifts = (page: Page) =>
	page.evaluate(`globalThis.shifts = []; new PerformanceObserver((list) => {
		for (const entry of list.getEntries()) shifts.push(...entry.sources.map(({ node }) => node?.localName ?? 'inside the widget'));
	}).observe({ type: 'layout-shift', buffered: true })`);

/** Everything that the browser stores for the site: bytes, cookies, and the entries of each kind of storage. */
async function storedIn({ context, page, url }: Visit): Promise<unknown> {
	const session = await context.newCDPSession(page);
	const { usage } = await session.send('Storage.getUsageAndQuota', { origin: new URL(url).origin });
	const { cookies } = await session.send('Network.getAllCookies');
	const stored = await page.evaluate(`(async () => [
		localStorage.length, sessionStorage.length, document.cookie,
		(await indexedDB.databases()).length, (await caches.keys()).length,
	])()`);
	return [usage, cookies, stored];
}
const NOTHING_STORED = [0, [], [0, 0, '', 0, 0]];

describe('the page with the widget', () => {
	it.each(screens)('does not shift %s, neither by loading nor by opening and closing', async (_, context) => {
		const visit = await stage.visit({ context, body: TEXT, embed: 'data-accent="#1c3d8f" data-avatar="Ida Wells"' });
		await watchShifts(visit.page);
		expect(await visit.page.evaluate('shifts')).toEqual([]);
		await visit.open();
		await visit.page.keyboard.press('Escape');
		await visit.launcher.waitFor();
		// After two frames, layout shifts of the last drawing have been reported.
		await visit.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
		// The panel is in front of the page, so movement inside it does not shift the page.
		const shifts: string[] = await visit.page.evaluate('shifts');
		expect(shifts.filter((what) => what !== 'inside the widget')).toEqual([]);
	});

	it('runs no task of the widget over 50 ms during the load, on a processor that is four times as slow', async () => {
		const visit = await stage.visit({ body: TEXT });
		const session = await visit.context.newCDPSession(visit.page);
		const longest: number[] = [];
		// A task of the widget takes the same time in each load. A delay by another program does not repeat, so one fast load is
		// enough.
		for (let load = 0; load < 5 && !longest.some((ms) => ms <= LONG_TASK_MS); load += 1) {
			const events = await traced(session, async () => {
				await visit.page.reload();
				await visit.launcher.waitFor();
			});
			const tasks = widgetTasks(events);
			expect(tasks).not.toEqual([]);
			longest.push(SLOWER * Math.max(...tasks));
		}
		// If the trace has no processor times, the values are NaN, and this expectation fails.
		expect(longest.some((ms) => ms <= LONG_TASK_MS)).toBe(true);
	});
});

/** The page's clock at the start of a visit, in epoch milliseconds. */
const NOW_MS = 60_000;
const HOUR_MS = 3_600_000;
const OPENS = new Date(NOW_MS + HOUR_MS).toISOString();

describe('a page with when-closed="hide", on a phone', () => {
	const hide = { context: PHONE, body: TEXT, embed: 'data-when-closed="hide"' };

	it('has no launcher while the team is closed, and gets it within a minute of the opening, by one request', async () => {
		const visit = await stage.visit({
			...hide,
			clock: true,
			prepare: ({ script }) => void Object.assign(script.config, { open: false, next_open_at: OPENS }),
		});
		await watchShifts(visit.page);
		await soon(() => visit.api.seen('config').length === 1);
		await visit.pass(HOUR_MS - 1000);
		expect(await visit.launcher.isVisible()).toBe(false);
		expect(await storedIn(visit)).toEqual(NOTHING_STORED);
		await visit.pass(61_000);
		await visit.launcher.waitFor();
		expect(visit.api.seen('config')).toHaveLength(1);
		expect(await visit.page.evaluate('shifts')).toEqual([]);
		// axe-core waits with the page's own timers, so the clock has to run.
		await visit.page.clock.resume();
		expect(await findings(visit.page)).toEqual([]);
		expect(visit.troubles).toEqual([]);
	});

	it('gets the launcher at the opening even if the clock of the phone is wrong', async () => {
		for (const hours of [-7, 7]) {
			const next_open_at = new Date(NOW_MS + (hours + 1) * HOUR_MS).toISOString();
			const closed = { open: false, next_open_at, opens_in_ms: HOUR_MS };
			const prepare = ({ script }: Visit['api']) => void Object.assign(script.config, closed);
			const visit = await stage.visit({ ...hide, clock: true, prepare });
			await soon(() => visit.api.seen('config').length === 1);
			await visit.pass(HOUR_MS - 61_000);
			expect(await visit.launcher.isVisible()).toBe(false);
			await visit.pass(121_000);
			await visit.launcher.waitFor();
		}
	});

	it('has the launcher at once while the team is available, and the panel reuses the answer', async () => {
		const visit = await stage.visit({
			...hide,
			prepare: ({ script }) => void Object.assign(script, { fresh_seconds: 3600 }),
		});
		await visit.open();
		expect(visit.api.seen('config')).toHaveLength(1);
	});
});

describe('a hidden launcher', () => {
	const away = {
		body: '<button data-callback-open>Talk to us</button>',
		embed: 'data-when-closed="hide"',
		prepare: ({ script }: Visit['api']) => void Object.assign(script.config, { open: false }),
	};

	it('lets a button of the page open the panel, and stays hidden when the panel is closed', async () => {
		const visit = await stage.visit(away);
		await visit.page.getByRole('button', { name: 'Talk to us' }).click();
		await visit.reach('closed');
		await visit.page.keyboard.press('Escape');
		expect(await visit.launcher.isVisible()).toBe(false);
		expect(await visit.focused()).toBe('button');
	});

	it('appears when a reload outside business hours finds the visitor’s own call', async () => {
		const visit = await stage.visit({ embed: away.embed });
		await visit.open();
		await visit.send();
		await visit.reach('requested');
		Object.assign(visit.api.script.config, { open: false });
		await visit.page.reload();
		await visit.status.filter({ hasText: "We're ringing our team" }).waitFor();
		await visit.page.getByRole('button', { name: 'Close' }).click();
		await visit.launcher.waitFor();
	});

	it('appears if the service does not say whether the team is available', async () => {
		const visit = await stage.visit({ ...away, prepare: (api) => api.hitch('config', { code: 'service_busy' }) });
		await visit.launcher.waitFor();
	});
});
