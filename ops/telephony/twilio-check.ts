import * as z from 'zod/mini';
import { type Finding, failure, ok, warning } from '../finding.ts';
import { type Caller, callerChecks, noAccount, type ReadResource, resourceReader, unclear } from './account-check.ts';

export const TWILIO_VOICE_URL = 'https://voice.twilio.com';

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
};

const Account = z.object({ status: z.string(), type: z.string(), owner_account_sid: z.optional(z.string()) });
const Numbers = z.object({
	incoming_phone_numbers: z.array(z.object({ capabilities: z.object({ voice: z.boolean() }) })),
});
const CallerIds = z.object({ outgoing_caller_ids: z.array(z.looseObject({})) });
const Country = z.object({ low_risk_numbers_enabled: z.boolean() });
const Settings = z.object({ dialing_permissions_inheritance: z.boolean() });

const askAs = (account_sid: string, auth_token: string): ReadResource =>
	resourceReader(`Basic ${Buffer.from(`${account_sid}:${auth_token}`).toString('base64')}`);

/** Asks Twilio for credentials, caller numbers and permissions, in this order; stops if it does not show the account. */
export async function checkTwilio(checked: CheckedAccount): Promise<readonly Finding[]> {
	const { account_sid, callers, regions, voice_url } = checked;
	const ask = askAs(account_sid, checked.auth_token);
	const own = (path: string): URL => new URL(`/2010-04-01/Accounts/${account_sid}${path}`, checked.api_url);
	const account = await ask(own('.json'), Account);
	if (typeof account === 'number') {
		return [noAccount(account, 'Set account_sid and the auth token of this very (sub-)account.')];
	}
	const owner = account.owner_account_sid ?? account_sid;
	const parent = owner === account_sid ? null : owner;
	const permissions = parent === null ? ask : await permissionsOfSubAccount(checked, parent, ask);
	return [
		credentials(account),
		...(await callerChecks(callers, (number) => isUsable(number, parent !== null, ask, own))),
		...(await Promise.all(regions.map((region) => regionCheck(region, permissions, voice_url)))),
	];
}

const Calls = z.object({ calls: z.array(z.unknown()) });

/**
 * Asks a region other than US1 for the credentials. Numbers and permissions are US1's, which a region's token does not open
 * (https://www.twilio.com/docs/global-infrastructure/manage-regional-api-credentials).
 */
export async function checkTwilioRegion({
	account_sid,
	auth_token,
	api_url,
	region,
}: Pick<CheckedAccount, 'account_sid' | 'auth_token' | 'api_url'> & { readonly region: string }): Promise<
	readonly Finding[]
> {
	const list = new URL(`/2010-04-01/Accounts/${account_sid}/Calls.json?PageSize=1`, api_url);
	const calls = await askAs(account_sid, auth_token)(list, Calls);
	if (typeof calls === 'number') {
		return [
			noAccount(calls, `Set account_sid and the auth token that this (sub-)account has in the region ${region}.`),
		];
	}
	const how = 'Check again with the settings without region and TWILIO_AUTH_TOKEN set to the token of US1.';
	return [
		ok('credentials', 'accepted'),
		warning('caller numbers and permissions', `not seen: they are US1’s, not those of ${region}. ${how}`),
	];
}

function credentials({ status, type }: z.infer<typeof Account>): Finding {
	const check = 'credentials';
	if (status !== 'active') return failure(check, `the account is ${status}. Reactivate it in Twilio’s console.`);
	if (type === 'Full') return ok(check, 'accepted');
	return warning(check, `accepted, of an account of type ${type}. A trial refuses our dials: upgrade it.`);
}

/** A sub-account may perhaps use what its parent has verified: not clear. */
async function isUsable(
	number: string,
	isSubAccount: boolean,
	ask: ReadResource,
	own: (path: string) => URL,
): Promise<boolean | null> {
	const query = new URLSearchParams({ PhoneNumber: number }).toString();
	const [owned, verified] = await Promise.all([
		ask(own(`/IncomingPhoneNumbers.json?${query}`), Numbers),
		ask(own(`/OutgoingCallerIds.json?${query}`), CallerIds),
	]);
	if (typeof owned !== 'number' && owned.incoming_phone_numbers.some(({ capabilities }) => capabilities.voice)) {
		return true;
	}
	if (typeof verified !== 'number' && verified.outgoing_caller_ids.length > 0) return true;
	return typeof owned === 'number' || typeof verified === 'number' || isSubAccount ? null : false;
}

/** Reads the permissions that count: a sub-account's own, or those that it inherits. Null: they cannot be seen. */
async function permissionsOfSubAccount(
	{ parent_auth_token, voice_url }: CheckedAccount,
	parent: string,
	ask: ReadResource,
): Promise<ReadResource | null> {
	const settings = await ask(new URL('/v1/Settings', voice_url), Settings);
	if (typeof settings === 'number') return null;
	if (!settings.dialing_permissions_inheritance) return ask;
	return parent_auth_token === undefined ? null : askAs(parent, parent_auth_token);
}

async function regionCheck(region: string, ask: ReadResource | null, voice_url: string): Promise<Finding> {
	const check = `calls to ${region}`;
	if (ask === null) {
		const how = 'Set TWILIO_PARENT_AUTH_TOKEN to the parent account’s auth token to have them checked.';
		return warning(check, `not seen: the parent account’s permissions count. ${how}`);
	}
	const country = await ask(new URL(`/v1/DialingPermissions/Countries/${region}`, voice_url), Country);
	if (typeof country === 'number') return unclear(check, country);
	if (country.low_risk_numbers_enabled) return ok(check, 'allowed');
	return failure(check, 'not allowed. Allow its low-risk numbers in the voice geographic permissions.');
}
