import { generateKeyPairSync, sign } from 'node:crypto';
import twilio from 'twilio';
import { telnyxTelephony } from '../../../shared/adapters/telephony/telnyx/telnyx.ts';
import { twilioTelephony } from '../../../shared/adapters/telephony/twilio/twilio.ts';
import type { Telephony } from '../../../shared/ports/telephony.ts';
import { ACCOUNT_SID, type Account, answerAboutAccount, CHANNELS, FROM, TOKEN } from './account-answers.ts';
import { type Answering, type Asked, startProviderApi } from './phone-provider.ts';

// Accounts of telephony providers, behind the providers' REST APIs: which calls an account accepts, how many it can carry at the
// same time, and the callbacks that it sends. Times are in whole seconds, as with the real providers.

const BASE = 'https://calls.example.com/v1';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');

/** The status in the provider's final report on a call. */
export type FinalStatus = 'completed' | 'canceled' | 'no-answer' | 'busy' | 'failed';
type Line = {
	readonly sid: string;
	readonly to: string;
	readonly status_url: string;
	live: boolean;
	answered: boolean;
};
export type Told = { readonly path: string; readonly headers: Record<string, string>; readonly raw_body: string };

const refused = (code: number): Answering => ({ status: 400, body: { code, message: 'refused', status: 400 } });

/** `now` returns milliseconds. `endsAs`: the final status of legs that the service hangs up. */
export async function phoneAccount(account: Account, now: () => number, endsAs: FinalStatus = 'completed') {
	const lines: Line[] = [];
	const reports: Told[] = [];
	const isTelnyx = account === 'telnyx new';
	const stamp = (): string =>
		isTelnyx ? `${new Date(now()).toISOString().slice(0, 19)}Z` : new Date(now()).toUTCString().replace('GMT', '+0000');

	function callbackOf(line: Line, url: string, fields: Readonly<Record<string, string>>): Told {
		const given = { CallSid: line.sid, Timestamp: stamp(), ...fields };
		const raw_body = new URLSearchParams(given).toString();
		const epochSeconds = String(Math.floor(now() / 1000));
		const signature = sign(null, Buffer.from(`${epochSeconds}|${raw_body}`), privateKey).toString('base64');
		const address = url.split('#')[0] ?? '';
		const headers: Record<string, string> = isTelnyx
			? { 'telnyx-timestamp': epochSeconds, 'telnyx-signature-ed25519': signature }
			: { 'x-twilio-signature': twilio.getExpectedTwilioSignature(TOKEN, address, given) };
		return { path: address.slice(BASE.length), headers, raw_body };
	}
	function report(line: Line, CallStatus: string, more: Readonly<Record<string, string>> = {}): Told {
		return callbackOf(line, line.status_url, { CallStatus, ...more });
	}
	function dial(fields: ReadonlyMap<string, string>): Answering {
		const known = ['To', 'From', 'Url'];
		if (account === 'twilio trial' && [...fields.keys()].some((name) => !known.includes(name))) return refused(10002);
		if (lines.filter(({ live }) => live).length >= CHANNELS[account]) {
			const detail = 'User channel limit exceeded D1';
			return isTelnyx ? { status: 403, body: { errors: [{ code: '90043', title: detail }] } } : refused(10004);
		}
		const sid = `CA${String(lines.length).padStart(32, '0')}`;
		const line = { sid, to: fields.get('To') ?? '', status_url: fields.get('StatusCallback') ?? '' };
		lines.push({ ...line, live: true, answered: false });
		// Telnyx does not guarantee an id in this response. The id comes with its first callback.
		return isTelnyx ? { status: 200, body: { status: 'queued' } } : { status: 201, body: { sid } };
	}
	function answer(asked: Asked): Answering {
		const { method, path, body, headers } = asked;
		const about = answerAboutAccount(account, asked);
		if (about !== null) return about;
		const line = lines.find(({ sid }) => path.includes(sid));
		if (method === 'POST' && line === undefined) {
			const json = headers['content-type'] === 'application/json';
			const pairs: [string, unknown][] = json ? Object.entries(JSON.parse(body)) : [...new URLSearchParams(body)];
			return dial(new Map(pairs.map(([name, value]) => [name, String(value)])));
		}
		if (method === 'POST' && line?.live) {
			line.live = false;
			reports.push(report(line, endsAs, { CallDuration: line.answered ? '7' : '0' }));
			return { status: 200, body: { sid: line.sid } };
		}
		return { status: 404, body: {} };
	}
	const api = await startProviderApi(answer);
	const shared = { from: FROM, public_base_url: BASE, clock: { now }, api_url: api.url };
	const telephony: Telephony = isTelnyx
		? telnyxTelephony({
				...shared,
				account_sid: 'org',
				application_sid: 'app',
				apiKeys: async () => [TOKEN],
				public_key: Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64'),
			})
		: twilioTelephony({
				...shared,
				account_sid: ACCOUNT_SID,
				authTokens: async () => [TOKEN],
				machine_detection: false,
			});
	const lineTo = (to: string): Line => {
		const line = lines.findLast((each) => each.to === to);
		if (line === undefined) throw new Error(`nobody has dialled ${to}`);
		return line;
	};
	return {
		telephony,
		api_url: api.url,
		/** The numbers of all accepted dials, in order. */
		dialed: () => lines.map(({ to }) => to),
		rings: (to: string): Told => report(lineTo(to), 'ringing'),
		answers(to: string): Told {
			lineTo(to).answered = true;
			return report(lineTo(to), 'in-progress');
		},
		presses: (to: string): Told =>
			callbackOf(lineTo(to), lineTo(to).status_url.replace('/status', '/instructions'), {
				CallStatus: 'in-progress',
				Digits: '1',
			}),
		ends(to: string, status: FinalStatus): Told {
			lineTo(to).live = false;
			return report(lineTo(to), status);
		},
		/** The provider accepts the dial, but reports a moment later that it failed. */
		hasNoChannel(to: string): Told {
			lineTo(to).live = false;
			return report(lineTo(to), 'failed', {
				HangupCause: 'call_rejected',
				SipHangupCause: '403',
				ErrorMessage: 'User channel limit exceeded D1',
			});
		},
		/** Returns the reports on legs that the service hung up. Each report is returned once. */
		reports: () => reports.splice(0),
		close: () => api.close(),
	};
}
