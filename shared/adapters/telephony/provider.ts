import * as z from 'zod/mini';
import type { TelephonyEnv } from '../../env.ts';
import type { ProviderSecrets } from '../../ports/provider-secrets.ts';
import type { Telephony } from '../../ports/telephony.ts';
import { secretsManager } from '../aws/provider-secrets.ts';
import { systemClock } from '../clock.ts';
import { resultCache } from '../result-cache.ts';
import { parseJson, type Tokens } from './provider-http.ts';
import { SimulatorSettings, simulatorTelephony } from './simulator/simulator.ts';
import { TelnyxSettings, telnyxApiUrl, telnyxTelephony } from './telnyx/telnyx.ts';
import { TwilioSettings, twilioApiUrl, twilioTelephony } from './twilio/twilio.ts';

/**
 * What editors and shells add around a text that is copied: spaces, line ends (also as the characters `\n`), and invisible
 * characters.
 */
const AROUND = /^[\s\p{Cf}]+|([\s\p{Cf}]|\\[rn])+$/gu;
/**
 * Removes the characters of `AROUND`, and quotes, from the beginning and the end of a token. Webhook secrets are read in
 * the same way (`packages/client/unquoted.ts`).
 */
function bare(text: string): string {
	const token = text.replace(AROUND, '');
	return /^(["'`]).*\1$/s.test(token) ? bare(token.slice(1, -1)) : token;
}
const Token = z.pipe(z.pipe(z.string(), z.transform(bare)), z.string().check(z.minLength(1)));
/** An empty field counts as absent, because some tools leave an unused field in the secret with an empty value. */
const OtherToken = z.optional(
	z.pipe(
		z.nullable(z.string()),
		z.transform((text) => bare(text ?? '') || undefined),
	),
);
/** `other_auth_token`: a second token, which may sign callbacks during a rotation. */
export const TwilioSecret = z.object({ auth_token: Token, other_auth_token: OtherToken });
/**
 * `other_api_key`: a second key for the time of a rotation. Live legs may have been dialed with it, and the MACs in their
 * addresses were then made with it.
 */
export const TelnyxSecret = z.object({ api_key: Token, other_api_key: OtherToken });

/**
 * Reads the JSON of a secret. A file that an editor has saved may begin with a byte order mark, which JSON does not allow.
 */
export const parseSecretJson = (text: string): unknown => parseJson(text.replace(AROUND, ''));

/**
 * The provider that the environment names, with the settings that docs/telephony.md describes. `apiUrl` replaces the
 * provider's own address, unless it is null. Throws if the settings are malformed. The error names the fields, but not
 * their values.
 */
export function telephonyFor(
	env: TelephonyEnv,
	apiUrl: string | null,
	openSecrets: (env: TelephonyEnv) => ProviderSecrets = secretsManager,
): Telephony {
	const adapterOf = <T extends object>(schema: z.ZodMiniType<T>) => ({
		...readSchema('TELEPHONY_SETTINGS', schema, parseJson(env.TELEPHONY_SETTINGS)),
		public_base_url: env.PUBLIC_BASE_URL,
		clock: systemClock,
	});
	const tokens = tokensFrom(env, openSecrets);
	switch (env.TELEPHONY_PROVIDER) {
		case 'none':
			return noTelephony;
		case 'simulator':
			return simulatorTelephony(adapterOf(SimulatorSettings));
		case 'twilio': {
			const settings = adapterOf(TwilioSettings);
			const authTokens = tokens(TwilioSecret, (secret) => [secret.auth_token, secret.other_auth_token]);
			return twilioTelephony({ ...settings, api_url: apiUrl ?? twilioApiUrl(settings), authTokens });
		}
		case 'telnyx': {
			const settings = adapterOf(TelnyxSettings);
			const apiKeys = tokens(TelnyxSecret, (secret) => [secret.api_key, secret.other_api_key]);
			return telnyxTelephony({ ...settings, api_url: apiUrl ?? telnyxApiUrl(settings), apiKeys });
		}
	}
}

/** Used if no provider is set up: this object places no calls and trusts no callbacks. */
const noTelephony: Telephony = {
	dial: async () => ({ dial: 'rejected', reason: 'provider_rejected', code: 'no_provider' }),
	hangup: async () => ({ hangup: 'already_over' }),
	erase: async () => ({ erase: 'failed', code: 'no_provider' }),
	lookup: async () => ({ lookup: 'missing' }),
	receive: async () => ({ received: 'forged' }),
	render: () => ({ content_type: 'text/plain', body: '' }),
};

/**
 * Begins to read the secret at once and caches its tokens. If reading fails, the next use reads the secret again. `inOrder`
 * returns the current token first and then, during a rotation, the other token.
 */
function tokensFrom(env: TelephonyEnv, openSecrets: (env: TelephonyEnv) => ProviderSecrets) {
	return <S extends z.ZodMiniType>(
		schema: S,
		inOrder: (secret: z.infer<S>) => readonly [string, string | undefined],
	): Tokens => {
		const arn = env.TELEPHONY_SECRET_ARN;
		if (!arn) throw new Error('environment: missing or malformed TELEPHONY_SECRET_ARN');
		const secrets = openSecrets(env);
		const cache = resultCache<Awaited<ReturnType<Tokens>>>();
		const tokens: Tokens = () =>
			cache(arn, async () => {
				const secret = readSchema('the telephony secret', schema, parseSecretJson(await secrets.read(arn)));
				const [first, other] = inOrder(secret);
				return other === undefined ? [first] : [first, other];
			});
		void tokens();
		return tokens;
	};
}

/** Checks a value with its schema. The error names the invalid fields of `name`, but not their values. */
export function readSchema<S extends z.ZodMiniType>(name: string, schema: S, value: unknown): z.infer<S> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'JSON');
	throw new Error(`${name}: missing or malformed ${fields.join(', ')}`);
}
