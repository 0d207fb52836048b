import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import twilio from 'twilio';
import type Markup from 'twilio/lib/twiml/VoiceResponse.js';
import { legPath } from '../../../shared/adapters/telephony/provider-http.ts';
import { type TwilioOptions, twilioTelephony } from '../../../shared/adapters/telephony/twilio/twilio.ts';
import type { Instruction } from '../../../shared/domain/calls/instruction.ts';
import { acceptPrompt, oneMoment } from '../../../shared/domain/calls/spoken.ts';
import { type Language, languages } from '../../../shared/domain/workspaces/language.ts';
import type { ReceiveOutcome } from '../../../shared/ports/telephony.ts';
import { dialing, LEG } from '../../support/phones/dial-request.ts';
import { type Answering, startProviderApi } from '../../support/phones/phone-provider.ts';
import { providerApis } from '../../support/phones/provider-apis.ts';
import { readMarkup } from '../../support/phones/read-markup.ts';

const ACCOUNT = `AC${'0123456789abcdef'.repeat(2)}`;
const CALL_SID = `CA${'f'.repeat(32)}`;
const TOKEN = 'auth-token-of-the-account';
const BASE = 'https://calls.example.com/v1';
const NOW = Date.parse('2026-11-21T10:00:30.500Z');
const LEG_PATH = legPath(TOKEN, LEG);
/** The ids and the MAC by which a request to a leg's own URL names the leg. */
const AT_LEG = { ...LEG, leg_mac: LEG_PATH.split('.').at(-1) ?? '' };
const STATUS_PATH = `${LEG_PATH}/status`;
const INSTRUCTIONS_PATH = `${LEG_PATH}/instructions`;

function twilioWith(changes: Partial<TwilioOptions> = {}) {
	return twilioTelephony({
		account_sid: ACCOUNT,
		authTokens: async () => [TOKEN],
		from: '+12125550100',
		machine_detection: false,
		public_base_url: BASE,
		clock: { now: () => NOW },
		api_url: 'http://127.0.0.1:9',
		...changes,
	});
}

const api = providerApis();
/** The request that Twilio's official library sends. `use` calls the library. */
async function officially(use: (client: ReturnType<typeof twilio>) => Promise<unknown>) {
	const sent: { method: string; uri: string; data: Record<string, string | string[]>; auth: string }[] = [];
	const httpClient = {
		async request(options: Record<string, unknown>) {
			const auth = `Basic ${Buffer.from(`${options['username']}:${options['password']}`).toString('base64')}`;
			const data = (options['data'] ?? {}) as Record<string, string | string[]>;
			sent.push({ method: String(options['method']).toUpperCase(), uri: String(options['uri']), data, auth });
			return { statusCode: 201, body: '{}' };
		},
	};
	await use(twilio(ACCOUNT, TOKEN, { httpClient: httpClient as never }));
	const [first] = sent;
	if (first === undefined) throw new Error('the library sent nothing');
	const pairs = Object.entries(first.data).flatMap(([name, value]) => [value].flat().map((each) => `${name}=${each}`));
	return { method: first.method, path: new URL(first.uri).pathname, auth: first.auth, pairs: pairs.sort() };
}
const pairsOf = (body: string) => [...new URLSearchParams(body)].map(([name, value]) => `${name}=${value}`).sort();

describe('a request to Twilio', () => {
	it('to delete the record of a call is the same as the official library’s', async () => {
		const answers: Answering[] = [
			{ status: 204 },
			{ status: 404, body: { code: 20404 } },
			{ status: 409, body: { code: 20009 } },
			{ status: 500 },
		];
		const server = await api(() => answers.shift() ?? { status: 401 });
		const erase = () => twilioWith({ api_url: server.url }).erase(CALL_SID);
		expect([await erase(), await erase(), await erase(), await erase()]).toEqual([
			{ erase: 'done' },
			{ erase: 'gone' },
			{ erase: 'failed', code: '20009' },
			{ erase: 'failed', code: 'http_500' },
		]);
		const [asked] = server.asked;
		const expected = await officially((client) => client.calls(CALL_SID).remove());
		expect({
			method: asked?.method,
			path: asked?.path,
			auth: asked?.headers['authorization'],
			pairs: pairsOf(asked?.body ?? ''),
		}).toEqual(expected);
	});

	it('to delete a record is not made for a call of another provider, because the record would seem to be deleted', async () => {
		const server = await api(() => ({ status: 404 }));
		const { erase } = twilioWith({ api_url: server.url });
		for (const id of ['v3:9X2vxPDFY2RHSJ1EdMS0RHRksMTg7', `SIM${'0'.repeat(32)}`]) {
			expect(await erase(id)).toEqual({ erase: 'failed', code: 'another_provider' });
		}
		expect(server.asked).toEqual([]);
	});

	it('to dial is the same as the official library’s', async () => {
		const server = await api(() => ({ status: 201, body: { sid: CALL_SID } }));
		await twilioWith({ api_url: server.url, machine_detection: true }).dial(dialing({ ring_seconds: 19.2 }));
		const expected = await officially((client) =>
			client.calls.create({
				to: '+12125550199',
				from: '+12125550100',
				url: `${BASE}${INSTRUCTIONS_PATH}#rc=3&rp=all`,
				method: 'POST',
				statusCallback: `${BASE}${STATUS_PATH}#rc=3&rp=all`,
				statusCallbackMethod: 'POST',
				statusCallbackEvent: ['ringing', 'completed'],
				timeout: 20,
				timeLimit: 7500,
				machineDetection: 'Enable',
				machineDetectionTimeout: 5,
			}),
		);
		const [asked] = server.asked;
		expect({
			method: asked?.method,
			path: asked?.path,
			auth: asked?.headers['authorization'],
			pairs: pairsOf(asked?.body ?? ''),
		}).toEqual(expected);
		expect(asked?.headers['content-type']).toBe('application/x-www-form-urlencoded');
	});

	it('to dial enables machine detection only if configured, and never for a team member', async () => {
		const server = await api(() => ({ status: 201, body: { sid: CALL_SID } }));
		const listening = twilioWith({ api_url: server.url, machine_detection: true });
		await listening.dial(dialing({ tells_ringing: false }));
		await listening.dial(dialing({ role: 'agent' }));
		const [visitor, agent] = server.asked.map(({ body }) => new URLSearchParams(body));
		expect(visitor?.getAll('MachineDetection')).toEqual(['Enable']);
		expect(visitor?.getAll('StatusCallbackEvent')).toEqual(['completed']);
		expect(agent?.has('MachineDetection')).toBe(false);
		expect(agent?.getAll('StatusCallbackEvent')).toEqual(['ringing', 'completed']);
	});

	it('to dial for a workspace with its own caller number shows that number, and looks for a lost dial by it', async () => {
		const server = await api(() => ({ status: 500 }));
		await twilioWith({ api_url: server.url }).dial(dialing({ from: '+12125550142' }));
		const [dial, search] = server.asked;
		expect(new URLSearchParams(dial?.body).get('From')).toBe('+12125550142');
		expect(new URL(search?.path ?? '', BASE).searchParams.get('From')).toBe('+12125550142');
	});

	it('to hang up and to look up is the same as the official library’s', async () => {
		const server = await api(() => ({ status: 200, body: { sid: CALL_SID, status: 'completed' } }));
		const own = twilioWith({ api_url: server.url });
		await own.hangup(CALL_SID);
		await own.lookup('01LEG', CALL_SID);
		const expected = [
			await officially((client) => client.calls(CALL_SID).update({ status: 'completed' })),
			await officially((client) => client.calls(CALL_SID).fetch()),
		];
		const sent = server.asked.map(({ method, path, headers, body }) => ({
			method,
			path,
			auth: headers['authorization'],
			pairs: pairsOf(body),
		}));
		expect(sent).toEqual(expected);
	});
});

describe("Twilio's answer to a dial", () => {
	const refusal = (code: number) => ({ status: 400, body: { code, message: 'about +12125550199', status: 400 } });
	it.each<[string, Answering | 'reset', unknown]>([
		['201', { status: 201, body: { sid: CALL_SID } }, { dial: 'accepted', provider_id: CALL_SID }],
		['an invalid number', refusal(21211), { dial: 'rejected', code: '21211', reason: 'unreachable' }],
		['a number that is no mobile', refusal(21614), { dial: 'rejected', code: '21614', reason: 'unreachable' }],
		['a number it cannot reach', refusal(21214), { dial: 'rejected', code: '21214', reason: 'unreachable' }],
		['a country we may not call', refusal(21215), { dial: 'rejected', code: '21215', reason: 'provider_rejected' }],
		[
			'wrong credentials',
			{ status: 401, body: { code: 20003 } },
			{ dial: 'rejected', code: '20003', reason: 'provider_rejected' },
		],
		[
			'too many requests',
			{ status: 429, body: { code: 20429 }, headers: { 'retry-after': '3' } },
			{ dial: 'throttled', retry_after_seconds: 3, code: '20429' },
		],
		['too many calls at once', refusal(10004), { dial: 'throttled', retry_after_seconds: 1, code: '10004' }],
		['500', { status: 500 }, { dial: 'unclear', code: 'http_500' }],
		['503', { status: 503, headers: { 'retry-after': '1' } }, { dial: 'unclear', code: 'http_503' }],
		['a redirect', { status: 302, headers: { location: '/' } }, { dial: 'unclear', code: 'http_302' }],
		['201 without an id', { status: 201, body: {} }, { dial: 'unclear', code: 'http_201' }],
		['a broken connection', 'reset', { dial: 'unclear', code: 'lost' }],
	])('says whether the phone rings: %s', async (_, answer, outcome) => {
		const server = await api(() => answer);
		expect(await twilioWith({ api_url: server.url }).dial(dialing())).toEqual(outcome);
		expect(server.asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	it('that fails because the host does not listen rings no phone: the dial may be retried', async () => {
		const server = await startProviderApi(() => ({ status: 201 }));
		await server.close();
		const outcome = await twilioWith({ api_url: server.url }).dial(dialing());
		expect(outcome).toEqual({ dial: 'throttled', retry_after_seconds: 1, code: 'not_sent' });
	});

	const listed = (changes: object = {}) => ({
		sid: CALL_SID,
		to: '+12125550199',
		from: '+12125550100',
		parent_call_sid: null,
		date_created: 'Sat, 21 Nov 2026 10:00:30 +0000',
		status: 'queued',
		...changes,
	});
	const older = listed({ sid: `CA${'0'.repeat(32)}`, date_created: 'Sat, 21 Nov 2026 09:59:00 +0000' });
	const another = listed({ sid: `CA${'1'.repeat(32)}` });
	const adopted = { dial: 'accepted', provider_id: CALL_SID };
	const unclear = { dial: 'unclear', code: 'lost' };
	it.each<[string, readonly object[] | 'reset', unknown]>([
		['one new call', [listed(), older], adopted],
		['a call that has rung already', [listed({ status: 'in-progress' })], adopted],
		['only an older call', [older], unclear],
		['two new calls, of which one is not ours', [listed(), another], unclear],
		['a call to another number', [listed({ to: '+12125550198' })], unclear],
		['a call that another call has started', [listed({ parent_call_sid: `CA${'2'.repeat(32)}` })], unclear],
		['a call without a time', [listed({ date_created: null })], unclear],
		['been lost, too', 'reset', unclear],
	])('that was lost is looked for: the list has %s', async (_, calls, outcome) => {
		const server = await api(({ method }) =>
			method === 'POST' || calls === 'reset' ? 'reset' : { status: 200, body: { calls } },
		);
		expect(await twilioWith({ api_url: server.url }).dial(dialing())).toEqual(outcome);
		expect(server.asked.map(({ method, path }) => [method, path.split('?')[1]])).toEqual([
			['POST', undefined],
			['GET', 'To=%2B12125550199&From=%2B12125550100&PageSize=20'],
		]);
	});
});

describe("Twilio's answer to a hang-up and a look-up", () => {
	it.each<[string, Answering | 'reset', unknown]>([
		['done', { status: 200, body: { sid: CALL_SID } }, { hangup: 'done' }],
		['already over', { status: 400, body: { code: 21220 } }, { hangup: 'already_over' }],
		['unknown', { status: 404, body: { code: 20404 } }, { hangup: 'already_over' }],
		['busy', { status: 429, body: { code: 20429 } }, { hangup: 'unclear', code: '20429' }],
		['failed', { status: 500 }, { hangup: 'unclear', code: 'http_500' }],
		['broken', 'reset', { hangup: 'unclear', code: 'lost' }],
	])('says how a hang-up ended: %s', async (_, answer, outcome) => {
		const server = await api(() => answer);
		expect(await twilioWith({ api_url: server.url }).hangup(CALL_SID)).toEqual(outcome);
	});

	it('contains the answer time of an ended call', async () => {
		const call = { sid: CALL_SID, status: 'completed', end_time: 'Sat, 21 Nov 2026 10:00:20 +0000', duration: '15' };
		const server = await api(() => ({ status: 200, body: call }));
		expect(await twilioWith({ api_url: server.url }).lookup('01LEG', CALL_SID)).toEqual({
			lookup: 'found',
			fact: {
				provider_id: CALL_SID,
				rank: 'ended',
				at: '2026-11-21T10:00:20.000Z',
				ringing_at: null,
				answered_at: '2026-11-21T10:00:05.000Z',
				accepted_at: null,
				cause: 'completed',
			},
		});
	});

	it('of a live call has its current state, and invents no earlier time', async () => {
		const started = { start_time: 'Sat, 21 Nov 2026 09:59:00 +0000', date_updated: 'Sat, 21 Nov 2026 09:59:01 +0000' };
		const server = await api(() => ({ status: 200, body: { sid: CALL_SID, status: 'in-progress', ...started } }));
		const now = new Date(NOW).toISOString();
		const fact = { rank: 'answered', at: now, answered_at: now };
		const found = await twilioWith({ api_url: server.url }).lookup('01LEG', CALL_SID);
		expect(found).toMatchObject({ lookup: 'found', fact });
	});

	it.each<[string, Answering | 'reset', string]>([
		['an unknown call', { status: 404 }, 'missing'],
		['a status we do not know', { status: 200, body: { sid: CALL_SID, status: 'teleported' } }, 'unclear'],
		['an error', { status: 500 }, 'unclear'],
		['a broken connection', 'reset', 'unclear'],
	])('that reports %s does not end the leg by itself', async (_, answer, lookup) => {
		const server = await api(() => answer);
		expect(await twilioWith({ api_url: server.url }).lookup('01LEG', CALL_SID)).toEqual({ lookup });
	});

	it('is unclear for a look-up if we do not know Twilio’s id of the call', async () => {
		expect(await twilioWith().lookup('01LEG', null)).toEqual({ lookup: 'unclear' });
	});
});

/** Receives a request as Twilio sends it: signed for the configured URL. */
async function receive(
	fields: Readonly<Record<string, string>>,
	{ path = STATUS_PATH, signedUrl = BASE + path }: { path?: string; signedUrl?: string } = {},
): Promise<ReceiveOutcome> {
	const raw_body = new URLSearchParams(fields).toString();
	const signature = twilio.getExpectedTwilioSignature(TOKEN, signedUrl, fields);
	const headers = { 'x-twilio-signature': signature };
	return twilioWith().receive({ ...AT_LEG, path, headers, raw_body });
}
const call = { CallSid: CALL_SID, AccountSid: ACCOUNT, Timestamp: 'Sat, 21 Nov 2026 10:00:20 +0000' };

describe('a callback of Twilio', () => {
	it.each<[string, Record<string, string>, object]>([
		['initiated', {}, { rank: 'dialing' }],
		['queued', {}, { rank: 'dialing' }],
		['ringing', {}, { rank: 'ringing', ringing_at: '2026-11-21T10:00:20.000Z' }],
		['in-progress', {}, { rank: 'answered', answered_at: '2026-11-21T10:00:20.000Z' }],
		['completed', { CallDuration: '0' }, { cause: 'completed', answered_at: null }],
		['completed', { CallDuration: '12' }, { cause: 'completed', answered_at: '2026-11-21T10:00:08.000Z' }],
		['completed', { CallDuration: '4', AnsweredBy: 'machine_start' }, { cause: 'voicemail', answered_at: null }],
		['busy', { SipResponseCode: '486' }, { cause: 'busy', answered_at: null }],
		['busy', { SipResponseCode: '487' }, { cause: 'busy' }],
		['busy', { SipResponseCode: '603' }, { cause: 'rejected' }],
		['no-answer', { SipResponseCode: '487' }, { cause: 'no_answer' }],
		['canceled', {}, { cause: 'hung_up' }],
		['failed', { SipResponseCode: '404' }, { cause: 'unreachable' }],
		['failed', { SipResponseCode: '503' }, { cause: 'provider_error' }],
		['failed', {}, { cause: 'unreachable' }],
	])('%s %o is translated into a fact', async (CallStatus, more, fact) => {
		const received = await receive({ ...call, CallStatus, ...more });
		const rank = 'cause' in fact ? 'ended' : expect.any(String);
		expect(received).toMatchObject({ received: 'fact', fact: { rank, provider_id: CALL_SID, ...fact } });
	});

	it('with an unknown status never ends a live call', async () => {
		const ignored = { received: 'ignored', why: 'unknown_status' };
		expect(await receive({ ...call, CallStatus: 'teleported' })).toMatchObject(ignored);
		expect(await receive({ ...call, CallStatus: 'constructor' })).toMatchObject(ignored);
		expect(await receive({ ...call })).toMatchObject(ignored);
	});

	it('that asks for instructions means that the leg answered; with the key 1, that the leg also accepted; with another key, nothing more', async () => {
		const asks = (more: object) =>
			receive({ CallSid: CALL_SID, CallStatus: 'in-progress', ...more }, { path: INSTRUCTIONS_PATH });
		const at = new Date(NOW).toISOString();
		expect(await asks({})).toMatchObject({ fact: { rank: 'answered', at, answered_at: at } });
		expect(await asks({ Digits: '1' })).toMatchObject({ fact: { rank: 'accepted', accepted_at: at } });
		expect(await asks({ Digits: '2' })).toMatchObject({ fact: { rank: 'answered' } });
		expect(await asks({ Digits: '11' })).toMatchObject({ fact: { rank: 'answered' } });
	});

	it('that asks for instructions after a machine answered ends the leg', async () => {
		const received = await receive(
			{ CallSid: CALL_SID, CallStatus: 'in-progress', AnsweredBy: 'machine_start' },
			{ path: INSTRUCTIONS_PATH },
		);
		expect(received).toMatchObject({ fact: { rank: 'ended', cause: 'voicemail', answered_at: null } });
	});

	it('is accepted whether or not Twilio signs the port and the fragment', async () => {
		const fields = { ...call, CallStatus: 'ringing' };
		const url = BASE + STATUS_PATH;
		for (const signedUrl of [url, `${url}#rc=3&rp=all`, url.replace('.com', '.com:443')]) {
			expect(await receive(fields, { signedUrl })).toMatchObject({ received: 'fact' });
		}
	});

	it('is accepted with either token during a rotation, and the API is called with the first', async () => {
		const server = await api(() => ({ status: 200 }));
		const authTokens = async () => ['the new token', TOKEN] as const;
		const rotating = twilioWith({ authTokens, api_url: server.url });
		const fields = { ...call, CallStatus: 'ringing' };
		const request = { ...AT_LEG, path: STATUS_PATH, raw_body: String(new URLSearchParams(Object.entries(fields))) };
		for (const [token, received] of [
			['the new token', 'fact'],
			[TOKEN, 'fact'],
			['a third', 'forged'],
		] as const) {
			const signature = twilio.getExpectedTwilioSignature(token, BASE + STATUS_PATH, fields);
			const headers = { 'x-twilio-signature': signature };
			expect(await rotating.receive({ ...request, headers })).toMatchObject({ received });
		}
		await rotating.hangup(CALL_SID);
		const expected = `Basic ${Buffer.from(`${ACCOUNT}:the new token`).toString('base64')}`;
		expect(server.asked[0]?.headers['authorization']).toBe(expected);
	});

	it('without a signature is refused before anything of it is read', async () => {
		const unread = async () => {
			throw new Error('read the secret');
		};
		const request = {
			...AT_LEG,
			path: STATUS_PATH,
			headers: {},
			get raw_body(): string {
				throw new Error('read the body');
			},
		};
		expect(await twilioWith({ authTokens: unread }).receive(request)).toEqual({ received: 'forged' });
	});

	it('is refused if its address was made with another secret, even if that address is signed correctly', async () => {
		const path = `${legPath('another', LEG)}/status`;
		const fields = { ...call, CallStatus: 'ringing' };
		const headers = { 'x-twilio-signature': twilio.getExpectedTwilioSignature(TOKEN, BASE + path, fields) };
		const request = { ...LEG, leg_mac: path.split(/[./]/).at(-2) ?? '', path, headers };
		const raw_body = String(new URLSearchParams(Object.entries(fields)));
		expect(await twilioWith().receive({ ...request, raw_body })).toEqual({ received: 'forged' });
	});

	it('is rejected for another leg, another route, another address or another token', async () => {
		const fields = { ...call, CallStatus: 'ringing' };
		const elsewhere = [
			`${BASE}/telephony/01CALL/01OTHER/status`,
			BASE + INSTRUCTIONS_PATH,
			`https://evil.example/v1${STATUS_PATH}`,
			`http://calls.example.com/v1${STATUS_PATH}`,
		];
		for (const signedUrl of elsewhere) expect(await receive(fields, { signedUrl })).toEqual({ received: 'forged' });
		const request = { ...AT_LEG, path: STATUS_PATH, raw_body: String(new URLSearchParams(Object.entries(fields))) };
		const signature = twilio.getExpectedTwilioSignature('another', BASE + STATUS_PATH, fields);
		for (const headers of [{}, { 'x-twilio-signature': '' }, { 'x-twilio-signature': signature }]) {
			expect(await twilioWith().receive({ ...request, headers })).toEqual({ received: 'forged' });
		}
	});
});

describe('the instructions for a leg', () => {
	const scene = { call_id: '01CALL', path: INSTRUCTIONS_PATH };
	const rendered = (instruction: Instruction) => readMarkup(twilioWith().render(instruction, scene).body);
	const { VoiceResponse } = twilio.twiml;
	const inRoom = (response: InstanceType<typeof VoiceResponse>) => {
		response.dial().conference({ beep: 'false', endConferenceOnExit: true, maxParticipants: 2 }, '01CALL');
		response.hangup();
		return readMarkup(response.toString());
	};

	it('are equivalent to those of the official library', () => {
		const screen = new VoiceResponse();
		const action = `${BASE}${INSTRUCTIONS_PATH}#rc=3&rp=all`;
		screen
			.gather({ action, method: 'POST', numDigits: 1, timeout: 8 })
			.say({ voice: 'Polly.Vicki', language: 'de-DE' }, 'Drücken Sie die 1, um mit Ada & <Bob> zu sprechen.');
		screen.hangup();
		expect(
			rendered({
				instruct: 'screen',
				say: { language: 'de', text: 'Drücken Sie die 1, um mit Ada & <Bob> zu sprechen.' },
				prompt_seconds: 8,
			}),
		).toEqual(readMarkup(screen.toString()));
		const again = new VoiceResponse();
		for (const timeout of [6, 6, 8])
			again
				.gather({ action, method: 'POST', numDigits: 1, timeout })
				.say({ voice: 'Polly.Joanna', language: 'en-US' }, 'Hi');
		again.hangup();
		const say = { language: 'en', text: 'Hi' } as const;
		const before = { times: 2, wait_seconds: 6 };
		expect(rendered({ instruct: 'screen', say, prompt_seconds: 8, before })).toEqual(readMarkup(again.toString()));
		expect(rendered({ instruct: 'join' })).toEqual(inRoom(new VoiceResponse()));
		const waiting = new VoiceResponse();
		waiting.say({ voice: 'Polly.Zeina', language: 'arb' }, 'لحظة من فضلك.');
		expect(rendered({ instruct: 'wait', say: { language: 'ar', text: 'لحظة من فضلك.' } })).toEqual(inRoom(waiting));
		const over = new VoiceResponse();
		over.hangup();
		expect(rendered({ instruct: 'hang_up' })).toEqual(readMarkup(over.toString()));
	});

	// The standard voices of Amazon Polly ("Standard voices" in its Developer Guide). Twilio's library lists each of them, too.
	const voices: Readonly<Record<Language, Markup.SayAttributes>> = {
		en: { voice: 'Polly.Joanna', language: 'en-US' },
		de: { voice: 'Polly.Vicki', language: 'de-DE' },
		es: { voice: 'Polly.Lucia', language: 'es-ES' },
		fr: { voice: 'Polly.Lea', language: 'fr-FR' },
		ar: { voice: 'Polly.Zeina', language: 'arb' },
		it: { voice: 'Polly.Bianca', language: 'it-IT' },
		nl: { voice: 'Polly.Lotte', language: 'nl-NL' },
		pt: { voice: 'Polly.Vitoria', language: 'pt-BR' },
		pl: { voice: 'Polly.Ewa', language: 'pl-PL' },
		tr: { voice: 'Polly.Filiz', language: 'tr-TR' },
	};

	it.each(languages)('speak %s with a voice that the official library knows', (language) => {
		const response = new VoiceResponse();
		const say = oneMoment(language);
		response.say(voices[language], say.text);
		expect(rendered({ instruct: 'wait', say })).toEqual(inRoom(response));
	});

	it('contain a hostile name only as spoken text', () => {
		const unit = fc.oneof(
			fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
			fc.constantFrom('<', '>', '&', '"', "'", ']]>', '<!--', '</Say>', '<Dial>', '&#0;', '😀'),
		);
		fc.assert(
			fc.property(fc.string({ unit, maxLength: 120 }), (visitor_name) => {
				const source_url = 'https://example.com/';
				const sayIt = acceptPrompt({ language: 'en', visitor_name, source_url });
				const tree = rendered({ instruct: 'screen', say: sayIt, prompt_seconds: 8 });
				const [gather, hangup] = tree.children;
				const [say] = gather?.children ?? [];
				expect([tree.name, gather?.name, say?.name, hangup?.name]).toEqual(['Response', 'Gather', 'Say', 'Hangup']);
				expect(say?.children).toEqual([]);
				expect(say?.text).toMatch(/^Press 1 to talk to .*, who asks for a call on example\.com\.$/s);
				const plain =
					/^[\w ]+$/.test(visitor_name) && visitor_name.trim() === visitor_name && !/ {2}/.test(visitor_name);
				if (plain) expect(say?.text).toContain(` ${visitor_name.slice(0, 12).trimEnd()}`);
			}),
			{ numRuns: 500 },
		);
	});
});
