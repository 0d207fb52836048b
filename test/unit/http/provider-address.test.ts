import { describe, expect, it } from '@jest/globals';
import twilio from 'twilio';
import { legPath } from '../../../shared/adapters/telephony/provider-http.ts';
import { twilioTelephony } from '../../../shared/adapters/telephony/twilio/twilio.ts';
import { instructLeg, receiveLegCallback } from '../../../shared/contract/calls/telephony.ts';
import { handleForProvider } from '../../../shared/http/edge/handle-provider.ts';
import { apiEvent } from '../../support/api-event.ts';
import { dialing } from '../../support/phones/dial-request.ts';
import { providerApis } from '../../support/phones/provider-apis.ts';
import { idOf } from '../../support/sample-records.ts';

// Tests the URLs at which a provider reaches the API. Behind a domain with a mapping key, and with a named stage, the gateway
// passes on a longer path than the route's own.

const LEG = { call_id: idOf(1), leg_id: idOf(2) };
const TOKEN = 'auth-token-of-the-account';
const api = providerApis();

function telephonyAt(public_base_url: string, api_url = 'http://127.0.0.1:9') {
	const account = {
		account_sid: `AC${'0'.repeat(32)}`,
		authTokens: async () => [TOKEN] as const,
		from: '+12125550100',
	};
	const clock = { now: () => Date.parse('2026-11-21T10:00:30Z') };
	return twilioTelephony({ ...account, machine_detection: false, public_base_url, clock, api_url });
}

/** The response to a request that Twilio signed for `url` and that the gateway passes on with this raw path. */
async function answerTo(
	route: typeof receiveLegCallback | typeof instructLeg,
	{ base, url, rawPath }: { readonly base: string; readonly url: string; readonly rawPath: string },
) {
	const silent = () => undefined;
	const deps = { telephony: telephonyAt(base), log: { info: silent, warn: silent, error: silent } };
	let path: string | null = null;
	const handler = handleForProvider(route, {
		deps: () => deps,
		run: async (provider) => {
			path = provider.path;
			return { response: { statusCode: 204, headers: {} } };
		},
	});
	const fields = {
		CallSid: `CA${'f'.repeat(32)}`,
		CallStatus: 'ringing',
		Timestamp: 'Sat, 21 Nov 2026 10:00:20 +0000',
	};
	const signature = twilio.getExpectedTwilioSignature(TOKEN, url, fields);
	const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
	const event = apiEvent({ path: rawPath, headers, body: new URLSearchParams(fields).toString() });
	const [leg_id = ''] = legPath(TOKEN, LEG).split('/').slice(-1);
	const { statusCode } = await handler({ ...event, pathParameters: { call_id: LEG.call_id, leg_id } }, {});
	return { status: statusCode, path };
}

describe.each([
	['https://calls.shop.example/v1', '/v1'],
	['https://calls.shop.example/phone/v1', '/phone/v1'],
	['https://calls.shop.example/shop/phone/v1', '/shop/phone/v1'],
	['https://x.execute-api.eu-central-1.amazonaws.com/prod/v1', '/prod/v1'],
	['https://calls.shop.example/v1/v1', '/v1/v1'],
	// A proxy in front of the gateway removes its own part of the path.
	['https://www.shop.example/api/phone/v1', '/v1'],
])('at %s, where the gateway passes on %s/...', (base, prefix) => {
	it.each([
		['status', receiveLegCallback],
		['instructions', instructLeg],
	] as const)('a genuine request for %s is accepted, and a request for another address is not', async (end, route) => {
		const own = `${legPath(TOKEN, LEG)}/${end}`;
		const given = { base, url: base + own, rawPath: prefix + own };
		expect(await answerTo(route, given)).toEqual({ status: 204, path: own });
		expect((await answerTo(route, { ...given, url: `https://elsewhere.example/v1${own}` })).status).toBe(403);
	});

	it('the provider gets an address below this base URL for the callbacks of a leg', async () => {
		const server = await api(() => ({ status: 201, body: { sid: `CA${'0'.repeat(32)}` } }));
		await telephonyAt(base, server.url).dial({ ...dialing(), ...LEG });
		const callback = new URLSearchParams(server.asked[0]?.body ?? '').get('StatusCallback') ?? '';
		expect(callback.startsWith(`${base}${legPath(TOKEN, LEG)}/status`)).toBe(true);
	});
});
