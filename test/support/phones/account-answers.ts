import type { Answering, Asked } from './phone-provider.ts';

// Providers' responses to requests about the account itself.

export type Account = 'twilio trial' | 'twilio new' | 'twilio full' | 'twilio sub' | 'telnyx new';

/**
 * How many calls an account can carry at the same time: a few at Twilio without a business profile, two at Telnyx's first level.
 */
export const CHANNELS: Readonly<Record<Account, number>> = {
	'twilio trial': 1,
	'twilio new': 2,
	'twilio full': 1000,
	'twilio sub': 1000,
	'telnyx new': 2,
};
export const TOKEN = 'the token of the account';
export const FROM = '+12125550100';
export const ACCOUNT_SID = `AC${'0'.repeat(32)}`;
/** The account that owns the sub-account. */
const PARENT_SID = `AC${'1'.repeat(32)}`;

const ok = (body: object): Answering => ({ status: 200, body });
const data = (value: unknown): Answering => ok({ data: value });

/**
 * The account may call the US and no other country. A sub-account inherits the permissions of its parent, and its own permissions
 * have no effect (https://www.twilio.com/docs/voice/api/dialing-permissions-resources).
 */
const twilioResources = (account: Account): Readonly<Record<string, Answering>> => ({
	[`/2010-04-01/Accounts/${ACCOUNT_SID}.json`]: ok({
		status: 'active',
		type: account === 'twilio trial' ? 'Trial' : 'Full',
		owner_account_sid: account === 'twilio sub' ? PARENT_SID : ACCOUNT_SID,
	}),
	[`/2010-04-01/Accounts/${ACCOUNT_SID}/IncomingPhoneNumbers.json`]: ok({
		incoming_phone_numbers: [{ capabilities: { voice: true } }],
	}),
	[`/2010-04-01/Accounts/${ACCOUNT_SID}/OutgoingCallerIds.json`]: ok({ outgoing_caller_ids: [] }),
	'/v1/DialingPermissions/Countries/US': ok({ low_risk_numbers_enabled: account !== 'twilio sub' }),
	'/v1/DialingPermissions/Countries/DE': ok({ low_risk_numbers_enabled: false }),
});

const telnyxResources: Readonly<Record<string, Answering>> = {
	'/v2/balance': data({ balance: '10.00', available_credit: '10.00', currency: 'USD' }),
	'/v2/phone_numbers': data([{ phone_number: FROM, status: 'active' }]),
	'/v2/texml_applications/app': data({ active: true, outbound: { outbound_voice_profile_id: '1293384261075731499' } }),
	'/v2/outbound_voice_profiles/1293384261075731499': data({ enabled: true, whitelisted_destinations: ['US'] }),
};

const basic = (sid: string, token: string): string => `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`;

/**
 * The response to a request about the account, which is 401 if the credentials are wrong. Null for every other request. `changes`
 * replaces responses by path.
 */
export function answerAboutAccount(
	account: Account,
	{ method, path, headers }: Asked,
	changes: Readonly<Record<string, Answering>> = {},
): Answering | null {
	const isTelnyx = account === 'telnyx new';
	const twilio = twilioResources(account);
	const { pathname, searchParams } = new URL(path, 'http://provider.example');
	const other = (searchParams.get('PhoneNumber') ?? FROM) !== FROM && pathname.endsWith('/IncomingPhoneNumbers.json');
	const known = { ...(isTelnyx ? telnyxResources : twilio), ...changes }[pathname];
	const found = other ? ok({ incoming_phone_numbers: [] }) : known;
	if (method !== 'GET' || found === undefined) return null;
	const expected = isTelnyx ? `Bearer ${TOKEN}` : basic(ACCOUNT_SID, TOKEN);
	return headers['authorization'] === expected ? found : { status: 401, body: { code: 20003 } };
}
