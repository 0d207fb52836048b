import * as z from 'zod/mini';
import {
	type Caller,
	type Check,
	CREDENTIALS_ACCEPTED,
	callerChecks,
	noAccount,
	resourceReader,
	verdict,
} from './account-check.ts';

export const TWILIO_VOICE_URL = 'https://voice.twilio.com';
export const TWILIO_TRUST_URL = 'https://trusthub.twilio.com';

type CheckedAccount = {
	readonly account_sid: string;
	readonly auth_token: string;
	/** Of the account that owns this sub-account. */
	readonly parent_auth_token?: string | undefined;
	readonly callers: readonly Caller[];
	/** Regions to call (ISO 3166-1 alpha-2). */
	readonly regions: readonly string[];
	readonly api_url: string;
	readonly voice_url: string;
	readonly trust_url: string;
};

const Account = z.object({ status: z.string(), type: z.string(), owner_account_sid: z.optional(z.string()) });
const Balance = z.object({ balance: z.string(), currency: z.string() });
const Numbers = z.object({
	incoming_phone_numbers: z.array(z.object({ capabilities: z.object({ voice: z.boolean() }) })),
});
const CallerIds = z.object({ outgoing_caller_ids: z.array(z.object({ phone_number: z.string() })) });
const Country = z.object({ low_risk_numbers_enabled: z.boolean() });
const Settings = z.object({ dialing_permissions_inheritance: z.boolean() });
const Profiles = z.object({ results: z.array(z.object({ status: z.string() })) });
const US_AND_CANADA: ReadonlySet<string> = new Set(['US', 'CA']);

type Ask = ReturnType<typeof resourceReader>;

function askAs(account_sid: string, auth_token: string): Ask {
	return resourceReader(`Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`);
}

/**
 * Checks credentials, account, customer profile, caller number, balance and permissions, in this order; stops at wrong
 * credentials.
 */
export async function checkTwilio(account: CheckedAccount): Promise<readonly Check[]> {
	const { account_sid, auth_token, parent_auth_token, api_url } = account;
	const ask = askAs(account_sid, auth_token);
	const own = (path: string): URL => new URL(`/2010-04-01/Accounts/${account_sid}${path}`, api_url);
	const accountAnswer = await ask(own('.json'), Account);
	if (typeof accountAnswer === 'number') {
		return [noAccount(accountAnswer, 'Set account_sid and the auth token of this very (sub-)account.')];
	}
	const balance = await ask(own('/Balance.json'), Balance);
	const { owner_account_sid: owner = account_sid } = accountAnswer;
	const askParent = parent_auth_token === undefined ? null : askAs(owner, parent_auth_token);
	const scope = { own: ask, owner: owner === account_sid ? ask : askParent };
	return [
		CREDENTIALS_ACCEPTED,
		...accountChecks(accountAnswer),
		...(await profileChecks(account, scope)),
		...(await callerChecks(account.callers, async (number) => {
			const query = new URLSearchParams({ PhoneNumber: number }).toString();
			const [ownNumbers, verifiedNumbers] = await Promise.all([
				ask(own(`/IncomingPhoneNumbers.json?${query}`), Numbers),
				ask(own(`/OutgoingCallerIds.json?${query}`), CallerIds),
			]);
			return {
				owned:
					typeof ownNumbers !== 'number' &&
					ownNumbers.incoming_phone_numbers.some(({ capabilities }) => capabilities.voice),
				verified: typeof verifiedNumbers !== 'number' && verifiedNumbers.outgoing_caller_ids.length > 0,
			};
		})),
		funds(typeof balance === 'number' ? null : balance),
		...(await permissionChecks(account, scope)),
		{
			check: 'limits',
			ok: true,
			found:
				'Twilio tells calls per second and concurrent calls in its console only: see "Going live" in docs/telephony.md',
		},
	];
}

const Calls = z.object({ calls: z.array(z.unknown()) });

/**
 * Checks the credentials of a region other than US1. Everything else of an account is US1's, which a region's token does not
 * open (https://www.twilio.com/docs/global-infrastructure/manage-regional-api-credentials), so the last line says how to check it.
 */
export async function checkTwilioRegion({
	account_sid,
	auth_token,
	api_url,
	region,
}: Pick<CheckedAccount, 'account_sid' | 'auth_token' | 'api_url'> & { readonly region: string }): Promise<
	readonly Check[]
> {
	const calls = await askAs(account_sid, auth_token)(
		new URL(`/2010-04-01/Accounts/${account_sid}/Calls.json?PageSize=1`, api_url),
		Calls,
	);
	if (typeof calls === 'number') {
		return [
			noAccount(calls, `Set account_sid and the auth token that this (sub-)account has in the region ${region}.`),
		];
	}
	const rest = `${region}: profile, number, balance and permissions are not checked here. Check again with the settings without region and TWILIO_AUTH_TOKEN set to the token of US1`;
	return [CREDENTIALS_ACCEPTED, { check: 'region', ok: true, found: rest }];
}

function accountChecks({ status, type }: z.infer<typeof Account>): readonly Check[] {
	const upgrade = 'Upgrade the account first: a trial refuses every dial of this service.';
	return [
		verdict('account', status === 'active', status, 'Reactivate it in Twilio’s console.'),
		verdict('account type', type === 'Full', type, upgrade),
	];
}

function funds(balance: z.infer<typeof Balance> | null): Check {
	if (balance === null) return { check: 'balance', ok: true, found: 'not told (a sub-account spends its parent’s)' };
	const amount = `${balance.balance} ${balance.currency}`;
	return verdict('balance', Number(balance.balance) > 0, amount, 'Add funds, and switch on automatic recharge.');
}

/** `owner`: reads as the account that owns the checked one, or as itself; null without the parent's token. */
type Scope = { readonly own: Ask; readonly owner: Ask | null };

const NAME_PARENT = 'Set TWILIO_PARENT_AUTH_TOKEN to the auth token of the parent account, and check again.';

/** Calls to +1 need an approved Primary Customer Profile (https://www.twilio.com/docs/api/errors/21216). */
async function profileChecks({ regions, trust_url }: CheckedAccount, { owner }: Scope): Promise<readonly Check[]> {
	if (!regions.some((region) => US_AND_CANADA.has(region))) return [];
	const name = 'customer profile';
	if (owner === null) return [verdict(name, false, 'the parent account has it', NAME_PARENT)];
	const profiles = await owner(new URL('/v1/CustomerProfiles?Status=twilio-approved', trust_url), Profiles);
	const isApproved =
		typeof profiles !== 'number' && profiles.results.some(({ status }) => status === 'twilio-approved');
	const otherwise = typeof profiles === 'number' ? `HTTP ${profiles}` : 'none is approved';
	const change =
		'Submit a Primary Business Profile in Trust Hub: until it is approved, Twilio refuses every call to +1 (21216).';
	return [verdict(name, isApproved, isApproved ? 'approved' : otherwise, change)];
}

/** A sub-account may inherit its parent's permissions, and then its own do not count. */
async function permissionChecks(
	{ regions, voice_url }: CheckedAccount,
	{ own, owner }: Scope,
): Promise<readonly Check[]> {
	const settings = await own(new URL('/v1/Settings', voice_url), Settings);
	const inherits = typeof settings !== 'number' && settings.dialing_permissions_inheritance && own !== owner;
	const name = 'voice geographic permissions';
	const ask = inherits ? owner : own;
	if (ask === null) return [verdict(name, false, 'inherited from the parent account', NAME_PARENT)];
	const countries = regions.map(async (region) => {
		const country = await ask(new URL(`/v1/DialingPermissions/Countries/${region}`, voice_url), Country);
		return permission(region, typeof country === 'number' ? null : country.low_risk_numbers_enabled);
	});
	const source = inherits ? 'inherited from the parent account' : 'the account’s own';
	return [{ check: name, ok: true, found: source }, ...(await Promise.all(countries))];
}

function permission(region: string, allowed: boolean | null): Check {
	const permission_text = allowed ? 'allowed' : 'not allowed';
	const permission = allowed === null ? 'not known to Twilio' : permission_text;
	const change = 'Allow its low-risk numbers in the voice geographic permissions.';
	return verdict(`calls to ${region}`, allowed === true, permission, change);
}
