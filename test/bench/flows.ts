import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { authority, keyPem, leaf, newPair } from '../../local/certificates.ts';
import { operatorDeps, readOperatorEnv } from '../../ops/connect.ts';
import { plainConfig } from '../../shared/adapters/aws/client/account.ts';
import {
	DialBody,
	type LegReport,
	SIGNATURE_HEADER,
	signCallback,
} from '../../shared/adapters/telephony/simulator/simulator.ts';
import type { RequestEvent } from '../../shared/http/request.ts';
import type { HttpResponse } from '../../shared/http/response.ts';
import { overrides } from '../../shared/overrides.ts';
import { functionStandIns } from '../support/aws/function-stand-ins.ts';
import { listen } from '../support/listen.ts';
import { bearer, newCustomer } from '../support/webhooks/customers.ts';
import { tlsReceiver } from '../support/webhooks/receiver.ts';
import { gatewayEvent } from './gateway-event.ts';
import { row, type Section } from './row.ts';

const root = `file://${join(import.meta.dirname, '../..')}/`;
const SECRET = 'x'.repeat(32);

/**
 * What a person reads who follows a request to its end: the files of `shared/` and `functions/` of which a function runs for
 * it, by V8's coverage. What runs when a module is loaded does not count, nor does a file that has only types.
 */
export const flows: Section = {
	name: 'flows',
	async run() {
		const { customer, receiver, network, queue, stop } = await prepare();
		const filesOf = await coverage();
		const functions = await load();
		const answered = async (status: number, answer: Promise<HttpResponse>): Promise<void> => {
			const { statusCode, body = '' } = await answer;
			if (statusCode !== status) throw new Error(`a function answered ${statusCode} ${body}`);
		};
		const client = bearer(customer.api_key);
		const endpoint = api('POST', '/v1/webhook-endpoints', client, { url: receiver.url, events: EVENTS });
		await answered(201, functions.createEndpoint(endpoint, {}));

		const click = gatewayEvent(customer, '+12025550110');
		const request = await filesOf(() => answered(202, functions.request(click, {})));
		const dial = await filesOf(async () => functions.dial({ Records: await queue('DIAL_LEGS') }));
		const ringingReport = ringing(await network.dial);
		const callback = await filesOf(() => answered(204, functions.hear(ringingReport, {})));
		const deliver = await filesOf(async () => functions.deliver({ Records: await queue('DELIVERIES') }));
		if (receiver.requests.length === 0) throw new Error('nothing was posted');
		const list = await filesOf(() => answered(200, functions.list(api('GET', '/v1/calls', client), {})));
		await stop();

		const rowOf = (flow: string, ...parts: readonly ReadonlySet<string>[]) => {
			const files = new Set(parts.flatMap((part) => [...part]));
			if (process.argv.includes('--files')) console.log([`\n${flow}:`, ...[...files].sort()].join('\n'));
			return row(`files on the way of ${flow}`, 'none', `${files.size} files`);
		};
		return [
			rowOf('a request to the dial', request, dial),
			rowOf("a phone's callback to the POST and the breaker", callback, deliver),
			rowOf('a list', list),
		];
	},
};

const EVENTS = ['call.requested', 'call.ringing'];

/** The functions from their sources, loaded before anything is counted. */
async function load() {
	const { handler: createEndpoint } = await import('../../functions/api/webhooks/create-webhook-endpoint.ts');
	const { handler: request } = await import('../../functions/api/visitors/request-call.ts');
	const { handler: dial } = await import('../../functions/workers/dial-leg.ts');
	const { handler: hear } = await import('../../functions/api/calls/receive-leg-callback.ts');
	const { handler: deliver } = await import('../../functions/workers/deliver-webhook.ts');
	const { handler: list } = await import('../../functions/api/calls/list-calls.ts');
	return { createEndpoint, request, dial, hear, deliver, list };
}

/** Counts the files of what a function does. */
async function coverage() {
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	return async (act: () => Promise<unknown>): Promise<ReadonlySet<string>> => {
		// Reading the counters empties them.
		await session.post('Profiler.takePreciseCoverage');
		await act();
		const { result } = await session.post('Profiler.takePreciseCoverage');
		const ours = result.filter(({ url }) => url.startsWith(`${root}shared/`) || url.startsWith(`${root}functions/`));
		const inUse = ours.filter(({ functions }) => functions.some(({ ranges: [range] }) => (range?.count ?? 0) > 0));
		return new Set(inUse.map(({ url }) => url.slice(root.length)));
	};
}

/** A deployment on the stand-ins, with one customer, a receiver that answers 503, and a network that accepts dials. */
async function prepare() {
	const { env, stop } = await functionStandIns();
	const customer = await newCustomer(
		await operatorDeps(readOperatorEnv({ ...env, NUMBER_KEY_ID: env.SEALING_KEY_ID })),
	);
	const [caKeys, keys] = await Promise.all([newPair(), newPair()]);
	const ca = await authority(caKeys);
	const cert = await leaf({ keys, ca, signingKey: caKeys.privateKey }, [{ type: 'dns', value: 'localhost' }]);
	const tls = { key: await keyPem(keys.privateKey), cert: cert.toString('pem') };
	const receiver = await tlsReceiver(tls, (socket) => socket.end('HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n'));
	const exempt = { trusted_ca_pem: ca.toString('pem'), allowed_webhook_hosts: [`localhost:${receiver.port}`] };
	Object.assign(overrides, exempt);
	const network = await phoneNetwork();
	const sqs = new SQSClient(plainConfig(env.AWS_ENDPOINT_URL_SQS, env));
	Object.assign(process.env, env, {
		TELEPHONY_PROVIDER: 'simulator',
		TELEPHONY_SETTINGS: JSON.stringify({ url: network.origin, secret: SECRET }),
		CALLER_NUMBER: '+13125550199',
		PUBLIC_BASE_URL: 'https://api.example/v1',
	});
	return {
		customer,
		receiver: { url: `https://localhost:${receiver.port}/hook`, requests: receiver.requests },
		network,
		/** The waiting messages of a queue, as Lambda passes them to a function. */
		async queue(name: 'DIAL_LEGS' | 'DELIVERIES') {
			const wanted = new ReceiveMessageCommand({ QueueUrl: env[`QUEUE_URL_${name}`], MaxNumberOfMessages: 10 });
			const { Messages = [] } = await sqs.send(wanted);
			return Messages.map(({ Body }, position) => ({ messageId: String(position), body: Body ?? '' }));
		},
		async stop() {
			await Promise.all([receiver.stop(), network.close(), stop()]);
		},
	};
}

/** A phone network that accepts every dial; `dial`: the first one. */
async function phoneNetwork() {
	const { promise: dial, resolve } = Promise.withResolvers<DialBody>();
	const server = createServer((request, response) => {
		response.writeHead(201).end(JSON.stringify({ provider_id: 'phone' }));
		void text(request).then((body) => resolve(DialBody.parse(JSON.parse(body))));
	});
	return { dial, ...(await listen(server)) };
}

function api(method: string, rawPath: string, headers: Record<string, string>, body?: object): RequestEvent {
	return {
		rawPath,
		isBase64Encoded: false,
		headers: { 'content-type': 'application/json', ...headers },
		requestContext: { requestId: 'flow', http: { method, sourceIp: '192.0.2.1' } },
		...(body !== undefined && { body: JSON.stringify(body) }),
	};
}

/** The network's callback that the phone rings. */
function ringing({ call_id, leg_path }: DialBody): RequestEvent {
	const now = new Date().toISOString();
	const times = { at: now, ringing_at: now, answered_at: null, accepted_at: null };
	const report: LegReport = { provider_id: 'phone', state: 'ringing', ...times, cause: null };
	const path = `${leg_path}/status`;
	const signature = signCallback(SECRET, Math.floor(Date.now() / 1000), path, JSON.stringify(report));
	const event = api('POST', `/v1${path}`, { [SIGNATURE_HEADER]: signature }, report);
	return { ...event, pathParameters: { call_id, leg_id: path.split('/').at(-2) ?? '' } };
}
