import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { secretsManager } from '../../../shared/adapters/aws/provider-secrets.ts';
import { parseSecretJson, TwilioSecret, telephonyFor } from '../../../shared/adapters/telephony/provider.ts';
import { callHttp, legPath } from '../../../shared/adapters/telephony/provider-http.ts';
import {
	SIGNATURE_HEADER,
	signCallback,
	simulatorTelephony,
} from '../../../shared/adapters/telephony/simulator/simulator.ts';
import { telnyxTelephony } from '../../../shared/adapters/telephony/telnyx/telnyx.ts';
import type { Telephony } from '../../../shared/ports/telephony.ts';
import { dialing, LEG } from '../../support/phones/dial-request.ts';
import { type Answering, startProviderApi } from '../../support/phones/phone-provider.ts';
import { providerApis } from '../../support/phones/provider-apis.ts';

const api = providerApis();

const BASE = 'https://calls.example.com/v1';
const API_KEY = 'KEY0123';
const NETWORK_SECRET = 'a secret of the simulated network';
/** The paths of a leg if the service derives them from this secret. */
function addressed(secret: string) {
	const path = legPath(secret, LEG);
	const at = { ...LEG, leg_mac: path.split('.').at(-1) ?? '' };
	return { at, status: `${path}/status`, instructions: `${path}/instructions` };
}
const { at: AT_LEG, status: STATUS_PATH, instructions: INSTRUCTIONS_PATH } = addressed(API_KEY);
const CALL_SID = 'v3:9X2vxPDFY2RHSJ1EdMS0RHRksMTg7ldNxdjWbVr9zBjbGjGsSe-aiQ';

describe('the adapter for Telnyx', () => {
	const nowMs = Date.parse('2026-11-21T10:00:30Z');
	const { publicKey, privateKey } = generateKeyPairSync('ed25519');
	const public_key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64');
	const telnyx = (api_url = 'http://127.0.0.1:9', keys: readonly [string, ...string[]] = [API_KEY]): Telephony =>
		telnyxTelephony({
			account_sid: 'f5586561-8ff0',
			application_sid: '1234567890',
			apiKeys: async () => keys,
			public_key,
			from: '+12125550100',
			public_base_url: BASE,
			clock: { now: () => nowMs },
			api_url,
		});
	const signed = (
		fields: Record<string, string>,
		{ path = STATUS_PATH, stamp = String(nowMs / 1000), body = '' } = {},
	) => {
		const rawBody = new URLSearchParams(fields).toString();
		const signature = sign(null, Buffer.from(`${stamp}|${rawBody}`), privateKey).toString('base64');
		const headers = { 'telnyx-timestamp': stamp, 'telnyx-signature-ed25519': signature };
		return { ...AT_LEG, path, headers, raw_body: body || rawBody };
	};
	const receive = (...of: Parameters<typeof signed>) => telnyx().receive(signed(...of));
	const ringing = { CallSid: CALL_SID, CallStatus: 'ringing', Timestamp: '2026-11-21T10:00:20Z' };

	it('dials through the TeXML application, with the ids of the leg in the addresses for callbacks', async () => {
		const server = await api(() => ({ status: 200, body: { sid: CALL_SID, status: 'queued' } }));
		expect(await telnyx(server.url).dial(dialing())).toEqual({ dial: 'accepted', provider_id: CALL_SID });
		const [asked] = server.asked;
		expect([asked?.method, asked?.path]).toEqual(['POST', '/v2/texml/Accounts/f5586561-8ff0/Calls']);
		expect(asked?.headers['authorization']).toBe('Bearer KEY0123');
		expect(JSON.parse(asked?.body ?? '')).toEqual({
			ApplicationSid: '1234567890',
			To: '+12125550199',
			From: '+12125550100',
			Url: BASE + INSTRUCTIONS_PATH,
			UrlMethod: 'POST',
			StatusCallback: BASE + STATUS_PATH,
			StatusCallbackMethod: 'POST',
			StatusCallbackEvent: 'initiated ringing completed',
			Timeout: 30,
			TimeLimit: 7500,
		});
	});

	it('dials from the workspace’s own number, if it has one', async () => {
		const server = await api(() => ({ status: 200, body: { sid: CALL_SID, status: 'queued' } }));
		await telnyx(server.url).dial(dialing({ from: '+12125550142' }));
		expect(JSON.parse(server.asked[0]?.body ?? '')).toMatchObject({ From: '+12125550142' });
	});

	it.each<[string, Answering | 'reset', unknown]>([
		['an answer without an id', { status: 200, body: { status: 'queued' } }, { dial: 'accepted', provider_id: null }],
		['a refusal', { status: 422 }, { dial: 'rejected', reason: 'provider_rejected', code: 'http_422' }],
		[
			'a refusal that has a code',
			{ status: 403, body: { errors: [{ code: '10010', title: 'Authorization failed' }] } },
			{ dial: 'rejected', reason: 'provider_rejected', code: '10010' },
		],
		[
			'too few channels',
			{ status: 403, body: { errors: [{ code: '90043', detail: 'User channel limit exceeded D1' }] } },
			{ dial: 'throttled', retry_after_seconds: 2, code: '90043' },
		],
		[
			'429',
			{ status: 429, headers: { 'retry-after': '2' } },
			{ dial: 'throttled', retry_after_seconds: 2, code: 'http_429' },
		],
		['500', { status: 500 }, { dial: 'unclear', code: 'http_500' }],
		['a broken connection', 'reset', { dial: 'unclear', code: 'lost' }],
	])('knows from %s whether the phone may ring', async (_, answer, outcome) => {
		const server = await api(() => answer);
		expect(await telnyx(server.url).dial(dialing())).toEqual(outcome);
	});

	it('hangs up, and looks up an ended call', async () => {
		const call = { sid: CALL_SID, status: 'completed', end_time: 'Sat, 21 Nov 2026 10:00:20 +0000', duration: '15' };
		const server = await api(() => ({ status: 200, body: call }));
		expect(await telnyx(server.url).hangup(CALL_SID)).toEqual({ hangup: 'done' });
		expect(await telnyx(server.url).lookup('01LEG', CALL_SID)).toMatchObject({
			lookup: 'found',
			fact: { rank: 'ended', cause: 'completed', answered_at: '2026-11-21T10:00:05.000Z' },
		});
		expect(server.asked.map(({ method, path, body }) => [method, decodeURIComponent(path), body])).toEqual([
			['POST', `/v2/texml/Accounts/f5586561-8ff0/Calls/${CALL_SID}`, 'Status=completed'],
			['GET', `/v2/texml/Accounts/f5586561-8ff0/Calls/${CALL_SID}`, ''],
		]);
	});

	it('requests no deletion of a call’s record, because Telnyx documents none, and names the document in the outcome', async () => {
		const server = await api(() => ({ status: 204 }));
		const document = 'https://developers.telnyx.com/docs/voice/texml/rest-api/calls';
		expect(await telnyx(server.url).erase(CALL_SID)).toEqual({ erase: 'not_supported', document });
		expect(server.asked).toEqual([]);
	});

	it.each<[Record<string, string>, object]>([
		[{ CallStatus: 'initiated' }, { rank: 'dialing' }],
		[{ CallStatus: 'ringing' }, { rank: 'ringing' }],
		[{ CallStatus: 'in-progress' }, { rank: 'answered' }],
		[
			{ CallStatus: 'completed', AnsweredTime: '2026-11-21T10:00:15Z', CallDuration: '5' },
			{ rank: 'ended', cause: 'completed', answered_at: '2026-11-21T10:00:15.000Z' },
		],
		[
			{ CallStatus: 'busy', HangupCause: 'call_rejected' },
			{ rank: 'ended', cause: 'rejected' },
		],
		[
			{ CallStatus: 'busy', HangupCause: 'call_rejected', SipHangupCause: '486' },
			{ rank: 'ended', cause: 'busy' },
		],
		[
			{ CallStatus: 'failed', HangupCause: 'call_rejected', SipHangupCause: '403' },
			{ rank: 'ended', cause: 'unreachable' },
		],
		[{ CallStatus: 'no-answer' }, { rank: 'ended', cause: 'no_answer' }],
		[
			{ CallStatus: 'failed', SipHangupCause: '403', ErrorMessage: 'User channel limit exceeded D1' },
			{ rank: 'ended', no_channel: true },
		],
	])('reports %o as a fact', async (fields, fact) => {
		const received = await receive({ CallSid: CALL_SID, Timestamp: '2026-11-21 10:00:20.731479Z', ...fields });
		expect(received).toMatchObject({ received: 'fact', fact: { provider_id: CALL_SID, ...fact } });
	});

	it('takes a request for instructions to mean that the leg has answered, and reads the pressed key', async () => {
		const asks = (more: object) => receive({ CallSid: CALL_SID, ...more }, { path: INSTRUCTIONS_PATH });
		expect(await asks({})).toMatchObject({ fact: { rank: 'answered' } });
		expect(await asks({ Digits: '1' })).toMatchObject({ fact: { rank: 'accepted' } });
	});

	it('accepts a request without a signature only if it asks for instructions at the address of its leg', async () => {
		const asking = { ...AT_LEG, path: INSTRUCTIONS_PATH, headers: {}, raw_body: `CallSid=${CALL_SID}&Digits=1` };
		const admitted = { received: 'fact', unsigned: true, fact: { rank: 'accepted' } };
		expect(await telnyx().receive(asking)).toMatchObject(admitted);
		expect(await receive({ CallSid: CALL_SID }, { path: INSTRUCTIONS_PATH })).not.toHaveProperty('unsigned');
		const wrong = { 'telnyx-timestamp': String(nowMs / 1000), 'telnyx-signature-ed25519': 'AAAA' };
		for (const change of [{ path: STATUS_PATH }, { leg_mac: 'A'.repeat(22) }, { headers: wrong }]) {
			expect(await telnyx().receive({ ...asking, ...change })).toEqual({ received: 'forged' });
		}
	});

	it('refuses a report whose signature is old, wrong or missing', async () => {
		const forged = { received: 'forged' };
		expect(await receive(ringing)).toMatchObject({ received: 'fact' });
		expect(await receive(ringing, { stamp: String(nowMs / 1000 - 301) })).toEqual(forged);
		expect(await receive(ringing, { stamp: String(nowMs / 1000 + 301) })).toEqual(forged);
		expect(await receive(ringing, { body: 'CallSid=x&CallStatus=completed' })).toEqual(forged);
		const request = { ...AT_LEG, path: STATUS_PATH, raw_body: 'CallSid=x' };
		const stamp = { 'telnyx-timestamp': String(nowMs / 1000) };
		for (const headers of [{}, stamp, { ...stamp, 'telnyx-signature-ed25519': 'AAAA' }]) {
			expect(await telnyx().receive({ ...request, headers })).toEqual(forged);
		}
	});

	it('does not accept a signed request at the address of another leg, although the signature does not cover the address', async () => {
		const other = { call_id: '01CALL', leg_id: '01OTHER' };
		const given = signed(ringing);
		const forged = { received: 'forged' };
		for (const at of [
			{ ...AT_LEG, ...other },
			{ ...AT_LEG, leg_mac: '' },
			{ ...AT_LEG, leg_mac: 'A'.repeat(22) },
		]) {
			expect(await telnyx().receive({ ...given, ...at })).toEqual(forged);
		}
		const { at } = addressed('another key');
		expect(await telnyx().receive({ ...given, ...at })).toEqual(forged);
		const rotated = telnyx('http://127.0.0.1:9', ['another key', API_KEY]);
		for (const each of [at, AT_LEG]) {
			expect(await rotated.receive({ ...given, ...each })).toMatchObject({ received: 'fact' });
		}
	});

	it('never ends a leg for an unknown status', async () => {
		await fc.assert(
			fc.asyncProperty(fc.string(), async (CallStatus) => {
				const known = ['queued', 'initiated', 'ringing', 'in-progress', 'answered', 'completed', 'busy', 'failed'];
				fc.pre(![...known, 'no-answer', 'canceled'].includes(CallStatus));
				expect(await receive({ ...ringing, CallStatus })).toMatchObject({ received: 'ignored', why: 'unknown_status' });
			}),
			{ numRuns: 50 },
		);
	});
});

describe('a callback of the simulated network', () => {
	const nowMs = Date.parse('2026-11-21T09:00:00.000Z');
	const secret = NETWORK_SECRET;
	const { at, status } = addressed(secret);
	const given = { url: 'http://127.0.0.1:1', secret, public_base_url: BASE, clock: { now: () => nowMs } };
	const receive = async (signature: Partial<Record<'by' | 'path' | 'body', string>> & { at_ms?: number }) => {
		const { by = secret, path = status, body = '{}', at_ms = nowMs } = signature;
		const headers = { [SIGNATURE_HEADER]: signCallback(by, at_ms / 1000, path, body) };
		const request = { ...at, path: status, headers, raw_body: '{}' };
		return (await simulatorTelephony(given).receive(request)).received;
	};

	it('is accepted only with the network’s recent signature over exactly this request', async () => {
		expect(await receive({})).toBe('ignored');
		expect(await receive({ at_ms: nowMs - 300_000 })).toBe('ignored');
		const forged = [{ by: 'another' }, { path: '/elsewhere' }, { body: '[]' }, { at_ms: nowMs - 301_000 }];
		for (const signature of forged) expect(await receive(signature)).toBe('forged');
	});
});

describe('the provider that the environment names', () => {
	const env = {
		PUBLIC_BASE_URL: BASE,
		TELEPHONY_PROVIDER: 'twilio',
		TELEPHONY_SETTINGS: JSON.stringify({ account_sid: `AC${'0'.repeat(32)}`, from: '+12125550100' }),
		TELEPHONY_SECRET_ARN: 'arn:aws:secretsmanager:eu-central-1:123456789012:secret:twilio',
		AWS_REGION: 'eu-central-1',
		AWS_ACCESS_KEY_ID: 'id',
		AWS_SECRET_ACCESS_KEY: 'key',
	} as const;
	const headers = { 'x-twilio-signature': 'of somebody else' };
	const callback = { ...AT_LEG, path: STATUS_PATH, headers, raw_body: '' };

	it('is none by default: no phone rings and no callback is trusted', async () => {
		const none = telephonyFor({ ...env, TELEPHONY_PROVIDER: 'none', TELEPHONY_SETTINGS: '{}' }, null);
		expect(await none.dial(dialing())).toEqual({ dial: 'rejected', reason: 'provider_rejected', code: 'no_provider' });
		expect(await none.receive(callback)).toEqual({ received: 'forged' });
	});

	it('reads its secret once, at the start, and again only after a failure', async () => {
		const read: string[] = [];
		const failing = telephonyFor(env, null, () => ({
			read: async (name) => {
				read.push(name);
				if (read.length === 1) throw new Error('ThrottlingException');
				return JSON.stringify({ auth_token: 'token' });
			},
		}));
		expect(read).toEqual([env.TELEPHONY_SECRET_ARN]);
		await expect(failing.receive(callback)).rejects.toThrow('ThrottlingException');
		for (let n = 0; n < 3; n += 1) expect(await failing.receive(callback)).toEqual({ received: 'forged' });
		expect(read).toHaveLength(2);
	});

	it.each([
		['twilio', '{"account_sid":"AC0","from":"+12125550100"}', 'account_sid'],
		['twilio', 'no JSON: +12125550100', 'JSON'],
		['telnyx', '{"account_sid":"a","application_sid":"b","from":"+12125550100"}', 'public_key'],
		['simulator', '{"url":"http://127.0.0.1:1","secret":"short secret"}', 'secret'],
	] as const)('names what is wrong with the settings of %s and shows none of them', (provider, settings, field) => {
		const named = { ...env, TELEPHONY_PROVIDER: provider, TELEPHONY_SETTINGS: settings };
		const never = () => ({ read: async () => '{}' });
		expect(() => telephonyFor(named, null, never)).toThrow(
			new Error(`TELEPHONY_SETTINGS: missing or malformed ${field}`),
		);
	});

	it('is called at another address if one is set, as on the local stack', async () => {
		const server = await api(() => ({ status: 201, body: { sid: `CA${'0'.repeat(32)}` } }));
		const secret = () => ({ read: async () => JSON.stringify({ auth_token: 'token' }) });
		const moved = telephonyFor(env, server.url, secret);
		expect(await moved.dial(dialing())).toEqual({ dial: 'accepted', provider_id: `CA${'0'.repeat(32)}` });
		expect(server.asked.map(({ path }) => path)).toEqual([`/2010-04-01/Accounts/AC${'0'.repeat(32)}/Calls.json`]);
	});

	it.each([
		['as documented', '{"auth_token":"t0ken"}'],
		['with a byte order mark', '\ufeff{"auth_token":"t0ken"}'],
		['with a line end after it', '{"auth_token":"t0ken"}\r\n'],
		['with a line end in the token', '{"auth_token":"t0ken\\r\\n"}'],
		['with a zero-width space in front of the token', '{"auth_token":"\u200bt0ken"}'],
		['with a no-break space behind the token', '{"auth_token":"t0ken\u00a0"}'],
		['with quotes in quotes', '{"auth_token":"\\"t0ken\\"\\n"}'],
		['with a line end that was escaped twice', '{"auth_token":"t0ken\\\\n"}'],
		['with an empty other token', '{"auth_token":"t0ken","other_auth_token":""}'],
		['with a blank other token', '{"auth_token":"t0ken","other_auth_token":" \\n"}'],
		['with null as the other token', '{"auth_token":"t0ken","other_auth_token":null}'],
		['with a byte order mark in the other token', '{"auth_token":"t0ken","other_auth_token":"\ufeffolder\\n"}'],
		['with more fields, as a rotation function leaves them', '{"auth_token":"t0ken","username":"x"}'],
	])('reads a secret %s', async (what, kept) => {
		const tokens: (string | undefined)[] = [];
		const server = await api(({ headers }) => {
			tokens.push(Buffer.from(headers.authorization?.slice('Basic '.length) ?? '', 'base64').toString());
			return { status: 201, body: { sid: `CA${'0'.repeat(32)}` } };
		});
		const telephony = telephonyFor(env, server.url, () => ({ read: async () => kept }));
		expect((await telephony.dial(dialing())).dial).toBe('accepted');
		expect(tokens).toEqual([`AC${'0'.repeat(32)}:t0ken`]);
		expect(await telephony.receive(callback)).toEqual({ received: 'forged' });
		const parsed = TwilioSecret.parse(parseSecretJson(kept));
		expect(parsed.other_auth_token).toBe(what.endsWith('mark in the other token') ? 'older' : undefined);
	});

	it.each([
		['{"auth_token":""}', 'auth_token'],
		['{"auth_token":" \ufeff\\n"}', 'auth_token'],
		['{"auth_token":"\\"\\""}', 'auth_token'],
		['{"auth_token":7}', 'auth_token'],
		['{"token":"t0ken"}', 'auth_token'],
		['{"auth_token":"t0ken","other_auth_token":7}', 'other_auth_token'],
		['t0ken', 'JSON'],
		['', 'JSON'],
	])('names the wrong field of a secret, without its value: %j', async (kept, field) => {
		const telephony = telephonyFor(env, null, () => ({ read: async () => kept }));
		const message = `the telephony secret: missing or malformed ${field}`;
		await expect(telephony.receive(callback)).rejects.toThrow(new Error(message));
	});

	it('is none without a secret', () => {
		const { TELEPHONY_SECRET_ARN: _, ...without } = env;
		for (const each of [without, { ...without, TELEPHONY_SECRET_ARN: '' }]) {
			expect(() => telephonyFor(each, null)).toThrow('TELEPHONY_SECRET_ARN');
		}
	});

	it('gets its secret from Secrets Manager', async () => {
		const answers: Answering[] = [{ status: 500 }, { status: 200, body: { SecretString: 'the secret' } }];
		const server = await api(() => answers.shift() ?? { status: 400, body: { __type: 'AccessDeniedException' } });
		const secrets = secretsManager({ ...env, AWS_ENDPOINT_URL_SECRETS_MANAGER: server.url });
		expect(await secrets.read(env.TELEPHONY_SECRET_ARN)).toBe('the secret');
		await expect(secrets.read(env.TELEPHONY_SECRET_ARN)).rejects.toMatchObject({
			service: 'secretsmanager',
			service_operation: 'GetSecretValue',
			code: 'AccessDeniedException',
		});
		const [asked] = server.asked;
		expect(asked?.headers['x-amz-target']).toBe('secretsmanager.GetSecretValue');
		expect(JSON.parse(asked?.body ?? '')).toEqual({ SecretId: env.TELEPHONY_SECRET_ARN });
	});
});

describe('a request to a provider', () => {
	const ask = (url: string) =>
		callHttp({ method: 'GET', url: new URL(url), headers: {}, body: null, timeout_ms: 5000 });
	const call = (url: string, timeout_ms: number) =>
		callHttp({ method: 'POST', url: new URL(url), headers: {}, body: 'x', timeout_ms });

	it('is lost if the response takes too long, so that its effect is unknown', async () => {
		const server = await api(() => 'silence');
		expect(await call(server.url, 500)).toEqual({ outcome: 'lost' });
		expect(server.asked).toHaveLength(1);
	});

	it('is lost if the answer is longer than the service reads', async () => {
		const server = await api(() => ({ status: 200, body: 'x'.repeat(300_000) }));
		expect(await call(server.url, 5000)).toEqual({ outcome: 'lost' });
	});

	it('has its own connection, and is sent once', async () => {
		const answers: (Answering | 'reset')[] = [{ status: 200 }, 'reset', { status: 200 }, 'reset'];
		const server = await api(() => answers.shift() ?? 'silence');
		expect(await ask(server.url)).toMatchObject({ outcome: 'response', status: 200 });
		expect(await ask(server.url)).toEqual({ outcome: 'lost' });
		expect(await call(server.url, 5000)).toMatchObject({ outcome: 'response', status: 200 });
		expect(await call(server.url, 5000)).toEqual({ outcome: 'lost' });
		expect([server.asked.length, server.connections()]).toEqual([4, 4]);
	});

	it('was not sent if the host does not exist or does not listen', async () => {
		const server = await startProviderApi(() => ({ status: 200 }));
		await server.close();
		expect(await call(server.url, 1000)).toEqual({ outcome: 'not_sent' });
	});

	it('gets a time to wait from Retry-After only if Retry-After is a whole number of seconds', async () => {
		const answers = ['7', 'Sat, 21 Nov 2026 10:00:00 GMT', '-1'];
		const server = await api(() => ({ status: 429, headers: { 'retry-after': answers.shift() ?? '' } }));
		const seconds: unknown[] = [];
		for (let n = 0; n < 3; n += 1) {
			const result = await call(server.url, 1000);
			seconds.push(result.outcome === 'response' ? result.retry_after_seconds : result);
		}
		expect(seconds).toEqual([7, null, null]);
	});
});
