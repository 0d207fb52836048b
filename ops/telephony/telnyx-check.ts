import * as z from 'zod/mini';
import { type Finding, failure, ok } from '../finding.ts';
import { type Caller, callerChecks, noAccount, type ReadResource, resourceReader, unclear } from './account-check.ts';

type CheckedAccount = {
	readonly application_sid: string;
	readonly api_key: string;
	readonly callers: readonly Caller[];
	/** Regions to call (ISO 3166-1 alpha-2). */
	readonly regions: readonly string[];
	readonly api_url: string;
};

const dataOf = <S extends z.ZodMiniType>(schema: S) => z.object({ data: schema });
const Anything = z.looseObject({});
const Application = dataOf(
	z.object({ active: z.boolean(), outbound: z.object({ outbound_voice_profile_id: z.nullish(z.string()) }) }),
);
const Profile = dataOf(z.object({ enabled: z.boolean(), whitelisted_destinations: z.array(z.string()) }));
const Numbers = dataOf(z.array(z.object({ phone_number: z.string(), status: z.string() })));

/** Asks Telnyx for credentials, caller numbers and destinations, in this order; stops if it does not show the account. */
export async function checkTelnyx(checked: CheckedAccount): Promise<readonly Finding[]> {
	const ask = resourceReader(`Bearer ${checked.api_key}`);
	const at = (path: string): URL => new URL(`/v2/${path}`, checked.api_url);
	const balance = await ask(at('balance'), Anything);
	if (typeof balance === 'number') return [noAccount(balance, 'Put the API key of this organisation into the secret.')];
	const allows = await destinations(checked.application_sid, ask, at);
	return [
		ok('credentials', 'accepted'),
		...(await callerChecks(checked.callers, (number) => isUsable(number, ask, at))),
		...checked.regions.map((region) => allows(`calls to ${region}`, region)),
	];
}

async function isUsable(number: string, ask: ReadResource, at: (path: string) => URL): Promise<boolean | null> {
	// The filter takes digits only.
	const query = new URLSearchParams({ 'filter[phone_number]': number.replace(/\D/g, '') }).toString();
	const [owned, verified] = await Promise.all([
		ask(at(`phone_numbers?${query}`), Numbers),
		ask(at(`verified_numbers/${encodeURIComponent(number)}`), Anything),
	]);
	if (typeof verified !== 'number') return true;
	if (typeof owned === 'number') return null;
	if (owned.data.some(({ phone_number, status }) => phone_number === number && status === 'active')) return true;
	return verified === 404 ? false : null;
}

/** Whether a region may be called: the application's outbound voice profile lists those that may. */
async function destinations(
	application_sid: string,
	ask: ReadResource,
	at: (path: string) => URL,
): Promise<(check: string, region: string) => Finding> {
	const no = (found: string) => (check: string) => failure(check, found);
	const application = await ask(at(`texml_applications/${encodeURIComponent(application_sid)}`), Application);
	if (application === 404)
		return no('unknown application. Set application_sid to a TeXML application of this account.');
	if (typeof application === 'number') return (check) => unclear(check, application);
	const { active, outbound } = application.data;
	if (!active) return no('the TeXML application is off. Switch it on in the portal.');
	const id = outbound.outbound_voice_profile_id;
	if (!id) return no('the TeXML application has no outbound voice profile. Give it one: without, no dial is accepted.');
	const profile = await ask(at(`outbound_voice_profiles/${encodeURIComponent(id)}`), Profile);
	if (typeof profile === 'number') return (check) => unclear(check, profile);
	if (!profile.data.enabled) return no('the outbound voice profile is disabled. Enable it in the portal.');
	const change = 'Add it to the allowed destinations of the outbound voice profile.';
	return (check, region) =>
		profile.data.whitelisted_destinations.includes(region)
			? ok(check, 'allowed')
			: failure(check, `not allowed. ${change}`);
}
