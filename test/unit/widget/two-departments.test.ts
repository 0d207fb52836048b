import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { consentText } from '../../../shared/domain/workspaces/consent-text.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { captureLead } from '../../../shared/use-cases/leads/capture-lead.ts';
import { requestCall } from '../../../shared/use-cases/widget/request-call.ts';
import { showConsent } from '../../../shared/use-cases/widget/show-consent.ts';
import { widgetConfig } from '../../../shared/use-cases/widget/widget-config.ts';
import { fictionalNumber, frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';

// Two departments have their widgets on one page. Whatever visitors do with both, each workspace ends with the same data as if it
// were alone.

const PAGE = { guides: { guideTo: () => null }, caller_number: null, can_dial: true };
const LIMITS = {
	requests_per_workspace_per_window: 4,
	calls_per_day: 4,
	leads_per_day: 3,
	requests_per_address_per_window: 2,
};

const step = fc.record({
	/** `shop`: the workspace whose key is sent. `read`: the workspace whose consent text was shown. A hostile page mixes them. */
	shop: fc.constantFrom(0, 1),
	read: fc.constantFrom(0, 1),
	purpose: fc.constantFrom('call' as const, 'lead' as const),
	phone: fc.integer({ min: 0, max: 3 }),
	address: fc.constantFrom('192.0.2.1', '192.0.2.2'),
	/** At least 1, because ids of the same millisecond have no fixed order. */
	later_ms: fc.constantFrom(1, 1000, 700_000),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A page with two workspaces that have different texts and limits. */
async function twoShops() {
	const front = frontDesk(memoryStore());
	const shopOf = (name: string, limits: Partial<typeof LIMITS>): Workspace =>
		front.workspace(limits, {
			name,
			consent_texts: { en: { call: `${name} may call.`, lead: `${name} may call back.` } },
		});
	return { ...front, shops: [shopOf('Sales', LIMITS), shopOf('Support', { ...LIMITS, calls_per_day: 2 })] as const };
}
type Shops = Awaited<ReturnType<typeof twoShops>>;

async function take(
	{ deps, now, shops }: Shops,
	{ shop, read, purpose, phone, address, later_ms }: Step,
): Promise<unknown> {
	now.ms += later_ms;
	const request = {
		workspace: shops[shop] ?? shops[0],
		origin: 'https://shop.example',
		page_url: 'https://shop.example/pricing',
		source_ip: address,
		phone: fictionalNumber(phone),
		name: null,
		consent: true,
		consent_text_id: consentText(shops[read] ?? shops[0], 'en', purpose).id,
	};
	if (purpose === 'call') {
		const result = await requestCall(request, deps);
		return 'call' in result ? 'placed' : result.refused;
	}
	const result = await captureLead(request, deps);
	return 'lead' in result ? 'captured' : result.refused;
}

/** All data that a workspace has about its visitors, without ids and times, which differ between runs. */
async function ownOf({ deps, shops }: Shops, shop: 0 | 1) {
	const { id } = shops[shop];
	const all = { from_id: null, before_id: null, limit: 100 };
	const [calls, leads, events] = await Promise.all([
		deps.store.list('call', id, all),
		deps.store.list('callback_lead', id, all),
		deps.store.list('event', id, all),
	]);
	const consents = await Promise.all(
		[0, 1, 2, 3].map((n) => showConsent({ workspace_id: id, e164: fictionalNumber(n) }, deps)),
	);
	const { config } = await widgetConfig(shops[shop], 'en', { ...deps, ...PAGE });
	return {
		calls: calls.map(({ visitor_phone_masked, created_at }) => [visitor_phone_masked, created_at]),
		leads: leads.map(({ visitor_phone_masked, created_at }) => [visitor_phone_masked, created_at]),
		events: events.map(({ kind, workspace_id }) => [kind, workspace_id === id]),
		texts: consents.flatMap(({ consents: given }) => given.map(({ text }) => text)),
		unavailable: config.unavailable,
	};
}

it('visitors of one department change no limit, consent, record or event of the other department', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
			const both = await twoShops();
			const outcomes: unknown[] = [];
			for (const each of steps) outcomes.push(await take(both, each));
			for (const shop of [0, 1] as const) {
				const alone = await twoShops();
				for (const [nth, each] of steps.entries()) {
					if (each.shop === shop) expect([nth, await take(alone, each)]).toEqual([nth, outcomes[nth]]);
					else alone.now.ms += each.later_ms;
				}
				const own = await ownOf(both, shop);
				expect(own).toEqual(await ownOf(alone, shop));
				expect(own.texts.filter((text) => !text.startsWith(both.shops[shop].name))).toEqual([]);
				expect(own.events.filter(([, isOwn]) => !isOwn)).toEqual([]);
			}
			// Consent to the text of one workspace is no consent for the other workspace.
			steps.forEach(({ shop, read }, nth) => {
				if (shop !== read && outcomes[nth] !== 'calls_unavailable') expect(outcomes[nth]).toBe('consent_required');
			});
		}),
		{ numRuns: 150 },
	);
});

it('a department that has used up its calls of the day leaves the other one open', async () => {
	const page = await twoShops();
	const call = (shop: 0 | 1, phone: number, address: Step['address'] = '192.0.2.1'): Step => ({
		shop,
		read: shop,
		purpose: 'call',
		phone,
		address,
		later_ms: 1,
	});
	expect([
		await take(page, call(1, 0)),
		await take(page, call(1, 1)),
		await take(page, call(1, 2, '192.0.2.2')),
	]).toEqual(['placed', 'placed', 'calls_unavailable']);
	expect((await ownOf(page, 1)).unavailable).toBe('daily_limit');
	expect((await ownOf(page, 0)).unavailable).toBeNull();
	expect(await take(page, call(0, 2))).toBe('placed');
});
