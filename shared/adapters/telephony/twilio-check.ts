import * as z from 'zod/mini';
import { callHttp, parseJson } from './provider-http.ts';

// Whether an account of Twilio will let a call through, asked of Twilio itself before the first visitor does.

const TIMEOUT_MS = 8000;
export const TWILIO_VOICE_URL = 'https://voice.twilio.com';

/** One question and its answer; `change`: what the operator has to do. */
type Check = { readonly check: string; readonly ok: boolean; readonly found: string; readonly change?: string };

type CheckedAccount = {
	readonly account_sid: string;
	readonly auth_token: string;
	readonly from: string;
	/** Regions that are to be called (ISO 3166-1 alpha-2). */
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

/** Asks about credentials, account, caller number, balance and permissions, in this order; ends at wrong credentials. */
export async function checkTwilio(account: CheckedAccount): Promise<readonly Check[]> {
	const { account_sid, auth_token, api_url, voice_url } = account;
	const credentials = Buffer.from(`${account_sid}:${auth_token}`).toString('base64');
	const ask = async <S extends z.ZodMiniType>(url: URL, schema: S): Promise<z.infer<S> | number> => {
		const headers = { authorization: `Basic ${credentials}` };
		const answer = await callHttp({ method: 'GET', url, headers, body: null, timeout_ms: TIMEOUT_MS });
		if (answer.answer !== 'response') return 0;
		const parsed = schema.safeParse(parseJson(answer.body));
		return answer.status === 200 && parsed.success ? parsed.data : answer.status;
	};
	const own = (path: string): URL => new URL(`/2010-04-01/Accounts/${account_sid}${path}`, api_url);
	const known = await ask(own('.json'), Account);
	if (typeof known === 'number') return [noAccount(known)];
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
		{ check: 'credentials', ok: true, found: 'accepted' },
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

function noAccount(status: number): Check {
	const refused = status === 401 || status === 403 || status === 404;
	const found = status === 0 ? 'no answer' : `HTTP ${status}`;
	const change = refused ? 'Set account_sid and the auth token of this very (sub-)account.' : 'Ask again later.';
	return { check: 'credentials', ok: false, found, change };
}

function accountChecks({ status, type }: z.infer<typeof Account>): readonly Check[] {
	const active = status === 'active';
	const full = type === 'Full';
	return [
		{ check: 'account', ok: active, found: status, ...(!active && { change: 'Reactivate it in Twilio’s console.' }) },
		{
			check: 'account type',
			ok: full,
			found: type,
			...(!full && { change: 'Upgrade the account first: a trial refuses every dial of this service.' }),
		},
	];
}

function caller(bought: boolean, verified: boolean): Check {
	if (bought || verified) return { check: 'caller number', ok: true, found: bought ? 'the account’s own' : 'verified' };
	const change = 'Buy a number that can make voice calls, or verify yours, and set it as `from`.';
	return { check: 'caller number', ok: false, found: 'neither the account’s nor verified', change };
}

function funds(balance: z.infer<typeof Balance> | null): Check {
	if (balance === null) return { check: 'balance', ok: true, found: 'not told (a sub-account spends its parent’s)' };
	const ok = Number(balance.balance) > 0;
	const found = `${balance.balance} ${balance.currency}`;
	return { check: 'balance', ok, found, ...(!ok && { change: 'Add funds, and switch on automatic recharge.' }) };
}

function permission(region: string, allowed: boolean | null): Check {
	const check = `calls to ${region}`;
	if (allowed === true) return { check, ok: true, found: 'allowed' };
	const found = allowed === null ? 'not known to Twilio' : 'not allowed';
	return { check, ok: false, found, change: 'Allow its low-risk numbers in the voice geographic permissions.' };
}
