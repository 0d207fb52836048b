import { createHash, createHmac, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { request } from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import * as z from 'zod/mini';
import type { Request } from './functions.ts';
import { serve } from './machine.ts';
import type { Effect } from './outside.ts';
import { present } from './parts.ts';

// Twilio and Telnyx: their REST APIs, and the requests with which they report on a leg.

export const restProviders = ['twilio', 'telnyx'] as const;
export type RestProvider = (typeof restProviders)[number];

const TWILIO_TOKEN = 'the auth token of the account';
const TELNYX_KEY = 'the API key of the account';
/** The provider's secret as Secrets Manager has it. */
export const PROVIDER_SECRET = JSON.stringify({ auth_token: TWILIO_TOKEN, api_key: TELNYX_KEY });
export const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:telephony';

/** PKCS #8 of an Ed25519 key whose 32 bytes are given (RFC 8410): the samples need the same key in every run. */
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

/** `TELEPHONY_SETTINGS` of a deployment. */
export function settingsOf(provider: RestProvider): object {
	const from = '+13125550199';
	if (provider === 'twilio') return { account_sid: `AC${'0'.repeat(32)}`, from };
	return { account_sid: 'organisation', application_sid: 'application', public_key: telnyxPublicKey(), from };
}

/** A dial as the provider got it: the addresses for its callbacks are in the fields. */
export type RestDial = { readonly sid: string; readonly fields: Readonly<Record<string, string>> };

/** The provider's API, to which every request of this process by https goes from now on. */
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

/** AWS Secrets Manager, with the provider's secret. */
export const startSecrets = () => serve(() => ({ status: 200, body: { SecretString: PROVIDER_SECRET } }));

export const FORM = 'application/x-www-form-urlencoded';

/** A request of the provider about a dialled leg, to one of the addresses that the dial or a markup gave it, signed. */
export function restCallback(
	provider: RestProvider,
	address: string,
	{ sid }: Pick<RestDial, 'sid'>,
	said: Readonly<Record<string, string>>,
): Request {
	// A fragment is not sent.
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

/** The secret that is shared with the provider, which makes the addresses of legs. */
export const providerSecretOf = (provider: RestProvider): string => (provider === 'twilio' ? TWILIO_TOKEN : TELNYX_KEY);
