import * as z from 'zod/mini';
import { parseSecretJson, readSchema, TelnyxSecret, TwilioSecret } from '../shared/adapters/telephony/provider.ts';
import { callHttp, parseJson } from '../shared/adapters/telephony/provider-http.ts';
import { TelnyxSettings, telnyxApiUrl } from '../shared/adapters/telephony/telnyx/telnyx.ts';
import { TwilioSettings, twilioApiUrl } from '../shared/adapters/telephony/twilio/twilio.ts';
import type { OpsDeps } from './connect.ts';
import { type Finding, failure, ok, warning } from './finding.ts';
import { OperatorError } from './operator-error.ts';
import { callsItself, deployedCaller } from './own-caller.ts';

// Asks three questions about the account at a phone provider, before the first visitor requests a call: do the credentials
// work, may the caller numbers be shown, and may the regions be called? The check fails only if an answer is clearly no.

/**
 * A number that phones show as the caller. `workspace` is the name of the workspace that has the number. Null if the number
 * is the deployment's own.
 */
type Caller = { readonly number: string; readonly workspace: string | null };

/** A region (ISO 3166-1 alpha-2), and the names of the workspaces that call this region. */
type CalledRegion = { readonly region: string; readonly workspaces: readonly string[] };

/** The regions that are called, and the caller numbers that are shown. */
type Needs = { readonly regions: readonly CalledRegion[]; readonly callers: readonly Caller[] };

type CheckInput = {
	/** Null to use the deployment's provider. */
	readonly provider: string | null;
	/** The settings as JSON, in the form of the output `CallBackTelephonySettings`. Null to use the deployment's settings. */
	readonly settings: string | null;
	/** Regions to check in addition to the regions of the workspaces. */
	readonly regions: readonly string[];
};

/** Asks the provider whether calls will work. If a check fails, throws an `OperatorError` with all findings. */
export async function checkTelephony(
	input: CheckInput,
	{ telephony, workspaces, store, macs }: OpsDeps,
): Promise<readonly Finding[]> {
	const settings = input.settings ?? telephony.settings;
	const needs = await needsOf(input.regions, workspaces());
	const findings = [
		...(await accountFindings(input.provider ?? telephony.provider, parseJson(settings), needs, telephony.readSecret)),
		await ownCallers(deployedCaller(settings), workspaces(), { store, macs }),
	];
	if (findings.every(({ result }) => result !== 'failed')) return findings;
	throw new OperatorError(JSON.stringify(findings, null, 2));
}

/**
 * The regions and the caller numbers of all workspaces. If a workspace has a team, its own region is included, because numbers of
 * the team may belong to that region.
 */
async function needsOf(asked: readonly string[], pages: ReturnType<OpsDeps['workspaces']>): Promise<Needs> {
	const callers: Caller[] = [];
	const byRegion = new Map<string, string[]>(asked.map((region) => [region, []]));
	for await (const page of pages) {
		for (const { name: workspace, caller_number: number, region, allowed_regions, team } of page.workspaces) {
			if (number) callers.push({ number, workspace });
			const called = new Set([...allowed_regions, ...(team.length > 0 ? [region] : [])]);
			for (const each of called) byRegion.set(each, [...(byRegion.get(each) ?? []), workspace]);
		}
	}
	return { callers, regions: [...byRegion].map(([region, workspaces]) => ({ region, workspaces })) };
}

/** Names the workspaces whose calls show a number of their own team. */
async function ownCallers(
	deployed: string | null,
	pages: ReturnType<OpsDeps['workspaces']>,
	deps: Pick<OpsDeps, 'store' | 'macs'>,
): Promise<Finding> {
	const names: string[] = [];
	for await (const { workspaces } of pages)
		for (const workspace of workspaces) if (await callsItself(workspace, deployed, deps)) names.push(workspace.name);
	const check = 'caller numbers and teams';
	if (names.length === 0) return ok(check, 'no member is called by their own number');
	return warning(
		check,
		`a member’s phone would be called by its own number: use another one. Workspaces: ${someOf(names)}.`,
	);
}

/**
 * What was found out about an account. Throws an `OperatorError` if the provider, the settings or the secret cannot be used.
 */
export async function accountFindings(
	provider: string,
	settings: unknown,
	{ regions, callers }: Needs,
	readSecret: () => Promise<string>,
): Promise<readonly Finding[]> {
	const { from, account } = await accountOf(provider, settings, readSecret);
	const credentials = await account.credentials();
	if (credentials.isReadable === false) return [credentials.finding];
	const findings = [credentials.finding];
	// Ask about one number at a time, because a deployment may have many.
	for (const caller of [{ number: from, workspace: null }, ...callers]) {
		findings.push(callerFinding(caller, await account.mayShow(caller.number)));
	}
	for (const { region, workspaces } of regions)
		findings.push(withWorkspaces(await account.mayCall(region), workspaces));
	return findings;
}

const MOST_NAMES = 5;

/** If a finding about a region is not `ok`, adds the names of the workspaces that call this region. */
function withWorkspaces(finding: Finding, workspaces: readonly string[]): Finding {
	if (finding.result === 'ok' || workspaces.length === 0) return finding;
	return { ...finding, found: `${finding.found} Workspaces that call it: ${someOf(workspaces)}.` };
}

function someOf(names: readonly string[]): string {
	const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
	return `${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}

/**
 * The three questions about an account. `isReadable` is false if the account cannot be read, so that the other questions
 * cannot be answered either.
 */
type ProviderAccount = {
	readonly credentials: () => Promise<{ readonly finding: Finding; readonly isReadable: boolean }>;
	/** Whether phones may show the number. Null if the provider's response does not say this. */
	readonly mayShow: (number: string) => Promise<boolean | null>;
	readonly mayCall: (region: string) => Promise<Finding>;
};

async function accountOf(
	provider: string,
	settings: unknown,
	readSecret: () => Promise<string>,
): Promise<{ readonly from: string; readonly account: ProviderAccount }> {
	const { TELEPHONY_API_URL, TWILIO_AUTH_TOKEN, TELNYX_API_KEY } = process.env;
	switch (provider) {
		case 'twilio': {
			const twilio = parseSetting('settings', TwilioSettings, settings);
			const token = TWILIO_AUTH_TOKEN ?? parseSetting('secret', TwilioSecret, await secretOf(readSecret)).auth_token;
			const urls = {
				api: TELEPHONY_API_URL ?? twilioApiUrl(twilio),
				voice: TELEPHONY_API_URL ?? 'https://voice.twilio.com',
			};
			return { from: twilio.from, account: twilioAccount(twilio, token, urls) };
		}
		case 'telnyx': {
			const telnyx = parseSetting('settings', TelnyxSettings, settings);
			const key = TELNYX_API_KEY ?? parseSetting('secret', TelnyxSecret, await secretOf(readSecret)).api_key;
			const url = TELEPHONY_API_URL ?? telnyxApiUrl(telnyx);
			return { from: telnyx.from, account: telnyxAccount(telnyx.application_sid, key, url) };
		}
		default:
			throw new OperatorError(
				`the provider is ${provider}: name twilio or telnyx with --provider, and its settings with --settings`,
			);
	}
}

async function secretOf(readSecret: () => Promise<string>): Promise<unknown> {
	try {
		return parseSecretJson(await readSecret());
	} catch (error) {
		const why = error instanceof Error ? error.message : 'no answer';
		throw new OperatorError(
			`the provider's secret cannot be read (${why}): set TWILIO_AUTH_TOKEN or TELNYX_API_KEY to check without it`,
		);
	}
}

function parseSetting<S extends z.ZodMiniType>(name: string, schema: S, value: unknown): z.infer<S> {
	try {
		return readSchema(name, schema, value);
	} catch (error) {
		throw new OperatorError(error instanceof Error ? error.message : name);
	}
}

const TIMEOUT_MS = 8000;

/**
 * Returns a function that reads one resource of a provider's REST API. The function returns the content. If the response has no
 * content of the schema's form, the function returns the HTTP status of the response, or 0 if there was no response.
 */
function resourceReader(authorization: string) {
	return async <S extends z.ZodMiniType>(url: URL, schema: S): Promise<z.infer<S> | number> => {
		const headers = { authorization };
		const result = await callHttp({ method: 'GET', url, headers, body: null, timeout_ms: TIMEOUT_MS });
		if (result.outcome !== 'response') return 0;
		const outcome = schema.safeParse(parseJson(result.body));
		return result.status === 200 && outcome.success ? outcome.data : result.status;
	};
}

/** The finding if the provider's response does not answer the question. */
function unclear(check: string, status: number): Finding {
	const response = status === 0 ? 'no answer' : `HTTP ${status}`;
	return warning(check, `not clear (${response}). Check it in the provider’s console.`);
}

/** The finding if the account itself cannot be read. `change` says which credentials to correct. */
function unreadable(status: number, change: string): { readonly finding: Finding; readonly isReadable: false } {
	const refused = failure('credentials', `not accepted. ${change}`);
	return { finding: status === 401 ? refused : unclear('credentials', status), isReadable: false };
}

function callerFinding({ workspace }: Caller, mayShow: boolean | null): Finding {
	const check = workspace === null ? 'caller number' : `caller number of ${workspace}`;
	const where = workspace === null ? 'as `from`' : 'with `workspace set --caller-number`';
	if (mayShow === null) return warning(check, 'not clear whether the account may use it. Try a call.');
	if (mayShow) return ok(check, 'owned or verified');
	return failure(
		check,
		`neither owned nor verified. Buy a number that can make voice calls, or verify yours, and set it ${where}.`,
	);
}

const TwilioAccount = z.object({ status: z.string(), type: z.string(), owner_account_sid: z.optional(z.string()) });
const TwilioNumbers = z.object({
	incoming_phone_numbers: z.array(z.object({ capabilities: z.object({ voice: z.boolean() }) })),
});
const TwilioCallerIds = z.object({ outgoing_caller_ids: z.array(z.looseObject({})) });
const TwilioCalls = z.object({ calls: z.array(z.unknown()) });
const TwilioCountry = z.object({ low_risk_numbers_enabled: z.boolean() });

/**
 * A Twilio account. A sub-account may inherit permissions and verified numbers from its parent, but the token of the
 * sub-account cannot read the parent's permissions and numbers. A token of a region other than US1 can read neither
 * permissions nor verified numbers (https://www.twilio.com/docs/global-infrastructure/manage-regional-api-credentials). In
 * both cases, the findings are warnings.
 */
function twilioAccount(
	{ account_sid, region = 'us1' }: z.infer<typeof TwilioSettings>,
	authToken: string,
	urls: { readonly api: string; readonly voice: string },
): ProviderAccount {
	const ask = resourceReader(`Basic ${Buffer.from(`${account_sid}:${authToken}`).toString('base64')}`);
	const own = (path: string): URL => new URL(`/2010-04-01/Accounts/${account_sid}${path}`, urls.api);
	const isElsewhere = region !== 'us1';
	let isSubAccount = false;
	return {
		async credentials() {
			if (isElsewhere) {
				const calls = await ask(own('/Calls.json?PageSize=1'), TwilioCalls);
				const change = `Set account_sid and the auth token that this (sub-)account has in the region ${region}.`;
				if (typeof calls === 'number') return unreadable(calls, change);
				return { finding: ok('credentials', 'accepted'), isReadable: true };
			}
			const account = await ask(own('.json'), TwilioAccount);
			const change = 'Set account_sid and the auth token of this very (sub-)account.';
			if (typeof account === 'number') return unreadable(account, change);
			isSubAccount = (account.owner_account_sid ?? account_sid) !== account_sid;
			return { finding: twilioCredentials(account), isReadable: true };
		},
		async mayShow(number) {
			if (isElsewhere) return null;
			const query = new URLSearchParams({ PhoneNumber: number }).toString();
			const [owned, verified] = await Promise.all([
				ask(own(`/IncomingPhoneNumbers.json?${query}`), TwilioNumbers),
				ask(own(`/OutgoingCallerIds.json?${query}`), TwilioCallerIds),
			]);
			if (typeof owned !== 'number' && owned.incoming_phone_numbers.some(({ capabilities }) => capabilities.voice)) {
				return true;
			}
			if (typeof verified !== 'number' && verified.outgoing_caller_ids.length > 0) return true;
			return typeof owned === 'number' || typeof verified === 'number' || isSubAccount ? null : false;
		},
		async mayCall(area) {
			const check = `calls to ${area}`;
			const where = isElsewhere ? 'region US1' : 'parent account';
			if (isElsewhere || isSubAccount) {
				return warning(check, `not seen: the permissions of the ${where} apply. Check them in Twilio’s console.`);
			}
			const country = await ask(new URL(`/v1/DialingPermissions/Countries/${area}`, urls.voice), TwilioCountry);
			if (typeof country === 'number') return unclear(check, country);
			if (country.low_risk_numbers_enabled) return ok(check, 'allowed');
			return failure(check, 'not allowed. Allow its low-risk numbers in the voice geographic permissions.');
		},
	};
}

function twilioCredentials({ status, type }: z.infer<typeof TwilioAccount>): Finding {
	const check = 'credentials';
	if (status !== 'active') return failure(check, `the account is ${status}. Reactivate it in Twilio’s console.`);
	if (type === 'Full') return ok(check, 'accepted');
	return warning(check, `accepted, of an account of type ${type}. A trial refuses our dials: upgrade it.`);
}

const telnyxData = <S extends z.ZodMiniType>(schema: S) => z.object({ data: schema });
const TelnyxApplication = telnyxData(
	z.object({ active: z.boolean(), outbound: z.object({ outbound_voice_profile_id: z.nullish(z.string()) }) }),
);
const TelnyxProfile = telnyxData(z.object({ enabled: z.boolean(), whitelisted_destinations: z.array(z.string()) }));
const TelnyxNumbers = telnyxData(z.array(z.object({ phone_number: z.string(), status: z.string() })));
const Anything = z.looseObject({});

function telnyxAccount(applicationSid: string, apiKey: string, apiUrl: string): ProviderAccount {
	const ask = resourceReader(`Bearer ${apiKey}`);
	const at = (path: string): URL => new URL(`/v2/${path}`, apiUrl);

	/**
	 * The regions that the application's outbound voice profile allows. If no region can be called, or if the regions
	 * cannot be read, returns a function that makes the finding for this case.
	 */
	async function allowedRegions(): Promise<readonly string[] | ((check: string) => Finding)> {
		const no = (found: string) => (check: string) => failure(check, found);
		const application = await ask(at(`texml_applications/${encodeURIComponent(applicationSid)}`), TelnyxApplication);
		if (application === 404) {
			return no('unknown application. Set application_sid to a TeXML application of this account.');
		}
		if (typeof application === 'number') return (check) => unclear(check, application);
		const { active, outbound } = application.data;
		if (!active) return no('the TeXML application is off. Switch it on in the portal.');
		const id = outbound.outbound_voice_profile_id;
		if (!id)
			return no('the TeXML application has no outbound voice profile. Give it one: without it, no dial is accepted.');
		const profile = await ask(at(`outbound_voice_profiles/${encodeURIComponent(id)}`), TelnyxProfile);
		if (typeof profile === 'number') return (check) => unclear(check, profile);
		if (!profile.data.enabled) return no('the outbound voice profile is disabled. Enable it in the portal.');
		return profile.data.whitelisted_destinations;
	}
	let regions: ReturnType<typeof allowedRegions> | undefined;
	return {
		async credentials() {
			const balance = await ask(at('balance'), Anything);
			const change = 'Put the API key of this organisation into the secret.';
			if (typeof balance === 'number') return unreadable(balance, change);
			return { finding: ok('credentials', 'accepted'), isReadable: true };
		},
		async mayShow(number) {
			// The filter accepts only digits.
			const query = new URLSearchParams({ 'filter[phone_number]': number.replace(/\D/g, '') }).toString();
			const [owned, verified] = await Promise.all([
				ask(at(`phone_numbers?${query}`), TelnyxNumbers),
				ask(at(`verified_numbers/${encodeURIComponent(number)}`), Anything),
			]);
			if (typeof verified !== 'number') return true;
			if (typeof owned === 'number') return null;
			if (owned.data.some(({ phone_number, status }) => phone_number === number && status === 'active')) return true;
			return verified === 404 ? false : null;
		},
		async mayCall(region) {
			const check = `calls to ${region}`;
			regions ??= allowedRegions();
			const allowed = await regions;
			if (typeof allowed === 'function') return allowed(check);
			if (allowed.includes(region)) return ok(check, 'allowed');
			return failure(check, 'not allowed. Add it to the allowed destinations of the outbound voice profile.');
		},
	};
}
