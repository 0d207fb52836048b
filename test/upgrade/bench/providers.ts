import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { request } from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import * as z from 'zod/mini';
import type { Request } from './functions.ts';
import { serve } from './machine.ts';
import type { Effect } from './outside.ts';
import { present } from './parts.ts';

// Twilio and Telnyx: their REST APIs, and the requests in which they report on a leg.

export const restProviders = ['twilio', 'telnyx'] as const;
export type RestProvider = (typeof restProviders)[number];

const TWILIO_TOKEN = 'the auth token of the account';
const TELNYX_KEY = 'the API key of the account';
/** The provider's secret, as Secrets Manager stores it. */
export const PROVIDER_SECRET = JSON.stringify({ auth_token: TWILIO_TOKEN, api_key: TELNYX_KEY });
export const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:telephony';

/** An Ed25519 key in PKCS #8 (RFC 8410) with 32 constant bytes, because the samples need the same key in every run. */
const telnyxKey = createPrivateKey({
	key: Buffer.concat([
		Buffer.from('302e020100300506032b657004220420', 'hex'),
		createHash('sha256').update('Telnyx').digest(),
	]),
	format: 'der',
	type: 'pkcs8',
});
const telnyxPublicKey = (): string => {
	const { x = '' } = createPublicKey(telnyxKey).export({ format: 'jwk' });
	return Buffer.from(x, 'base64url').toString('base64');
};

/** The variable `TELEPHONY_SETTINGS` of a deployment. */
export function settingsOf(provider: RestProvider): object {
	const from = '+13125550199';
	if (provider === 'twilio') return { account_sid: `AC${'0'.repeat(32)}`, from };
	return { account_sid: 'organisation', application_sid: 'application', public_key: telnyxPublicKey(), from };
}

/** A dial as the provider received it. `fields` contain the URLs for its callbacks. */
export type RestDial = { readonly sid: string; readonly fields: Readonly<Record<string, string>> };

/** Starts the provider's API. From now on, every https request of this process goes to it. */
export async function startRestApi(effects: Effect[]) {
	const dials: RestDial[] = [];
	const server = await serve(({ method, path, body }) => {
		if (method === 'POST' && /\/Calls(\.json)?$/.test(path)) {
			const fields = fieldsIn(body);
			const sid = `CA${createHash('sha256').update(body).digest('hex').slice(0, 32)}`;
			dials.push({ sid, fields });
			effects.push({ effect: 'dial by REST', fields });
			return { status: 201, body: { sid } };
		}
		if (method === 'POST') effects.push({ effect: 'hang up', provider_id: path.split('/').at(-1) ?? '' });
		return { status: method === 'POST' ? 200 : 404 };
	});
	const { hostname, port } = new URL(server.url);
	Object.assign(https, {
		request: ({ pathname, search }: URL, options: object) =>
			request({ ...options, hostname, port, path: pathname + search }),
	});
	syncBuiltinESMExports();
	return { ...server, dials };
}

const Json = z.record(z.string(), z.union([z.string(), z.number()]));
const fieldsIn = (body: string): Readonly<Record<string, string>> =>
	body.startsWith('{')
		? Object.fromEntries(Object.entries(Json.parse(JSON.parse(body))).map(([name, value]) => [name, String(value)]))
		: Object.fromEntries(new URLSearchParams(body));

/** AWS Secrets Manager with the provider's secret. */
export const startSecrets = () => serve(() => ({ status: 200, body: { SecretString: PROVIDER_SECRET } }));

export const FORM = 'application/x-www-form-urlencoded';

/** A signed request of the provider about a dialled leg. It goes to a URL from the dial or from call instructions. */
export function restCallback(
	provider: RestProvider,
	address: string,
	{ sid }: Pick<RestDial, 'sid'>,
	said: Readonly<Record<string, string>>,
): Request {
	// The part of a URL after `#` is not sent.
	const [url = ''] = address.split('#');
	const form = new URLSearchParams({ CallSid: sid, AccountSid: 'account', ...said });
	const body = String(form);
	return {
		method: 'POST',
		path: new URL(url).pathname,
		headers: { 'content-type': FORM, ...signatureOf(provider, url, body) },
		body,
	};
}

function signatureOf(provider: RestProvider, url: string, body: string): Readonly<Record<string, string>> {
	if (provider === 'twilio') {
		const fields = [...new URLSearchParams(body)].map(([name, value]) => name + value).sort();
		const signature = createHmac('sha1', TWILIO_TOKEN)
			.update(url + fields.join(''))
			.digest('base64');
		return { 'x-twilio-signature': signature };
	}
	const stamp = String(Math.floor(present.now_ms / 1000));
	const signature = sign(null, Buffer.from(`${stamp}|${body}`), telnyxKey).toString('base64');
	return { 'telnyx-timestamp': stamp, 'telnyx-signature-ed25519': signature };
}

/** The secret that the service shares with the provider. The service derives the URLs of legs from it. */
export const providerSecretOf = (provider: RestProvider): string => (provider === 'twilio' ? TWILIO_TOKEN : TELNYX_KEY);
