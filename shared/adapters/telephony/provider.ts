import * as z from 'zod/mini';
import type { TelephonyEnv } from '../../env.ts';
import type { ProviderSecrets } from '../../ports/provider-secrets.ts';
import type { Telephony } from '../../ports/telephony.ts';
import { secretsManager } from '../aws/provider-secrets.ts';
import { answerCache } from '../system/answer-cache.ts';
import { systemClock } from '../system/clock.ts';
import { noTelephony } from './no-telephony.ts';
import { parseJson } from './provider-http.ts';
import { SimulatorSettings, simulatorTelephony } from './simulator/simulator.ts';
import { TELNYX_API_URL, TelnyxSettings, telnyxTelephony } from './telnyx/telnyx.ts';
import { TWILIO_API_URL, TwilioSettings, twilioTelephony } from './twilio/twilio.ts';

type Env = z.infer<typeof TelephonyEnv>;

const Token = z.string().check(z.minLength(1));
/** `other_auth_token`: during a rotation, the token that may still sign callbacks. */
export const TwilioSecret = z.object({ auth_token: Token, other_auth_token: z.optional(Token) });
/** `other_api_key`: during a rotation, the key with which live legs may have been dialled. */
export const TelnyxSecret = z.object({ api_key: Token, other_api_key: z.optional(Token) });

/**
 * The provider that the environment names; docs/telephony.md describes the settings, at `api_url` unless it is
 * null. Throws when the settings are malformed, naming fields and no values.
 */
export function telephonyFor(
	env: Env,
	api_url: string | null,
	openSecrets: (env: Env) => ProviderSecrets = secretsManager,
): Telephony {
	const shared = { public_base_url: env.PUBLIC_BASE_URL, clock: systemClock };
	const settings = parseJson(env.TELEPHONY_SETTINGS);
	/** The account's tokens: the current one, then the other one during a rotation. */
	const tokensOf = <S extends z.ZodMiniType>(schema: S, tokens: (secret: z.infer<S>) => Tokens) => {
		const secret = cachedSecret(env, schema, openSecrets);
		return () => secret().then(tokens);
	};
	switch (env.TELEPHONY_PROVIDER) {
		case 'none':
			return noTelephony;
		case 'simulator':
			return simulatorTelephony({ ...shared, ...read('TELEPHONY_SETTINGS', SimulatorSettings, settings) });
		case 'twilio': {
			const given = { ...shared, ...read('TELEPHONY_SETTINGS', TwilioSettings, settings) };
			const authTokens = tokensOf(TwilioSecret, (secret) => inOrder(secret.auth_token, secret.other_auth_token));
			return twilioTelephony({ ...given, authTokens, api_url: api_url ?? TWILIO_API_URL });
		}
		case 'telnyx': {
			const given = { ...shared, ...read('TELEPHONY_SETTINGS', TelnyxSettings, settings) };
			const apiKeys = tokensOf(TelnyxSecret, (secret) => inOrder(secret.api_key, secret.other_api_key));
			return telnyxTelephony({ ...given, apiKeys, api_url: api_url ?? TELNYX_API_URL });
		}
	}
}

type Tokens = readonly [string, ...string[]];
const inOrder = (first: string, other: string | undefined): Tokens => (other === undefined ? [first] : [first, other]);

/** Starts to read the secret at once and caches it; after a failure, the next use reads again. */
function cachedSecret<S extends z.ZodMiniType>(
	env: Env,
	schema: S,
	openSecrets: (env: Env) => ProviderSecrets,
): () => Promise<z.infer<S>> {
	const arn = env.TELEPHONY_SECRET_ARN;
	if (!arn) throw new Error('environment: missing or malformed TELEPHONY_SECRET_ARN');
	const secrets = openSecrets(env);
	const cache = answerCache<z.infer<S>>();
	const secret = (): Promise<z.infer<S>> =>
		cache(arn, async () => read('the telephony secret', schema, parseJson(await secrets.read(arn))));
	void secret();
	return secret;
}

/** Parses a value with its schema. The error names the invalid fields in `name`, but no values. */
export function read<S extends z.ZodMiniType>(name: string, schema: S, value: unknown): z.infer<S> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const fields = parsed.error.issues.map((issue) => issue.path.join('.') || 'JSON');
	throw new Error(`${name}: missing or malformed ${fields.join(', ')}`);
}
