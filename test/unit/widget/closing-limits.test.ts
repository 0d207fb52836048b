import { describe, expect, it } from '@jest/globals';
import { DEFAULT_LIMITS } from '../../../shared/domain/access/limits.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { suppressNumber } from '../../../shared/use-cases/calls/suppress-number.ts';
import { widgetConfig } from '../../../shared/use-cases/widget/widget-config.ts';
import { fictionalNumber, frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';

/** 400 s before the current window of the rate limits ends. */
const NOW = Date.parse('2026-11-21T09:03:20.000Z');
const VICTIM = '+12025550199';
const PAGE = { guides: { guideTo: () => null }, caller_number: null, can_dial: true };

function shopWithDefaults() {
	const desk = frontDesk(memoryStore(), NOW);
	const shop = desk.workspace(DEFAULT_LIMITS);
	const config = async (workspace: Workspace = shop) => widgetConfig(workspace, 'en', { ...desk.deps, ...PAGE });
	return { ...desk, shop, config };
}
type Shop = ReturnType<typeof shopWithDefaults>;

/** Makes `times` requests, five from each address. Returns how often each outcome occurred. */
async function flood(
	{ shop, ...desk }: Shop,
	times: number,
	ask: 'requestCall' | 'captureLead',
	phoneOf: (n: number) => string = () => VICTIM,
	addressOf = (n: number) => `198.51.100.${Math.floor(n / 5)}`,
): Promise<Readonly<Record<string, number>>> {
	const outcomes: Record<string, number> = {};
	for (let n = 0; n < times; n += 1) {
		const { outcome } = await desk[ask](shop, phoneOf(n), addressOf(n));
		outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
	}
	return outcomes;
}

describe('requests that are refused', () => {
	it('do not close a widget: thirty from six addresses for one number that is in a call', async () => {
		const given = shopWithDefaults();
		expect(await flood(given, 30, 'requestCall')).toEqual({ placed: 1, refused: 29 });
		expect((await given.config()).config).toMatchObject({ open: true, unavailable: null });
		expect(await given.requestCall(given.shop, fictionalNumber(1))).toHaveProperty('call');
		expect(await given.captureLead(given.shop, fictionalNumber(2))).toHaveProperty('lead');
		expect(given.lines).toEqual([]);
	});

	it('do not close a widget: a hundred from one address for as many numbers', async () => {
		const given = shopWithDefaults();
		const one = await flood(given, 100, 'requestCall', fictionalNumber, () => '198.51.100.7');
		expect(one).toEqual({ placed: 5, refused: 95 });
		expect(await given.requestCall(given.shop, VICTIM)).toHaveProperty('call');
	});

	it('do not close a widget: a hundred for a suppressed number, in calls and callbacks', async () => {
		const given = shopWithDefaults();
		await suppressNumber({ workspace_id: given.shop.id, e164: VICTIM }, true, given.deps);
		expect(await flood(given, 50, 'requestCall')).toEqual({ refused: 50 });
		expect(await flood(given, 50, 'captureLead')).toEqual({ refused: 50 });
		expect(await given.requestCall(given.shop, fictionalNumber(1))).toHaveProperty('call');
	});

	it('count against the number: after ten refusals, the number is refused until the window ends, even if it may be called again by then', async () => {
		const given = shopWithDefaults();
		const number = { workspace_id: given.shop.id, e164: VICTIM };
		await suppressNumber(number, true, given.deps);
		await flood(given, 10, 'requestCall');
		await suppressNumber(number, false, given.deps);
		expect(await given.requestCall(given.shop, VICTIM, '203.0.113.9')).toMatchObject({ refused: 'rate_limited' });
		expect(await given.captureLead(given.shop, VICTIM, '203.0.113.9')).toMatchObject({ refused: 'rate_limited' });
		// Another workspace still accepts requests for this number.
		expect(await given.captureLead(given.workspace(DEFAULT_LIMITS), VICTIM)).toHaveProperty('lead');
		given.now.ms = NOW + 400_000;
		expect(await given.requestCall(given.shop, VICTIM, '203.0.113.9')).toHaveProperty('call');
	});

	it('leave room for a tenth request after nine, which is accepted if the number may be called again by then', async () => {
		const given = shopWithDefaults();
		const number = { workspace_id: given.shop.id, e164: VICTIM };
		await suppressNumber(number, true, given.deps);
		await flood(given, 9, 'captureLead');
		await suppressNumber(number, false, given.deps);
		expect(await given.requestCall(given.shop, VICTIM, '203.0.113.9')).toHaveProperty('call');
	});
});

describe('an IPv6 /48', () => {
	const ofNetwork = (network: number) => (n: number) => `2001:db8:${network}:${n.toString(16)}::1`;

	it('gets at most half of the requests of a workspace’s window, however many /64 networks it uses', async () => {
		const given = shopWithDefaults();
		const one = await flood(given, 40, 'requestCall', fictionalNumber, ofNetwork(1));
		expect(one).toEqual({ placed: 15, refused: 25 });
		expect((await given.config()).config).toMatchObject({ open: true });
		expect(await given.requestCall(given.shop, VICTIM, '2001:db8:2::1')).toHaveProperty('call');
		expect(await given.captureLead(given.shop, VICTIM, '2001:db8:1:9::1')).toMatchObject({ refused: 'rate_limited' });
	});
});

describe('a workspace whose window is used up by placed calls', () => {
	it('says so in its configuration until the window ends, still takes callbacks, and alerts the operator', async () => {
		const given = shopWithDefaults();
		expect(await flood(given, 30, 'requestCall', fictionalNumber)).toEqual({ placed: 30 });
		const { config, fresh_seconds } = await given.config();
		expect(config).toMatchObject({ open: false, unavailable: 'window_limit', next_open_at: null });
		expect(fresh_seconds).toBe(60);
		given.now.ms = NOW + 390_000;
		expect((await given.config()).fresh_seconds).toBe(10);
		given.now.ms = NOW;
		expect(given.lines).toEqual([]);
		const refused = { outcome: 'refused', refused: 'rate_limited', retry_after_seconds: 400 };
		expect(await given.requestCall(given.shop, VICTIM)).toMatchObject(refused);
		expect(given.lines).toEqual([{ fact: 'limit spent', workspace_id: given.shop.id, code: 'calls_per_window' }]);
		expect(await given.captureLead(given.shop, VICTIM)).toHaveProperty('lead');
		given.now.ms = NOW + 400_000;
		expect((await given.config()).config).toMatchObject({ open: true, unavailable: null });
		expect(await given.requestCall(given.shop, VICTIM)).toHaveProperty('call');
	});

	it.each([
		['captureLead', { requests_per_workspace_per_window: 0 }, 'leads_per_window'],
		['captureLead', { leads_per_day: 0 }, 'leads_per_day'],
		['requestCall', { calls_per_day: 0 }, 'calls_per_day'],
		['requestCall', { calls_per_day: 0, requests_per_workspace_per_window: 0 }, 'calls_per_day'],
	] as const)('alerts the operator of each limit that refuses every visitor: %s with %j', async (ask, limits, code) => {
		const { workspace, lines, ...desk } = shopWithDefaults();
		const shop = workspace(limits);
		expect(await desk[ask](shop, VICTIM)).toMatchObject({ outcome: 'refused' });
		expect(lines).toEqual([{ fact: 'limit spent', workspace_id: shop.id, code }]);
	});
});
