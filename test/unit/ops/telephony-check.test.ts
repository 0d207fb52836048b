import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { REFUSAL_CODES } from '../../../ops/refusal-codes.ts';
import { accountFindings } from '../../../ops/telephony-check.ts';
import { about, CALL_ID, callAfter, dialsVisitor } from '../../support/calls/call-after.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { operatorAt } from '../../support/operator.ts';
import { ACCOUNT_SID, type Account, answerAboutAccount, FROM, TOKEN } from '../../support/phones/account-answers.ts';
import type { Answering } from '../../support/phones/phone-provider.ts';
import { providerApis } from '../../support/phones/provider-apis.ts';
import { telnyx, twilio } from '../../support/phones/regions.ts';
import { idOf } from '../../support/sample-records.ts';
import { put } from '../../support/writes.ts';

const startApi = providerApis();

type Answers = Readonly<Record<string, Answering>>;

type Needs = Parameters<typeof accountFindings>[2];

afterEach(() => {
	delete process.env['TELEPHONY_API_URL'];
});

/** The findings about an account, if the provider's API is at `url`. */
function findingsAt(url: string, account: Account, needs: Needs, changes: object = {}) {
	process.env['TELEPHONY_API_URL'] = url;
	const isTelnyx = account === 'telnyx new';
	const settings = isTelnyx ? { ...telnyx, ...changes } : { ...twilio, ...changes };
	const secret = JSON.stringify({ auth_token: TOKEN, api_key: TOKEN });
	return accountFindings(isTelnyx ? 'telnyx' : 'twilio', settings, needs, async () => secret);
}

/** The findings about an account that are not ok. `changes` replace the provider's responses by path. */
async function findingsOf(
	account: Account,
	changes: Answers = {},
	{ regions = [{ region: 'US', workspaces: [] }], callers = [] }: Partial<Needs> = {},
) {
	const api = await startApi((asked) => answerAboutAccount(account, asked, changes) ?? { status: 404 });
	const findings = await findingsAt(api.url, account, { regions, callers });
	return findings.flatMap(({ check, result, found }) => (result === 'ok' ? [] : [`${result} ${check}: ${found}`]));
}
const ok = (body: object): Answering => ({ status: 200, body });
const data = (value: unknown): Answering => ok({ data: value });
const refused: Answering = { status: 401, body: {} };
const broken: Answering = { status: 503, body: {} };
const at = (path: string) => `/2010-04-01/Accounts/${ACCOUNT_SID}${path}`;
const none = { [at('/IncomingPhoneNumbers.json')]: ok({ incoming_phone_numbers: [] }) };

describe('a check of the caller numbers of workspaces', () => {
	const callers = [
		{ number: FROM, workspace: 'Shop' },
		{ number: '+12125550142', workspace: 'Garage' },
	];
	const verified: Readonly<Record<string, Answers>> = {
		'twilio full': { [at('/OutgoingCallerIds.json')]: ok({ outgoing_caller_ids: [{ phone_number: '+12125550142' }] }) },
		'telnyx new': { '/v2/verified_numbers/%2B12125550142': data({ phone_number: '+12125550142' }) },
	};

	it.each<Account>(['twilio full', 'telnyx new'])(
		'accepts numbers that are owned or verified, and names any other: %s',
		async (account) => {
			expect(await findingsOf(account, {}, { callers })).toEqual([
				expect.stringContaining('failed caller number of Garage: neither owned nor verified'),
			]);
			expect(await findingsOf(account, verified[account], { callers })).toEqual([]);
		},
	);
});

describe('a check of the regions of workspaces', () => {
	type Shop = readonly [name: string, allowed: readonly string[], region?: string, team?: readonly []];
	/** The findings about the regions of these shops that are not ok, as the command prints them. */
	async function check(shops: readonly Shop[], account: Account = 'twilio full', ...args: readonly string[]) {
		const api = await startApi((asked) => answerAboutAccount(account, asked, {}) ?? { status: 404 });
		process.env['TELEPHONY_API_URL'] = api.url;
		const { deps, workspace } = frontDesk(memoryStore());
		const isTelnyx = account === 'telnyx new';
		const ops = operatorAt({
			store: deps.store,
			macs: deps.macs,
			telephony: {
				provider: isTelnyx ? 'telnyx' : 'twilio',
				settings: JSON.stringify(isTelnyx ? telnyx : twilio),
				readSecret: async () => JSON.stringify({ auth_token: TOKEN, api_key: TOKEN }),
			},
			workspaces: async function* () {
				for (const [name, allowed_regions, region = 'US', team] of shops)
					yield { workspaces: [workspace({}, { name, allowed_regions, region, ...(team && { team }) })], read: 1 };
			},
		});
		const { code, out, err } = await ops('telephony', 'check', ...args);
		const findings: readonly { check: string; result: string; found: string }[] = JSON.parse(out || err);
		return {
			code,
			asked: findings.flatMap(({ check: about }) => (about.startsWith('calls to') ? [about] : [])),
			wrong: findings.flatMap(({ check: about, result, found }) => (result === 'failed' ? [`${about}: ${found}`] : [])),
		};
	}

	it.each<Account>(['twilio full', 'telnyx new'])('names regions that the provider refuses: %s', async (account) => {
		const { code, asked, wrong } = await check(
			[
				['Shop', ['US']],
				['Garage', ['US', 'DE']],
			],
			account,
		);
		expect(asked).toEqual(['calls to US', 'calls to DE']);
		expect([code, wrong]).toEqual([
			1,
			[expect.stringMatching(/^calls to DE: not allowed\. .+ Workspaces that call it: Garage\.$/)],
		]);
	});

	it('warns about workspaces whose calls would show the number of a team member', async () => {
		const api = await startApi((asked) => answerAboutAccount('twilio full', asked, {}) ?? { status: 404 });
		process.env['TELEPHONY_API_URL'] = api.url;
		const { deps, workspace } = frontDesk(memoryStore());
		const shops = ['Bakery', 'Garage', 'Salon'].map((name, n) => workspace({}, { id: idOf(n), name, team: [] }));
		await deps.store.commit(shops.map((shop) => put('workspace', shop)));
		const settings = JSON.stringify(twilio);
		const telephony = { provider: 'twilio', settings, readSecret: async () => JSON.stringify({ auth_token: TOKEN }) };
		const stored = async () =>
			(await Promise.all(shops.map(({ id }) => deps.store.get('workspace', { id })))).flatMap((shop) => shop ?? []);
		const ops = operatorAt({
			...deps,
			mail_sender: null,
			telephony,
			workspaces: async function* () {
				yield { workspaces: await stored(), read: 3 };
			},
		});
		for (const [n, options] of [
			[0, ['--team', `Ida:${FROM}`]],
			[1, ['--team', `Ida:${FROM}`, '--caller-number', '+13125550142']],
			[2, ['--team', 'Ida:+13125550142', '--caller-number', '+13125550142']],
		] as const)
			expect(await ops('workspace', 'set', '--workspace', idOf(n), ...options)).toMatchObject({ code: 0 });
		const { out, err } = await ops('telephony', 'check');
		const findings: readonly { check: string; result: string; found: string }[] = JSON.parse(out || err);
		expect(findings.filter(({ check }) => check === 'caller numbers and teams')).toEqual([
			expect.objectContaining({ result: 'warning', found: expect.stringMatching(/Workspaces: Bakery, Salon\.$/) }),
		]);
	});

	it('asks about a workspace’s own region for the phones of its team, and skips the region if there is no team', async () => {
		expect(await check([['Shop', ['US'], 'DE']])).toMatchObject({
			code: 1,
			wrong: [expect.stringContaining(': Shop.')],
		});
		expect(await check([['Shop', ['US'], 'DE', []]])).toMatchObject({ code: 0, asked: ['calls to US'] });
	});

	it('asks about each region once, also about those of the command line, and names at most five workspaces', async () => {
		const seven = Array.from({ length: 7 }, (_, nth): Shop => [`Shop ${nth}`, ['DE', 'US']]);
		const { asked, wrong } = await check(seven, 'twilio full', '--region', 'US', '--region', 'FR');
		expect(asked).toEqual(['calls to US', 'calls to FR', 'calls to DE']);
		expect(wrong).toEqual([expect.stringMatching(/: Shop 0, Shop 1, Shop 2, Shop 3, Shop 4 and 2 more\.$/)]);
	});

	it('asks about no region if there is no workspace yet', async () => {
		expect(await check([])).toEqual({ code: 0, asked: [], wrong: [] });
	});
});

describe('a check of an account of Twilio', () => {
	it('finds nothing wrong with an account that can call', async () => {
		expect(await findingsOf('twilio full')).toEqual([]);
	});

	it.each<[string, Answers, string]>([
		['wrong credentials', { [at('.json')]: refused }, 'failed credentials: not accepted. Set account_sid'],
		[
			'a suspended account',
			{ [at('.json')]: ok({ status: 'suspended', type: 'Full' }) },
			'failed credentials: the account is suspended',
		],
		['a caller number that is not the account’s', none, 'failed caller number: neither owned nor verified'],
		[
			'a caller number that cannot call',
			{ [at('/IncomingPhoneNumbers.json')]: ok({ incoming_phone_numbers: [{ capabilities: { voice: false } }] }) },
			'failed caller number: neither owned nor verified',
		],
		[
			'a country that is not permitted',
			{ '/v1/DialingPermissions/Countries/US': ok({ low_risk_numbers_enabled: false }) },
			'failed calls to US: not allowed',
		],
		['a trial', { [at('.json')]: ok({ status: 'active', type: 'Trial' }) }, 'warning credentials: accepted, of an'],
		['an account we may not read', { [at('.json')]: { status: 403 } }, 'warning credentials: not clear (HTTP 403)'],
		['an answer that we do not know', { [at('.json')]: ok({}) }, 'warning credentials: not clear (HTTP 200)'],
		[
			'numbers that it does not show',
			{ [at('/IncomingPhoneNumbers.json')]: broken },
			'warning caller number: not clear',
		],
		[
			'permissions that it does not show',
			{ '/v1/DialingPermissions/Countries/US': broken },
			'warning calls to US: not',
		],
	])('names %s', async (_, changes, line) => {
		expect(await findingsOf('twilio full', changes)).toEqual([expect.stringContaining(line)]);
	});

	it('in another region than US1 asks that region only for its calls, and warns about what only US1 shows', async () => {
		const responses = [ok({ calls: [] }), refused];
		const api = await startApi(() => responses.shift() ?? { status: 404 });
		const check = () =>
			findingsAt(
				api.url,
				'twilio full',
				{ regions: [{ region: 'IE', workspaces: [] }], callers: [] },
				{ region: 'ie1' },
			);
		expect(await check()).toEqual([
			{ check: 'credentials', result: 'ok', found: 'accepted' },
			{ check: 'caller number', result: 'warning', found: expect.stringContaining('Try a call') },
			{ check: 'calls to IE', result: 'warning', found: expect.stringContaining('of the region US1 apply') },
		]);
		expect(await check()).toMatchObject([
			{ check: 'credentials', result: 'failed', found: expect.stringContaining('in the region ie1') },
		]);
		expect(api.asked.map(({ path }) => path)).toEqual(
			Array.from({ length: 2 }, () => expect.stringMatching(`^${at('/Calls.json')}`)),
		);
	});

	it('only warns about what the parent of a healthy sub-account decides', async () => {
		const unseen = expect.stringMatching(/^warning calls to US: not seen: the permissions of the parent account/);
		expect(await findingsOf('twilio sub')).toEqual([unseen]);
		expect(await findingsOf('twilio sub', none)).toEqual([
			expect.stringContaining('warning caller number: not'),
			unseen,
		]);
	});
});

describe('a check of an account of Telnyx', () => {
	const application = (changes: object): Answers => ({
		'/v2/texml_applications/app': data({ active: true, outbound: { outbound_voice_profile_id: null }, ...changes }),
	});
	const PROFILE = '/v2/outbound_voice_profiles/1293384261075731499';
	const profiled = (changes: object): Answers => ({
		[PROFILE]: data({ enabled: true, whitelisted_destinations: ['US'], ...changes }),
	});

	it('finds nothing wrong with an account that can call', async () => {
		expect(await findingsOf('telnyx new')).toEqual([]);
	});

	it('accepts a caller number that is only verified', async () => {
		const verified = {
			'/v2/phone_numbers': data([]),
			'/v2/verified_numbers/%2B12125550100': data({ phone_number: FROM }),
		};
		expect(await findingsOf('telnyx new', verified)).toEqual([]);
	});

	it.each<[string, Answers, string]>([
		['wrong credentials', { '/v2/balance': refused }, 'failed credentials: not accepted. Put the API key'],
		[
			'a caller number that is not the account’s',
			{ '/v2/phone_numbers': data([{ phone_number: '+12125550199', status: 'active' }]) },
			'failed caller number: neither owned nor verified',
		],
		[
			'a caller number that is not active yet',
			{ '/v2/phone_numbers': data([{ phone_number: FROM, status: 'purchase-pending' }]) },
			'failed caller number: neither owned nor verified',
		],
		['an unknown application', { '/v2/texml_applications/app': { status: 404 } }, 'failed calls to US: unknown app'],
		['an application that is off', application({ active: false }), 'failed calls to US: the TeXML application is off'],
		['an application without a profile', application({}), 'failed calls to US: the TeXML application has no'],
		['a disabled profile', profiled({ enabled: false }), 'failed calls to US: the outbound voice profile is disabled'],
		[
			'a country that is not allowed',
			profiled({ whitelisted_destinations: ['DE'] }),
			'failed calls to US: not allowed',
		],
		['a key without permission', { '/v2/balance': { status: 403 } }, 'warning credentials: not clear (HTTP 403)'],
		['numbers that it does not show', { '/v2/phone_numbers': broken }, 'warning caller number: not clear'],
		[
			'an application that it does not show',
			{ '/v2/texml_applications/app': broken },
			'warning calls to US: not clear',
		],
		['a profile that it does not show', { [PROFILE]: broken }, 'warning calls to US: not clear'],
	])('names %s', async (_, changes, line) => {
		expect(await findingsOf('telnyx new', changes)).toEqual([expect.stringContaining(line)]);
	});
});

describe('a call in the operators’ commands', () => {
	it('shows what happened to each phone and the code with which the provider refused, and no provider id', async () => {
		const cause = 'provider_rejected';
		const rejected = about(11, 'visitor', (leg_id) => ({ input: 'dial_rejected', leg_id, cause, code: '21215' }));
		const store = memoryStore();
		const item = callAfter([...dialsVisitor, rejected]);
		await store.commit([put('call', item)]);
		const ops = operatorAt({ store });
		const { out: shown } = await ops('call', 'show', '--call', CALL_ID);
		expect(shown).toContain('visitor: dialled');
		expect(shown).toContain('team member m1: dialled');
		expect(shown).toContain(`code 21215: ${REFUSAL_CODES.get('21215')}`);
		expect(shown).not.toContain('P 0');
		expect(await ops('call', 'show', '--call', 'another')).toEqual({ code: 1, out: '', err: 'no call has this id' });
	});
});

it('the runbook lists every code that the console explains', () => {
	const runbook = readFileSync(join(import.meta.dirname, '../../../docs/runbook.md'), 'utf8');
	expect([...REFUSAL_CODES.keys()].filter((code) => !runbook.includes(`| ${code} |`))).toEqual([]);
	expect(REFUSAL_CODES.size).toBe(12);
});
