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

type CheckedAccount = {
	readonly account_sid: string;
	readonly application_sid: string;
	readonly api_key: string;
	readonly callers: readonly Caller[];
	/** Regions to call (ISO 3166-1 alpha-2). */
	readonly regions: readonly string[];
	readonly api_url: string;
};

const dataOf = <S extends z.ZodMiniType>(schema: S) => z.object({ data: schema });
const Balance = dataOf(z.object({ available_credit: z.string(), currency: z.string() }));
const Application = dataOf(
	z.object({
		active: z.boolean(),
		outbound: z.object({
			channel_limit: z.nullish(z.number()),
			outbound_voice_profile_id: z.nullish(z.string()),
		}),
	}),
);
const Profile = dataOf(
	z.object({
		enabled: z.boolean(),
		whitelisted_destinations: z.array(z.string()),
		concurrent_call_limit: z.nullish(z.number()),
	}),
);
const OwnNumber = z.object({ phone_number: z.string(), status: z.string() });
const Numbers = dataOf(z.array(OwnNumber));
const Verified = dataOf(z.object({ phone_number: z.string() }));
const Anything = z.looseObject({});

/** A call has two legs: one member of the team, and the visitor. */
const LEGS = 2;
const ACCOUNT_LIMIT =
	'no limit here; the account’s own is in the portal (2 when new, 10 after the second verification)';

/**
 * Checks with Telnyx the credentials, balance, organisation, caller number, application, outbound voice profile,
 * destinations and channels, in this order; ends at wrong credentials.
 */
export async function checkTelnyx(account: CheckedAccount): Promise<readonly Check[]> {
	const { account_sid, application_sid, api_key, api_url } = account;
	const readResource = resourceReader(`Bearer ${api_key}`);
	const at = (path: string): URL => new URL(`/v2/${path}`, api_url);
	const balance = await readResource(at('balance'), Balance);
	if (typeof balance === 'number') return [noAccount(balance, 'Put the API key of this organisation into the secret.')];
	const [organisation, application] = await Promise.all([
		readResource(at(`texml/Accounts/${encodeURIComponent(account_sid)}/Calls?PageSize=1`), Anything),
		readResource(at(`texml_applications/${encodeURIComponent(application_sid)}`), Application),
	]);
	const { available_credit, currency } = balance.data;
	return [
		CREDENTIALS_ACCEPTED,
		verdict('balance', Number(available_credit) > 0, `${available_credit} ${currency}`, 'Add funds.'),
		knownCheck('organisation', organisation, 'Set account_sid to the id of the organisation of this API key.'),
		...(await callerChecks(account.callers, async (number) => {
			// The filter takes digits only.
			const numberQuery = new URLSearchParams({ 'filter[phone_number]': number.replace(/\D/g, '') }).toString();
			const [ownNumbers, verifiedNumbers] = await Promise.all([
				readResource(at(`phone_numbers?${numberQuery}`), Numbers),
				readResource(at(`verified_numbers/${encodeURIComponent(number)}`), Verified),
			]);
			const isOwn = ({ phone_number, status }: z.infer<typeof OwnNumber>): boolean =>
				phone_number === number && status === 'active';
			return {
				owned: typeof ownNumbers !== 'number' && ownNumbers.data.some(isOwn),
				verified: typeof verifiedNumbers !== 'number',
			};
		})),
		knownCheck(
			'TeXML application',
			application,
			'Set application_sid to the id of a TeXML application of this account.',
		),
		...(typeof application === 'number' ? [] : await outbound(application.data, account.regions, readResource, at)),
	];
}

const knownCheck = (check: string, found: object | number, change: string): Check =>
	verdict(check, typeof found !== 'number', typeof found === 'number' ? `HTTP ${found}` : 'known', change);

/** Checks what the application and its outbound voice profile allow. */
async function outbound(
	{ active, outbound }: z.infer<typeof Application>['data'],
	regions: readonly string[],
	readResource: ReturnType<typeof resourceReader>,
	at: (path: string) => URL,
): Promise<readonly Check[]> {
	const switchOn = 'Switch the TeXML application on in the portal.';
	const application = verdict('application', active, active ? 'active' : 'not active', switchOn);
	const { outbound_voice_profile_id: id, channel_limit } = outbound;
	const profile = id ? await readResource(at(`outbound_voice_profiles/${encodeURIComponent(id)}`), Profile) : 404;
	if (typeof profile === 'number') {
		const change = 'Give the TeXML application an outbound voice profile: without one every dial is refused.';
		return [application, verdict('outbound voice profile', false, id ? `HTTP ${profile}` : 'none', change)];
	}
	const { enabled, whitelisted_destinations, concurrent_call_limit } = profile.data;
	const limits = [channel_limit, concurrent_call_limit].flatMap((limit) => limit ?? []);
	const limit = limits.length === 0 ? ACCOUNT_LIMIT : `${Math.min(...limits)}`;
	return [
		application,
		verdict('outbound voice profile', enabled, enabled ? 'enabled' : 'disabled', 'Enable it in the portal.'),
		...regions.map((region) => {
			const isAllowed = whitelisted_destinations.includes(region);
			const change = 'Add it to the allowed destinations of the outbound voice profile.';
			return verdict(`calls to ${region}`, isAllowed, isAllowed ? 'allowed' : 'not allowed', change);
		}),
		verdict(
			'channels',
			Math.min(...limits, Infinity) >= LEGS,
			limit,
			`Raise the limit: a call takes ${LEGS} channels.`,
		),
	];
}
