import type * as z from 'zod/mini';
import { readSchema, TelnyxSecret, TwilioSecret } from '../../shared/adapters/telephony/provider.ts';
import { parseJson } from '../../shared/adapters/telephony/provider-http.ts';
import { TelnyxSettings, telnyxApiUrl } from '../../shared/adapters/telephony/telnyx/telnyx.ts';
import { TwilioSettings, twilioApiUrl } from '../../shared/adapters/telephony/twilio/twilio.ts';
import type { OpsDeps } from '../connect.ts';
import type { Finding } from '../finding.ts';
import { OperatorError } from '../operator-error.ts';
import type { Caller } from './account-check.ts';
import { checkTelnyx } from './telnyx-check.ts';
import { checkTwilio, checkTwilioRegion, TWILIO_VOICE_URL } from './twilio-check.ts';

type CheckInput = {
	/** Null: the provider of the deployment, with its settings. */
	readonly provider: string | null;
	/** JSON, as the output `CallBackTelephonySettings`; null: those of the deployment. */
	readonly settings: string | null;
	readonly regions: readonly string[];
};

/** Asks the provider whether a call will go through. Throws `OperatorError` with all findings if one of them failed. */
export async function checkTelephony(
	input: CheckInput,
	{ telephony, workspaces }: OpsDeps,
): Promise<readonly Finding[]> {
	const settings = parseJson(input.settings ?? telephony.settings);
	const provider = input.provider ?? telephony.provider;
	const callers = await callersOf(workspaces());
	const checks = await checksOf(provider, settings, { regions: input.regions, callers }, telephony.readSecret);
	if (checks.every(({ result }) => result !== 'failed')) return checks;
	throw new OperatorError(JSON.stringify(checks, null, 2));
}

async function callersOf(pages: ReturnType<OpsDeps['workspaces']>): Promise<readonly Caller[]> {
	const callers: Caller[] = [];
	for await (const page of pages) {
		for (const { name: workspace, caller_number: number } of page.workspaces) {
			if (number) callers.push({ number, workspace });
		}
	}
	return callers;
}

/** The findings about an account. Throws `OperatorError` if provider, settings or secret are unusable. */
export async function checksOf(
	provider: string,
	settings: unknown,
	calls: { readonly regions: readonly string[]; readonly callers: readonly Caller[] },
	readSecret: () => Promise<string>,
): Promise<readonly Finding[]> {
	// Replaces the provider's own URL, for tests.
	const elsewhere = process.env['TELEPHONY_API_URL'];
	const withOwn = (from: string) => ({ ...calls, callers: [{ number: from, workspace: null }, ...calls.callers] });
	switch (provider) {
		case 'twilio': {
			const account = parseSetting('settings', TwilioSettings, settings);
			const auth_token =
				process.env['TWILIO_AUTH_TOKEN'] ?? parseSetting('secret', TwilioSecret, await secretOf(readSecret)).auth_token;
			const { region = 'us1' } = account;
			if (region !== 'us1') {
				return checkTwilioRegion({ ...account, region, auth_token, api_url: elsewhere ?? twilioApiUrl(account) });
			}
			const parent_auth_token = process.env['TWILIO_PARENT_AUTH_TOKEN'];
			const urls = {
				api_url: elsewhere ?? twilioApiUrl(account),
				voice_url: elsewhere ?? TWILIO_VOICE_URL,
			};
			return checkTwilio({ ...account, ...withOwn(account.from), auth_token, parent_auth_token, ...urls });
		}
		case 'telnyx': {
			const account = parseSetting('settings', TelnyxSettings, settings);
			const api_key =
				process.env['TELNYX_API_KEY'] ?? parseSetting('secret', TelnyxSecret, await secretOf(readSecret)).api_key;
			return checkTelnyx({
				...account,
				...withOwn(account.from),
				api_key,
				api_url: elsewhere ?? telnyxApiUrl(account),
			});
		}
		default:
			throw new OperatorError(
				`the provider is ${provider}: name twilio or telnyx with --provider, and its settings with --settings`,
			);
	}
}

async function secretOf(readSecret: () => Promise<string>): Promise<unknown> {
	try {
		return parseJson(await readSecret());
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
