import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { numberGuides } from '../../../shared/adapters/numbering-plans/number-guides.ts';
import { consentById, consentCases, consentText } from '../../../shared/domain/workspaces/consent-text.ts';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { captureLead } from '../../../shared/use-cases/leads/capture-lead.ts';
import { requestCall } from '../../../shared/use-cases/widget/request-call.ts';
import { showConsent } from '../../../shared/use-cases/widget/show-consent.ts';
import { widgetConfig } from '../../../shared/use-cases/widget/widget-config.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { put } from '../../support/writes.ts';

const desk = frontDesk(memoryStore());
const PHONE = '+12025550101';
const PAGE = { guides: numberGuides, caller_number: null };
const configOf = async (workspace: Workspace, language?: string) =>
	(await widgetConfig(workspace, language, { ...desk.deps, ...PAGE })).config;

/** A visitor's request to a separate instance of the service. Returns the outcome and the stored evidence of consent. */
async function ask(purpose: 'call' | 'lead', workspace: Workspace, consent_text_id?: string | null) {
	const { deps } = frontDesk(memoryStore());
	const request = {
		origin: 'https://shop.example',
		page_url: 'https://shop.example/',
		source_ip: '192.0.2.1',
		workspace,
		phone: PHONE,
		name: null,
		consent: true,
		consent_text_id,
	};
	const { outcome, ...rest } = purpose === 'call' ? await requestCall(request, deps) : await captureLead(request, deps);
	const { consents } = await showConsent({ workspace_id: workspace.id, e164: PHONE }, deps);
	return { outcome, rest, kept: consents.map(({ text, language }) => ({ text, language })) };
}

const OWN = { de: { lead: 'Ja, ruft mich zurück.' }, en: { call: 'Call me, Acme.' } };

describe('the text that a visitor agrees to', () => {
	it.each(languages)('is different in %s for a call now and for a callback', async (language) => {
		const { consent_texts } = await configOf(desk.workspace(), language);
		expect(consent_texts.language).toBe(language);
		const texts = languages.flatMap((one) => {
			return consentCases.map((purpose) => consentText(desk.workspace(), one, purpose).text);
		});
		expect(new Set(texts).size).toBe(languages.length * consentCases.length);
	});

	it.each([
		['de-AT', 'en', 'de'],
		['de_AT.UTF-8', 'en', 'de'],
		[' PT_br', 'fr', 'pt'],
		['sv', 'fr', 'fr'],
		['pt-PT', 'fr', 'pt'],
		[undefined, 'de', 'de'],
		['', 'en', 'en'],
	] as const)('on a page in %s of a team that reads %s is in %s', async (asked, language, shown) => {
		expect((await configOf(desk.workspace({}, { language }), asked)).consent_texts.language).toBe(shown);
	});

	it('is the workspace’s text for this language and case, or its one text, or the service’s', () => {
		const text = (changes: Partial<Workspace>, language: 'de' | 'en', purpose: 'call' | 'lead') =>
			consentText(desk.workspace({}, changes), language, purpose).text;
		const both = { consent_texts: OWN, consent_text: 'Whatever.' };
		expect(text(both, 'de', 'lead')).toBe('Ja, ruft mich zurück.');
		expect(text(both, 'de', 'call')).toBe('Whatever.');
		expect(text({ consent_texts: OWN }, 'en', 'call')).toBe('Call me, Acme.');
		expect(text({ consent_texts: OWN }, 'en', 'lead')).toMatch(/^I agree to be called back/);
	});
});

describe('the evidence of consent', () => {
	const cases = languages.flatMap((language) => consentCases.map((purpose) => [purpose, language] as const));

	it.each(cases)('of a %s in %s has the text of the configuration', async (purpose, language) => {
		for (const consent_texts of [{}, OWN]) {
			const workspace = desk.workspace({}, { consent_texts });
			const shown = (await configOf(workspace, language)).consent_texts[purpose];
			expect((await ask(purpose, workspace, shown.id)).kept).toEqual([{ text: shown.text, language }]);
		}
	});

	it('of a page that names no text has the one text that such pages show', async () => {
		const workspace = desk.workspace({}, { consent_texts: OWN });
		const kept = [{ text: (await configOf(workspace)).consent_text, language: null }];
		for (const id of [undefined, null]) expect((await ask('call', workspace, id)).kept).toEqual(kept);
		expect((await ask('lead', workspace)).kept).toEqual(kept);
	});

	it('never has a text that the workspace has not shown for this case, because such a request is refused', async () => {
		const workspace = desk.workspace();
		const { call, lead } = (await configOf(workspace, 'fr')).consent_texts;
		const former = consentText({ ...workspace, consent_texts: OWN }, 'de', 'lead');
		const refusal = { refused: 'consent_required', fault: 'unknown_text' };
		for (const [purpose, id] of [
			['call', lead.id],
			['lead', call.id],
			['lead', former.id],
			['call', `${call.id}0`],
		] as const) {
			expect(await ask(purpose, workspace, id)).toEqual({ outcome: 'refused', rest: refusal, kept: [] });
		}
	});

	it('cannot be forged', () => {
		fc.assert(
			fc.property(fc.string(), fc.constantFrom(...consentCases), (id, purpose) => {
				expect(consentById(desk.workspace(), purpose, id)).toBeNull();
			}),
		);
	});
});

describe('the texts of a workspace', () => {
	it('are replaced and removed one by one, or all at once', async () => {
		const { deps, workspace: build } = frontDesk(memoryStore());
		const item = build({}, { consent_texts: OWN });
		await deps.store.commit([put('workspace', item)]);
		const withTexts = async (settings: Parameters<typeof changeWorkspace>[1]) => {
			const changed = await changeWorkspace(item.id, settings, deps);
			return 'workspace' in changed ? changed.workspace.consent_texts : changed;
		};
		expect(await withTexts({ consent_texts: { de: { call: 'Ruft an.' }, en: { call: null } } })).toEqual({
			de: { call: 'Ruft an.', lead: 'Ja, ruft mich zurück.' },
		});
		expect(await withTexts({ calls_enabled: true })).toMatchObject({ de: { call: 'Ruft an.' } });
		expect(await withTexts({ consent_texts: null })).toEqual({});
	});
});

describe('the configuration of the widget', () => {
	it.each([
		['in the morning, an hour before the opening', '2026-11-23T07:00:00Z', 60],
		['half a minute before the opening', '2026-11-23T07:59:30.500Z', 29],
		['while it is open', '2026-11-23T08:00:00Z', 60],
		['half a minute before the closing', '2026-11-23T15:59:30.500Z', 29],
	])('%s (%s), may be reused for %s s', async (_, at, seconds) => {
		const business_hours = {
			time_zone: 'Europe/Berlin',
			holidays: [],
			weekly: [{ weekday: 1 as const, from_minute: 9 * 60, to_minute: 17 * 60 }],
		};
		const clock = { now: () => Date.parse(at) };
		const workspace = desk.workspace({}, { business_hours });
		const deps = { ...desk.deps, clock, ...PAGE };
		expect((await widgetConfig(workspace, 'en', deps)).fresh_seconds).toBe(seconds);
	});

	it.each([
		['switched_off', {}, { calls_enabled: false }, true],
		['no_team', {}, { team: [] }, true],
		['no_provider', {}, {}, false],
		['daily_limit', { calls_per_day: 1 }, {}, true],
		['window_limit', { requests_per_workspace_per_window: 1 }, {}, true],
	] as const)('says that no call is possible: %s', async (reason, limits, changes, can_dial) => {
		const { deps, workspace, requestCall: call } = frontDesk(memoryStore());
		const shop = workspace(limits, changes);
		if (reason.endsWith('_limit')) {
			expect((await widgetConfig(shop, 'en', { ...deps, ...PAGE })).config).toMatchObject({ open: true });
			expect(await call(shop, PHONE)).toMatchObject({ outcome: 'placed' });
		}
		const { config } = await widgetConfig(shop, 'en', { ...deps, ...PAGE, can_dial });
		expect(config).toMatchObject({ open: false, unavailable: reason });
	});
});
