import * as z from 'zod/mini';
import { type Check, CREDENTIALS_ACCEPTED, caller, noAccount, resourceReader, verdict } from './account-check.ts';

export const TWILIO_VOICE_URL = 'https://voice.twilio.com';

type CheckedAccount = {
	readonly account_sid: string;
	readonly auth_token: string;
	readonly from: string;
	/** Regions to call (ISO 3166-1 alpha-2). */
	readonly regions: readonly string[];
	readonly api_url: string;
	readonly voice_url: string;
};

const Account = z.object({ status: z.string(), type: z.string() });
const Balance = z.object({ balance: z.string(), currency: z.string() });
const Numbers = z.object({
	incoming_phone_numbers: z.array(z.object({ capabilities: z.object({ voice: z.boolean() }) })),
});
const CallerIds = z.object({ outgoing_caller_ids: z.array(z.object({ phone_number: z.string() })) });
const Country = z.object({ low_risk_numbers_enabled: z.boolean() });

/** Checks credentials, account, caller number, balance and permissions, in this order; stops at wrong credentials. */
export async function checkTwilio(account: CheckedAccount): Promise<readonly Check[]> {
	const { account_sid, auth_token, api_url, voice_url } = account;
	const credentials = Buffer.from(`${account_sid}:${auth_token}`).toString('base64');
	const ask = resourceReader(`Basic ${credentials}`);
	const own = (path: string): URL => new URL(`/2010-04-01/Accounts/${account_sid}${path}`, api_url);
	const known = await ask(own('.json'), Account);
	if (typeof known === 'number') {
		return [noAccount(known, 'Set account_sid and the auth token of this very (sub-)account.')];
	}
	const number = new URLSearchParams({ PhoneNumber: account.from }).toString();
	const [bought, verified, balance] = await Promise.all([
		ask(own(`/IncomingPhoneNumbers.json?${number}`), Numbers),
		ask(own(`/OutgoingCallerIds.json?${number}`), CallerIds),
		ask(own('/Balance.json'), Balance),
	]);
	const countries = account.regions.map(async (region) => {
		const country = await ask(new URL(`/v1/DialingPermissions/Countries/${region}`, voice_url), Country);
		return permission(region, typeof country === 'number' ? null : country.low_risk_numbers_enabled);
	});
	return [
		CREDENTIALS_ACCEPTED,
		...accountChecks(known),
		caller(
			typeof bought !== 'number' && bought.incoming_phone_numbers.some(({ capabilities }) => capabilities.voice),
			typeof verified !== 'number' && verified.outgoing_caller_ids.length > 0,
		),
		funds(typeof balance === 'number' ? null : balance),
		...(await Promise.all(countries)),
		{
			check: 'limits',
			ok: true,
			found:
				'Twilio tells calls per second and concurrent calls in its console only: see "Going live" in docs/telephony.md',
		},
	];
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
	const found = `${balance.balance} ${balance.currency}`;
	return verdict('balance', Number(balance.balance) > 0, found, 'Add funds, and switch on automatic recharge.');
}

function permission(region: string, allowed: boolean | null): Check {
	const known = allowed ? 'allowed' : 'not allowed';
	const found = allowed === null ? 'not known to Twilio' : known;
	const change = 'Allow its low-risk numbers in the voice geographic permissions.';
	return verdict(`calls to ${region}`, allowed === true, found, change);
}
