import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { DeploymentFile } from '../../infra/properties.ts';
import { numberGuides } from '../../shared/adapters/numbering-plans/number-guides.ts';
import { developerPages, shopPages } from '../../shared/contract/desk/desk-pages.ts';
import { Timestamp } from '../../shared/contract/kernel/common.ts';
import { EventKind } from '../../shared/contract/vocabulary.ts';
import {
	ChangeWebhookEndpoint,
	CreateWebhookEndpoint,
	WebhookEndpointResponse,
} from '../../shared/contract/webhooks/webhook-endpoints.ts';
import { WidgetConfigResponse } from '../../shared/contract/widget/widget.ts';
import { WorkspaceSettings } from '../../shared/contract/workspaces/workspace.ts';
import type { WebhookEndpoint } from '../../shared/domain/webhooks/webhook-endpoint.ts';
import { consentCases } from '../../shared/domain/workspaces/consent-text.ts';
import { languages, localeOf } from '../../shared/domain/workspaces/language.ts';
import type { Workspace } from '../../shared/domain/workspaces/workspace.ts';
import { developerSite } from '../../shared/http/desk/developer-site.ts';
import { hoursSection } from '../../shared/http/desk/hours/hours-section.ts';
import { viewOf } from '../../shared/http/desk/kit/view.ts';
import { noticesSection } from '../../shared/http/desk/notices/notices-section.ts';
import { shopSite } from '../../shared/http/desk/shop-site.ts';
import { openPage } from '../../shared/http/desk/sign-in/sign-in-pages.ts';
import { consentSection, lookSection, siteSection } from '../../shared/http/desk/site/site-sections.ts';
import { ringingSection } from '../../shared/http/desk/team/team-sections.ts';
import { isOwnOrigin } from '../../shared/http/edge/own-origin.ts';
import type { HttpResponse } from '../../shared/http/edge/response.ts';
import { askPage, ringingPage } from '../../shared/http/leads/callback-pages.ts';
import type { TeamMessage } from '../../shared/ports/team-notifier.ts';
import { teamMail } from '../../shared/presentation/team-mail.ts';
import { teamPost } from '../../shared/presentation/team-post.ts';
import { changeWebhookEndpoint } from '../../shared/use-cases/webhooks/change-webhook-endpoint.ts';
import { createWebhookEndpoint } from '../../shared/use-cases/webhooks/create-webhook-endpoint.ts';
import { widgetConfig } from '../../shared/use-cases/widget/widget-config.ts';
import { changeWorkspace } from '../../shared/use-cases/workspaces/change-workspace.ts';
import { switchMember } from '../../shared/use-cases/workspaces/switch-member.ts';
import { anyCharacter } from '../support/any-character.ts';
import { frontDesk } from '../support/front-desk.ts';
import { memoryStore } from '../support/memory-store.ts';
import { idOf, samples } from '../support/sample-records.ts';
import { put } from '../support/writes.ts';

// For every setting that can be stored (from a command or a form, of this or an earlier release), the service can make every
// response, page, mail and post that uses it, and each of them fits its schema.

const OWNER = 'ida@shop.example';
const pad = (n: number, digits: number): string => String(n).padStart(digits, '0');

const line = (maxLength: number) => fc.string({ unit: anyCharacter, minLength: 1, maxLength });
const date = fc
	.tuple(fc.oneof(fc.integer({ min: 2026, max: 2028 }), fc.integer({ min: 0, max: 9999 })), fc.nat(365))
	.map(([year, day]) => {
		const start = new Date(0);
		start.setUTCFullYear(year, 0, 1 + day);
		return start.toISOString().slice(0, 10);
	})
	.filter((text) => text.length === 10);
const clock = fc
	.tuple(fc.nat(23), fc.nat(59), fc.nat(59))
	.map(([hour, minute, second]) => `${pad(hour, 2)}:${pad(minute, 2)}:${pad(second, 2)}`);
const fraction = fc.oneof(
	fc.constant(''),
	fc.nat(999_999_999).map((n) => `.${n}`),
);
const offset = fc.constantFrom('Z', 'Z', 'z', '+01:00', '-12:00', '+14:00');
const typedTime = fc
	.tuple(date, clock, fraction, offset)
	.map(([day, time, part, zone]) => `${day}T${time}${part}${zone}`);
/** A time as the release `28086779` stored it, unchanged as it was typed: UTC, with a fraction of a second of any length. */
const storedTime = fc.tuple(date, clock, fraction).map(([day, time, part]) => `${day}T${time}${part}Z`);
const zone = fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Pacific/Kiritimati', 'Etc/GMT+12', 'Asia/Kathmandu');
const opening = fc.record({
	weekday: fc.constantFrom(0, 1, 2, 3, 4, 5, 6),
	from_minute: fc.nat(1439),
	to_minute: fc.integer({ min: 1, max: 2880 }),
});
const byLanguage = <T>(value: fc.Arbitrary<T>) => fc.dictionary(fc.constantFrom(...languages), value, { maxKeys: 3 });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4 });

/** Settings from a command before their schema has checked them. Some are refused. */
const typedSettings = fc.record(
	{
		name: line(100),
		time_zone: zone,
		language: fc.constantFrom(...languages),
		calls_enabled: fc.boolean(),
		origins: fc.array(
			fc.webUrl().map((url) => new URL(url).origin.replace('http:', 'https:')),
			{ maxLength: 3 },
		),
		allowed_regions: fc.array(fc.constantFrom('US', 'DE', 'MX', 'GB', 'ZZ'), { maxLength: 4 }),
		allowed_prefixes: fc.array(
			fc.nat().map((n) => `+1${n}`),
			{ maxLength: 2 },
		),
		team_email: orNull(fc.emailAddress()),
		tells_missed_calls: fc.boolean(),
		caller_number: orNull(fc.constantFrom('+13125550101', '+441632960961', '+52155512345678')),
		ring_strategy: fc.constantFrom('simultaneous', 'sequential', 'round_robin'),
		ring_order: fc.constantFrom('agent_first', 'visitor_first'),
		business_hours: orNull(
			fc.record({
				weekly: fc.array(opening, { minLength: 1, maxLength: 4 }),
				holidays: fc.array(date, { maxLength: 3 }),
			}),
		),
		paused_until: orNull(typedTime),
		consent_text: line(200),
		consent_texts: orNull(byLanguage(fc.dictionary(fc.constantFrom(...consentCases), orNull(line(200))))),
		covers_call_back: byLanguage(fc.boolean()),
		look: fc.record(
			{
				accent: orNull(fc.nat(0xffffff).map((n) => `#${n.toString(16).padStart(6, '0')}`)),
				greeting: orNull(line(200)),
			},
			{ requiredKeys: [] },
		),
		privacy_links: orNull(byLanguage(orNull(fc.webUrl({ validSchemes: ['https'], withFragments: true })))),
	},
	{ requiredKeys: [] },
);

/** A form of the desk as a browser sends it, with values that an owner could type. */
const typedForm = fc.tuple(
	fc.constantFrom(hoursSection, ringingSection, siteSection, lookSection, consentSection, noticesSection),
	fc.record({
		when: fc.constantFrom('hours', 'always'),
		time_zone: zone,
		'from-1-0': clock.map((text) => text.slice(0, 5)),
		'to-1-0': clock.map((text) => text.slice(0, 5)),
		holidays: fc.array(date, { maxLength: 3 }).map((dates) => dates.join('\n')),
		holiday: fc.oneof(fc.constant(''), date),
		name: line(100),
		origins: fc.webUrl(),
		language: fc.constantFrom(...languages),
		ring_strategy: fc.constantFrom('simultaneous', 'sequential'),
		ring_order: fc.constantFrom('agent_first', 'visitor_first'),
		accent: fc.nat(0xffffff).map((n) => `#${n.toString(16).padStart(6, '0')}`),
		greeting: line(80),
		call: line(100),
		lead: line(100),
		covers: fc.constantFrom('yes', ''),
		privacy_links: fc.oneof(fc.constant(''), fc.webUrl()),
		team_email: fc.oneof(fc.constant(''), fc.emailAddress()),
		tells_missed_calls: fc.constantFrom('yes', ''),
	}),
);

type Shop = { readonly workspace: Workspace; readonly desk: ReturnType<typeof frontDesk> };

async function openShop(stored: Partial<Workspace> = {}): Promise<Shop> {
	const desk = frontDesk(memoryStore());
	const person = { address: OWNER, role: 'owner', sessions_from: new Date(desk.now.ms).toISOString() } as const;
	const workspace = desk.workspace({}, { desk: [person], ...stored });
	const { store } = desk.deps;
	const call = { ...samples.call, workspace_id: workspace.id };
	const lead = { ...samples.callback_lead, workspace_id: workspace.id };
	const endpoint = { ...samples.webhook_endpoint, workspace_id: workspace.id };
	await store.commit([
		put('workspace', workspace),
		put('call', call),
		put('callback_lead', lead),
		put('webhook_endpoint', endpoint),
	]);
	return { workspace, desk };
}

async function saved({ workspace, desk }: Shop, settings: unknown): Promise<Shop> {
	const read = WorkspaceSettings.safeParse(settings);
	if (!read.success) return { workspace, desk };
	const outcome = await changeWorkspace(workspace.id, read.data, desk.deps);
	return { workspace: 'workspace' in outcome ? outcome.workspace : workspace, desk };
}

/** Texts that appear on a page or in a mail if a value is missing or could not be formatted. */
const BROKEN = /\bundefined\b|\bNaN\b|Invalid Date|\[object/;

function expectPage({ statusCode, body = '' }: HttpResponse): void {
	expect(statusCode).toBeLessThan(300);
	expect(body).not.toMatch(BROKEN);
}

function messagesTo(workspace: Workspace): readonly TeamMessage[] {
	const to = workspace.team_email ?? OWNER;
	const addressee = { to, workspace_name: workspace.name, locale: localeOf(workspace) };
	const link = { url: 'https://api.example/v1/callback-links/x', expires_at: samples.call.created_at };
	const { team_email, id: workspace_id } = workspace;
	const invited = { role: 'owner', by: OWNER } as const;
	const fact = { fact: 'disabled', endpoint_id: idOf(2), at: samples.call.created_at, reason: 'gone' } as const;
	return [
		{ ...addressee, lead: samples.callback_lead, link },
		{ ...addressee, calls: [{ ...samples.call, rung: ['Ida'] }], more: 2, desk_url: link.url },
		{ ...addressee, test: { by: OWNER, at: samples.call.created_at } },
		{ ...addressee, reason: 'invitation', team_email, desk_link: link, invited },
		{ ...addressee, workspace_id, url: 'https://hooks.shop.example/a', fact },
	];
}

async function expectSoundResponses({ workspace, desk: { deps, now } }: Shop): Promise<void> {
	const config = { ...deps, guides: numberGuides, caller_number: null };
	for (const language of languages)
		WidgetConfigResponse.parse({ data: (await widgetConfig(workspace, language, config)).config });
	const asked = await frontDesk(deps.store, now.ms).requestCall(workspace, '+12025550123');
	if ('refused' in asked && asked.refused === 'outside_business_hours' && asked.next_open_at !== null)
		Timestamp.parse(asked.next_open_at);
	const [person] = workspace.desk;
	if (person === undefined) throw new Error('the shop has no owner');
	const at = { workspace, person, session: samples.desk_session, secret: new Uint8Array(32) };
	const view = viewOf(at, now.ms);
	const addresses = { widget_script: 'https://widget.example/widget.js', base_url: 'https://api.example/v1' };
	for (const page of [...shopPages, 'calls', 'calls.csv', 'leads.csv', 'preview'] as const)
		expectPage(await shopSite.show(page, view, { ...deps, addresses }));
	const developerDeps = { ...deps, public_base_url: addresses.base_url };
	for (const page of developerPages) expectPage(await developerSite.show(page, view, developerDeps));
	const reader = { headers: {}, cookies: [] };
	expectPage(openPage({ link: samples.desk_link, mailbox: null, workspaces: [workspace], is_asker: false }, reader));
	expectPage(ringingPage({ phone_masked: '+1********01' }, workspace, reader));
	const { callback_link: link, callback_lead: lead, call } = samples;
	expectPage(askPage({ link, expires_at: call.created_at, lead, workspace }, { cookies: [] }));
	for (const message of messagesTo(workspace)) {
		const { subject, text, html } = teamMail(message);
		expect(`${subject}\n${text}\n${html}`).not.toMatch(BROKEN);
		expect(subject).not.toMatch(/[\r\n]/);
		expect(JSON.parse(teamPost({ ...message, to: 'https://hooks.slack.com/services/a' }))).toMatchObject({});
	}
}

describe('a shop', () => {
	it('answers with valid responses after any command of an operator', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(typedSettings, { minLength: 1, maxLength: 3 }), async (changes) => {
				let shop = await openShop();
				for (const settings of changes) shop = await saved(shop, settings);
				await expectSoundResponses(shop);
			}),
			{ numRuns: 60 },
		);
	});

	it('answers with valid responses after any form of the desk', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(typedForm, { minLength: 1, maxLength: 3 }), async (forms) => {
				let shop = await openShop();
				for (const [section, fields] of forms) shop = await saved(shop, section.entered(fields, shop.workspace));
				await expectSoundResponses(shop);
			}),
			{ numRuns: 60 },
		);
	});

	it('answers with valid responses if a member is off until any date, also while the whole team is paused', async () => {
		const hours = typedSettings.map(({ business_hours = null, time_zone = 'UTC' }) => ({ business_hours, time_zone }));
		await fc.assert(
			fc.asyncProperty(hours, date, fc.option(storedTime), async (settings, back, paused_until) => {
				const shop = await saved(await openShop({ paused_until }), settings);
				const off = { on: false, back } as const;
				const outcome = await switchMember(shop.workspace.id, () => true, off, shop.desk.deps);
				await expectSoundResponses('workspace' in outcome ? { ...shop, workspace: outcome.workspace } : shop);
			}),
			{ numRuns: 60 },
		);
	});

	it('answers with valid responses after any change of an endpoint by its developers', async () => {
		const url = fc.oneof(
			fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }),
			fc.constantFrom(
				'https://MÜNCHEN.example/é?ü=1',
				'https://a.example:8443/',
				'https://a.example/%zz',
				'https://[',
				'',
			),
			line(60).map((text) => `https://a.example/${text}`),
		);
		const settings = {
			url,
			events: fc.uniqueArray(fc.constantFrom(...EventKind.options), { minLength: 1 }),
			description: orNull(line(220)),
			headers: orNull(fc.dictionary(fc.constantFrom('X-Key', 'x-key', 'authorization', 'Host'), line(20))),
		};
		const created = fc.record(settings);
		const changed = fc.record({ ...settings, status: fc.constantFrom('enabled', 'disabled') }, { requiredKeys: [] });
		await fc.assert(
			fc.asyncProperty(created, fc.array(changed, { maxLength: 3 }), async (first, changes) => {
				const { workspace, desk } = await openShop();
				const sender = {
					check: async (text: string) =>
						URL.canParse(text)
							? ({ allowed: true, url: new URL(text).href } as const)
							: ({ allowed: false, fault: 'malformed', reason: 'invalid' } as const),
				};
				const vault = { sealSecret: async () => 'sealed', openSecret: async () => 'x' };
				const deps = { ...desk.deps, sender, vault };
				const body = CreateWebhookEndpoint.safeParse(first);
				if (!body.success) return;
				const { description = null, ...given } = body.data;
				const outcome = await createWebhookEndpoint({ ...given, description, workspace_id: workspace.id }, deps);
				if (outcome.outcome !== 'created') return;
				let { endpoint }: { endpoint: WebhookEndpoint } = outcome;
				for (const each of changes) {
					const change = ChangeWebhookEndpoint.safeParse(each);
					const result = change.success && (await changeWebhookEndpoint(endpoint, change.data, deps));
					if (result && result.outcome === 'changed') endpoint = result.endpoint;
				}
				WebhookEndpointResponse.parse({ data: endpoint });
				await expectSoundResponses({ workspace, desk });
				const addressee = { to: OWNER, workspace_name: workspace.name, locale: localeOf(workspace) };
				const fact = { fact: 'disabled', endpoint_id: endpoint.id, at: endpoint.created_at, reason: 'gone' } as const;
				const { subject, text, html } = teamMail({ ...addressee, workspace_id: workspace.id, url: endpoint.url, fact });
				expect(`${subject}\n${text}\n${html}`).not.toMatch(BROKEN);
			}),
			{ numRuns: 60 },
		);
	});

	it('has forms, links and a widget that work at every address and number that the properties of a deployment allow', async () => {
		const host = fc.oneof(
			fc.domain(),
			fc.ipV4(),
			fc.ipV6().map((text) => `[${text}]`),
			line(20),
			fc.constantFrom('me:it@edge.example', 'edge.example:8443', 'edge.example:99999', 'München.example', '[', 'a b'),
		);
		const path = fc.oneof(
			fc.constant(''),
			fc.webPath(),
			line(10).map((text) => `/${text}`),
		);
		const base = fc
			.tuple(fc.constantFrom('https', 'http'), host, path)
			.map(([scheme, at, below]) => `${scheme}://${at}${below}/v1`);
		const callerNumber = fc.oneof(
			fc.constantFrom('+13125550101', '+441632960961', '+99999999999'),
			fc.stringMatching(/^\+[0-9]{6,16}$/),
		);
		await fc.assert(
			fc.asyncProperty(base, callerNumber, async (publicBaseUrl, from) => {
				const telephony = { provider: 'simulator', trial: true, url: 'http://a.example', sharedSecret: 'x'.repeat(16) };
				const file = { publicBaseUrl, telephony: { ...telephony, callerNumber: from } };
				if (!DeploymentFile.safeParse(file).success) return;
				const { workspace, desk } = await openShop();
				const config = { ...desk.deps, guides: numberGuides, caller_number: from };
				WidgetConfigResponse.parse({ data: (await widgetConfig(workspace, 'en', config)).config });
				const { origin } = new URL(publicBaseUrl);
				expect(isOwnOrigin({ origin, host: 'behind.example' }, publicBaseUrl)).toBe(true);
				expect(isOwnOrigin({ origin: 'https://other.example', host: 'behind.example' }, publicBaseUrl)).toBe(false);
				const url = `${publicBaseUrl}/desk/links/x`;
				const link = { url, expires_at: samples.call.created_at };
				const addressee = { to: OWNER, workspace_name: workspace.name, locale: localeOf(workspace) };
				const { text } = teamMail({ ...addressee, lead: samples.callback_lead, link });
				expect(text.split(/\s/)).toContain(url);
			}),
			{ numRuns: 300 },
		);
	});

	it.each(['2026-12-24T17:00:00Z', '2026-12-24T17:00:00.5Z', '2026-12-24T17:00:00.123456789Z', '9999-12-31T23:59:59Z'])(
		'that an earlier release paused until %s says when it opens',
		async (paused_until) => {
			const { workspace, desk } = await openShop({ paused_until });
			const deps = { ...desk.deps, guides: numberGuides, caller_number: null };
			const { config } = await widgetConfig(workspace, 'en', deps);
			const { next_open_at, opens_in_ms, time_zone } = WidgetConfigResponse.parse({ data: config }).data;
			expect(next_open_at).toBe(new Date(paused_until).toISOString());
			expect(opens_in_ms).toBe(Date.parse(paused_until) - desk.deps.clock.now());
			expect(time_zone).toBe(workspace.time_zone);
		},
	);
});
