import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import twilio from 'twilio';
import { SIGNATURE_HEADER, signCallback } from '../../shared/adapters/telephony/simulator/simulator.ts';
import type { Pair } from './mutations.ts';

// The three telephony providers, which send requests to the callback routes.

export const providers = ['simulator', 'twilio', 'telnyx'] as const;
export type Provider = (typeof providers)[number];

/** The functions in this process are configured with these values. */
export const PUBLIC_BASE_URL = 'https://api.example.com/v1';
export const PHONE_NETWORK_SECRET = 'a secret of the phone network';
const TWILIO_TOKEN = 'the auth token of the account';
const TELNYX_KEY = 'the API key of the account';
const telnyxKeys = generateKeyPairSync('ed25519');

/**
 * The settings of a deployment with this provider. Only the simulator's settings contain the provider's secret. `secretOf`
 * returns the secret of any provider.
 */
export function settingsOf(provider: Provider): object {
	const from = '+12125550100';
	switch (provider) {
		case 'simulator':
			return { url: 'http://127.0.0.1:9', secret: PHONE_NETWORK_SECRET };
		case 'twilio':
			return { account_sid: `AC${'0'.repeat(32)}`, from };
		case 'telnyx': {
			const publicKey = Buffer.from(telnyxKeys.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
			return { account_sid: 'a', application_sid: 'b', public_key: publicKey.toString('base64'), from };
		}
	}
}
/** The providers' secrets, as Secrets Manager stores them. */
export const PROVIDER_SECRET = JSON.stringify({ auth_token: TWILIO_TOKEN, api_key: TELNYX_KEY });

/** The secret that the service shares with the provider. The service also derives the URLs of legs from it. */
export function secretOf(provider: Provider, networkSecret: string): string {
	return { simulator: networkSecret, twilio: TWILIO_TOKEN, telnyx: TELNYX_KEY }[provider];
}

/** The provider's own id of the reported leg. All providers use the same one here. */
const PROVIDER_ID = `CA${'0'.repeat(32)}`;
const report = fc.record({
	provider_id: fc.constant(PROVIDER_ID),
	state: fc.constantFrom('ringing', 'answered', 'accepted', 'ended', 'unheard-of'),
	at: fc.constant('2026-11-09T12:00:00.000Z'),
	ringing_at: fc.constant(null),
	answered_at: fc.constant(null),
	accepted_at: fc.constant(null),
	cause: fc.constantFrom(null, 'busy', 'unheard-of'),
});
const fields = fc.record({
	CallSid: fc.constant(PROVIDER_ID),
	CallStatus: fc.constantFrom('initiated', 'ringing', 'in-progress', 'completed', 'no-answer', 'unheard-of'),
	Timestamp: fc.constantFrom('Sat, 21 Nov 2026 10:00:20 +0000', '2026-11-21 10:00:20.731479Z'),
	Digits: fc.constantFrom('', '1', '2'),
	CallDuration: fc.constantFrom('0', '12'),
	AnsweredBy: fc.constantFrom('', 'human', 'machine_start'),
});

/** The bodies of a provider's requests to the two callback routes. */
export const bodyOf = (provider: Provider): fc.Arbitrary<object> => (provider === 'simulator' ? report : fields);
export const sendsForms = (provider: Provider): boolean => provider !== 'simulator';

/** The headers with which a provider signs a request. `body`: the body as the function will read it. */
export function signatureOf(provider: Provider, path: string, body: string, secret: string): readonly Pair[] {
	const epochSeconds = Math.floor(Date.now() / 1000);
	switch (provider) {
		case 'simulator':
			return [[SIGNATURE_HEADER, signCallback(secret, epochSeconds, path, body)]];
		case 'twilio': {
			const signature = twilio.getExpectedTwilioSignature(secret, PUBLIC_BASE_URL + path, asParsed(body));
			return [['x-twilio-signature', signature]];
		}
		case 'telnyx': {
			const signature = sign(null, Buffer.from(`${epochSeconds}|${body}`), telnyxKeys.privateKey).toString('base64');
			return [
				['telnyx-timestamp', String(epochSeconds)],
				['telnyx-signature-ed25519', signature],
			];
		}
	}
}

/** A form as a web framework passes it to Twilio's library: the values of a repeated name become an array. */
function asParsed(body: string): Record<string, string | string[]> {
	const values = new Map<string, string[]>();
	for (const [name, value] of new URLSearchParams(body)) {
		const known = values.get(name);
		if (known === undefined) values.set(name, [value]);
		else known.push(value);
	}
	const params: Record<string, string | string[]> = Object.create(null);
	for (const [name, [first = '', ...rest]] of values) params[name] = rest.length === 0 ? first : [first, ...rest];
	return params;
}
