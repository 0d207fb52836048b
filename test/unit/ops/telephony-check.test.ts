import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../../ops/telephony/account-check.ts';
import { REFUSAL_CODES } from '../../../ops/telephony/refusal-codes.ts';
import { checkTelnyx } from '../../../ops/telephony/telnyx-check.ts';
import { checkTwilio, checkTwilioRegion } from '../../../ops/telephony/twilio-check.ts';
import { about, CALL_ID, callAfter, dialsVisitor } from '../../support/calls/call-after.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { operatorAt } from '../../support/operator.ts';
import {
	ACCOUNT_SID,
	type Account,
	answerAboutAccount,
	FROM,
	PARENT_TOKEN,
	TOKEN,
} from '../../support/phones/account-answers.ts';
import type { Answering } from '../../support/phones/phone-provider.ts';
import { providerApis } from '../../support/phones/provider-apis.ts';

const startApi = providerApis();

type Answers = Readonly<Record<string, Answering>>;

/** The failed checks of an account; `changes` replace the provider's responses by path. */
async function wrongWith(
	account: Account,
	changes: Answers = {},
	{
		regions = ['US'],
		parent_auth_token,
		callers = [],
	}: { regions?: readonly string[]; parent_auth_token?: string; callers?: readonly Caller[] } = {},
) {
	const api = await startApi((asked) => answerAboutAccount(account, asked, changes) ?? { status: 404 });
	const shared = { callers: [{ number: FROM, workspace: null }, ...callers], regions, api_url: api.url };
	const checks =
		account === 'telnyx new'
			? await checkTelnyx({ ...shared, account_sid: 'org', application_sid: 'app', api_key: TOKEN })
			: await checkTwilio({
					...shared,
					account_sid: ACCOUNT_SID,
					auth_token: TOKEN,
					parent_auth_token,
					voice_url: api.url,
					trust_url: api.url,
				});
	return checks.filter(({ ok }) => !ok).map(({ check, found }) => `${check}: ${found}`);
}
const ok = (body: object): Answering => ({ status: 200, body });
const data = (value: unknown): Answering => ok({ data: value });
const refused: Answering = { status: 401, body: {} };

describe('a check of the caller numbers of workspaces', () => {
	const callers = [
		{ number: FROM, workspace: 'Shop' },
		{ number: '+12125550142', workspace: 'Garage' },
	];
	const twilioIds = `/2010-04-01/Accounts/${ACCOUNT_SID}/OutgoingCallerIds.json`;
	const verified: Readonly<Record<string, Answers>> = {
		'twilio full': { [twilioIds]: ok({ outgoing_caller_ids: [{ phone_number: '+12125550142' }] }) },
		'telnyx new': { '/v2/verified_numbers/%2B12125550142': data({ phone_number: '+12125550142' }) },
	};

	it.each<Account>(['twilio full', 'telnyx new'])(
		'accepts owned and verified ones, and names any other: %s',
		async (account) => {
			expect(await wrongWith(account, {}, { callers })).toEqual([
				'caller number of Garage: neither the account’s nor verified',
			]);
			expect(await wrongWith(account, verified[account], { callers })).toEqual([]);
		},
	);
});

describe('a check of an account of Twilio', () => {
	const at = (path: string) => `/2010-04-01/Accounts/${ACCOUNT_SID}${path}`;

	it('finds nothing wrong with one that can call', async () => {
		expect(await wrongWith('twilio full')).toEqual([]);
	});

	it.each<[string, Answers, string]>([
		['a trial', { [at('.json')]: ok({ status: 'active', type: 'Trial' }) }, 'account type: Trial'],
		['wrong credentials', { [at('.json')]: refused }, 'credentials: HTTP 401'],
		['a suspended account', { [at('.json')]: ok({ status: 'suspended', type: 'Full' }) }, 'account: suspended'],
		[
			'a caller number that is not the account’s',
			{ [at('/IncomingPhoneNumbers.json')]: ok({ incoming_phone_numbers: [] }) },
			'caller number: neither the account’s nor verified',
		],
		['an empty balance', { [at('/Balance.json')]: ok({ balance: '-0.10', currency: 'USD' }) }, 'balance: -0.10 USD'],
		[
			'a country that is not permitted',
			{ '/v1/DialingPermissions/Countries/US': ok({ low_risk_numbers_enabled: false }) },
			'calls to US: not allowed',
		],
		[
			'an account whose customer profile is not approved yet',
			{ '/v1/CustomerProfiles': ok({ results: [] }) },
			'customer profile: none is approved',
		],
	])('names %s', async (_, changes, wrong) => {
		expect(await wrongWith('twilio full', changes)).toEqual([wrong]);
	});

	it('asks for no customer profile if no number in the US or Canada is called', async () => {
		expect(await wrongWith('twilio new', {}, { regions: [] })).toEqual([]);
		expect(await wrongWith('twilio new')).toEqual(['customer profile: none is approved']);
	});

	it('of another region asks that region for its calls alone, and says how to check the rest', async () => {
		const answers = [ok({ calls: [] }), refused];
		const api = await startApi(() => answers.shift() ?? { status: 404 });
		const check = () =>
			checkTwilioRegion({ account_sid: ACCOUNT_SID, auth_token: TOKEN, api_url: api.url, region: 'ie1' });
		expect(await check()).toEqual([
			{ check: 'credentials', ok: true, found: 'accepted' },
			{ check: 'region', ok: true, found: expect.stringContaining('are not checked here') },
		]);
		expect(await check()).toMatchObject([
			{ check: 'credentials', ok: false, change: expect.stringContaining('in the region ie1') },
		]);
		expect(api.asked.map(({ path }) => path)).toEqual(
			Array.from({ length: 2 }, () => expect.stringMatching(`^${at('/Calls.json')}`)),
		);
	});

	it('checks at the parent of a sub-account what the parent decides, and fails without its token', async () => {
		expect(await wrongWith('twilio sub', {}, { parent_auth_token: PARENT_TOKEN })).toEqual([]);
		expect(await wrongWith('twilio sub')).toEqual([
			'customer profile: the parent account has it',
			'voice geographic permissions: inherited from the parent account',
		]);
	});
});

describe('a check of an account of Telnyx', () => {
	const profile = '/v2/outbound_voice_profiles/1293384261075731499';
	const application = (outbound: object) => ({
		'/v2/texml_applications/app': data({ active: true, outbound: { outbound_voice_profile_id: null, ...outbound } }),
	});
	const profiled = (changes: object) => ({
		[profile]: data({ enabled: true, whitelisted_destinations: ['US'], concurrent_call_limit: 10, ...changes }),
	});

	it('finds nothing wrong with one that can call', async () => {
		expect(await wrongWith('telnyx new')).toEqual([]);
	});

	it('accepts a caller number that is only verified', async () => {
		const verified = {
			'/v2/phone_numbers': data([]),
			'/v2/verified_numbers/%2B12125550100': data({ phone_number: FROM }),
		};
		expect(await wrongWith('telnyx new', verified)).toEqual([]);
	});

	it.each<[string, Answers, string]>([
		['wrong credentials', { '/v2/balance': refused }, 'credentials: HTTP 401'],
		['an empty balance', { '/v2/balance': data({ available_credit: '0.00', currency: 'USD' }) }, 'balance: 0.00 USD'],
		['another organisation', { '/v2/texml/Accounts/org/Calls': { status: 404 } }, 'organisation: HTTP 404'],
		[
			'a caller number that is not the account’s',
			{ '/v2/phone_numbers': data([{ phone_number: '+12125550199', status: 'active' }]) },
			'caller number: neither the account’s nor verified',
		],
		[
			'a caller number that is not active yet',
			{ '/v2/phone_numbers': data([{ phone_number: FROM, status: 'purchase-pending' }]) },
			'caller number: neither the account’s nor verified',
		],
		['an unknown application', { '/v2/texml_applications/app': { status: 404 } }, 'TeXML application: HTTP 404'],
		['an application without a profile', application({}), 'outbound voice profile: none'],
		['a disabled profile', profiled({ enabled: false }), 'outbound voice profile: disabled'],
		['a country that is not allowed', profiled({ whitelisted_destinations: ['DE'] }), 'calls to US: not allowed'],
		['one channel, where a call takes two', profiled({ concurrent_call_limit: 1 }), 'channels: 1'],
		[
			'one channel of the application',
			application({ outbound_voice_profile_id: '1293384261075731499', channel_limit: 1 }),
			'channels: 1',
		],
	])('names %s', async (_, changes, wrong) => {
		expect(await wrongWith('telnyx new', changes)).toEqual([wrong]);
	});
});

describe('a call as an operator sees it', () => {
	it('says what happened to each phone and with which code the provider refused, and shows no provider id', async () => {
		const cause = 'provider_rejected';
		const rejected = about(11, 'visitor', (leg_id) => ({ input: 'dial_rejected', leg_id, cause, code: '21215' }));
		const store = memoryStore();
		const item = callAfter([...dialsVisitor, rejected]);
		await store.commit([{ op: 'put', record: 'call', item, guard: { if: 'absent' } }]);
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
