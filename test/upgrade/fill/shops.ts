import type { Bench } from '../bench/bench.ts';
import type { People, Shop } from './people.ts';

/** The chat to which messages for the team of the full shop are posted. */
export const CHAT = 'https://chat.example/200';
/** A deleted chat: every post to it fails. */
const GONE_CHAT = 'https://chat.example/404';
/** Limits that are too high for any step to reach. */
export const PLENTY = [
	'--requests-per-address-per-window',
	'--requests-per-workspace-per-window',
	'--calls-per-number-per-day',
	'--link-calls-per-number-per-day',
	'--platform-calls-per-number-per-day',
	'--platform-calls-per-number-per-window',
	'--api-requests-per-key-per-minute',
	'--slow-requests-per-minute',
].flatMap((name) => [name, '1000']);
const ALL = ['calls:read', 'calls:write', 'webhooks:read', 'webhooks:write'];

/** Opens three shops: one with every setting, one with the settings of a new shop, and one without settings. */
export async function openShops(bench: Bench, { ops }: People) {
	async function create(origin: string | null, ...more: readonly string[]): Promise<Shop> {
		const site = origin === null ? [] : ['--origin', origin];
		const made = await ops(
			'workspace',
			'create',
			'--region',
			'US',
			'--time-zone',
			'America/New_York',
			...site,
			...more,
		);
		const key = await ops('api-key', 'create', '--workspace', made.id, '--name', 'server', ...permissionsOf(ALL));
		await bench.settle();
		return { id: made.id, workspace_key: made.workspace_key, origin: origin ?? '', api_key: key.secret ?? key.api_key };
	}
	const full = await create(
		'https://shop.example',
		'--name',
		'Ærø & Sønner 🚲',
		'--origin',
		'https://www.shop.example',
		'--language',
		'en',
		'--team',
		'Ida Wells:+13125550101',
		'--team',
		'+13125550102',
		'--team',
		'Leaver:+13125550103',
		'--team',
		'+13125550104',
		'--allowed-region',
		'US',
		'--allowed-region',
		'CA',
		'--allow-prefix',
		'+1605475',
		'--refuse-prefix',
		'+1212',
		'--consent',
		'en:call:You may call me now, and once more.',
		'--consent',
		'de:lead:Rufen Sie mich an.',
		'--covers-call-back',
		'en',
		'--privacy-link',
		'en:https://shop.example/privacy',
		'--accent',
		'#1c3d8f',
		'--greeting',
		'Hello!',
		'--caller-number',
		'+13125550199',
		'--hours',
		'mon-sun 00:00-24:00',
		'--holiday',
		'2026-12-25',
		'--team-email',
		'team@shop.example',
		'--ring-strategy',
		'sequential',
		'--owner',
		'owner@shop.example',
		...PLENTY,
	);
	await ops('workspace', 'set', '--workspace', full.id, '--team-webhook', CHAT);
	const plain = await create(
		'https://plain.example',
		'--name',
		'Plain',
		'--team',
		'+13125550111',
		'--team-email',
		'team@plain.example',
		...PLENTY,
		'--consent-text',
		'You may call me.',
		'--owner',
		'owner@plain.example',
		'--greeting',
		'Hi',
		'--paused-until',
		'2026-11-28T15:00:01Z',
	);
	const usual = await create(
		'https://usual.example',
		'--name',
		'Usual',
		'--team',
		'Bo Li:+13125550121',
		'--team',
		'Cy Ng:+13125550122',
		'--ring-order',
		'visitor_first',
		'--accent',
		'#224466',
		'--team-email',
		'bounce@usual.example',
		'--owner',
		'owner@usual.example',
		...PLENTY,
	);
	await ops('workspace', 'set', '--workspace', usual.id, '--team-webhook', GONE_CHAT);
	// This shop has only a team member, whose number belongs to a premium-rate exchange.
	const bare = await create(null, '--name', 'Bare', '--team', '+13129765501', '--allow-prefix', '+1312976');
	// It had opening hours before it was always open.
	for (const hours of ['mon-fri 09:00-17:00', 'always'])
		await ops('workspace', 'set', '--workspace', bare.id, '--hours', hours);
	return { full, plain, usual, bare };
}
export type Shops = Awaited<ReturnType<typeof openShops>>;

const permissionsOf = (names: readonly string[]) => names.flatMap((name) => ['--permission', name]);
