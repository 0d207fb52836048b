import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse } from 'aws-lambda';
import { authority, keyPem, leaf, newPair } from '../../../local/certificates.ts';
import { operatorDeps, readOperatorEnv } from '../../../ops/connect.ts';
import { plainConfig } from '../../../shared/adapters/aws/client/account.ts';
import {
	DialBody,
	type LegReport,
	SIGNATURE_HEADER,
	signCallback,
} from '../../../shared/adapters/telephony/simulator/simulator.ts';
import { newSession, SESSION_COOKIE } from '../../../shared/domain/desk/session-cookie.ts';
import { formatSecret } from '../../../shared/domain/kernel/link-token.ts';
import type { RequestEvent } from '../../../shared/http/edge/request.ts';
import type { HttpResponse } from '../../../shared/http/edge/response.ts';
import { overrides } from '../../../shared/overrides.ts';
import type { functionStandIns } from '../aws/function-stand-ins.ts';
import { listen } from '../listen.ts';
import { bearer, type Customer, newCustomerWith } from '../webhooks/customers.ts';
import { tlsReceiver } from '../webhooks/receiver.ts';
import { always, put } from '../writes.ts';

/** The work of one function for one request or for one batch of messages. */
export type Part = { readonly flow: string; readonly by: string; readonly isFirst: boolean };
/** Runs a part (`act`) and records its requests to AWS. */
export type Watch = (part: Part, act: () => Promise<unknown>) => Promise<void>;

type Env = Awaited<ReturnType<typeof functionStandIns>>['env'];
type Messages = { readonly Records: readonly { readonly messageId: string; readonly body: string }[] };

const SECRET = 'x'.repeat(32);
/**
 * The events of two endpoints, by the path of each endpoint's URL. So `call.requested` has one delivery and `call.ringing` has
 * two.
 */
const EVENTS = { '/one': ['call.requested', 'call.ringing'], '/two': ['call.ringing'] };
const OWNER = 'ida@shop.example';
const BATCH = 10;

/**
 * Calls the functions one after another for the work that visitors, phones, receivers and people at the desk cause. The
 * functions run in this process, on the stand-ins. Almost every part runs twice: first as in a new process, then with the
 * caches of the first run. The receiver answers with `status`.
 */
export async function playFlows(env: Env, status: '200 OK' | '503 Busy', watch: Watch): Promise<void> {
	const place = await prepare(env, status);
	try {
		await playIn(place, watch);
	} finally {
		await place.stop();
	}
}

type Place = Awaited<ReturnType<typeof prepare>>;

async function playIn({ customer, cookie, receiver, network, queue }: Place, watch: Watch): Promise<void> {
	const client = bearer(customer.api_key);
	const both = async (flow: string, by: string, act: (n: number) => Promise<unknown>): Promise<void> => {
		await watch({ flow, by, isFirst: true }, () => act(0));
		await watch({ flow, by, isFirst: false }, () => act(1));
	};
	const { handler: createEndpoint } = await import('../../../functions/api/webhooks/create-webhook-endpoint.ts');
	for (const [path, events] of Object.entries(EVENTS)) {
		const endpoint = api('POST', '/v1/webhook-endpoints', client, { url: `${receiver.url}${path}`, events });
		await answered(201, createEndpoint(endpoint, {}));
	}

	await both('A page opens the widget', 'get-widget-config', async () => {
		const { handler } = await import('../../../functions/api/widget/get-widget-config.ts');
		const page = { origin: customer.allowed_origin };
		const query = { workspace_key: customer.workspace_key };
		await answered(200, handler({ ...api('GET', '/v1/widget/config', page), queryStringParameters: query }, {}));
	});
	const calls: string[] = [];
	const request = async (): Promise<void> => {
		const { handler } = await import('../../../functions/api/widget/request-call.ts');
		const { data } = JSON.parse(await answered(202, handler(click(customer, calls.length), {})));
		calls.push(data.id);
	};
	await both('A click to the dial', 'request-call', request);
	const dials = await queue('DIAL_LEGS');
	await both('A click to the dial', 'dial-leg', async (n) => {
		const { handler } = await import('../../../functions/workers/dial-leg.ts');
		await consumed(handler(one(dials, n)));
	});
	await both('The widget asks for the status', 'get-call-request-status', async (n) => {
		const { handler } = await import('../../../functions/api/widget/get-call-request-status.ts');
		const page = api('GET', `/v1/widget/call-requests/${calls[n]}/status`, { origin: customer.allowed_origin });
		await answered(200, handler({ ...page, pathParameters: { id: calls[n] ?? '' } }, {}));
	});
	// Removes the messages that the requests above caused.
	await queue('DELIVERIES');
	await both("A phone's callback to the POST", 'receive-leg-callback', async (n) => {
		const { handler } = await import('../../../functions/api/calls/receive-leg-callback.ts');
		await answered(204, handler(report('status', network.dial(n), 'ringing'), {}));
	});
	const ringing = await queue('DELIVERIES', 4);
	const { handler: deliver } = await import('../../../functions/workers/deliver-webhook.ts');
	await both("A phone's callback to the POST", 'deliver-webhook', (n) => consumed(deliver(one(ringing, 2 * n))));
	await both('A member answers', 'instruct-leg', async (n) => {
		const { handler } = await import('../../../functions/api/calls/instruct-leg.ts');
		await answered(200, handler(report('instructions', network.dial(n), 'answered'), {}));
	});
	// The first call to end on a day also records the page that it came from.
	await both('A call ends', 'cancel-call', async (n) => {
		const { handler } = await import('../../../functions/api/calls/cancel-call.ts');
		const event = api('POST', `/v1/calls/${calls[n]}/cancel`, client, {});
		await answered(200, handler({ ...event, pathParameters: { id: calls[n] ?? '' } }, {}));
	});
	for (let n = 0; n < BATCH; n += 1) await request();
	const ten = await queue('DELIVERIES', BATCH);
	await watch({ flow: 'A batch of ten deliveries', by: 'deliver-webhook', isFirst: false }, () =>
		consumed(deliver(ten)),
	);
	await both('A list of twelve calls', 'list-calls', async () => {
		const { handler } = await import('../../../functions/api/calls/list-calls.ts');
		await answered(200, handler(api('GET', '/v1/calls', client), {}));
	});
	await both('A list of its deliveries', 'list-webhook-deliveries', async () => {
		const { handler } = await import('../../../functions/api/webhooks/list-webhook-deliveries.ts');
		await answered(200, handler(api('GET', '/v1/webhook-deliveries', client), {}));
	});
	for (const page of ['today', 'calls', 'numbers', 'team']) {
		await both(`The page ${page} of the desk`, 'show-desk', async () => {
			const { handler } = await import('../../../functions/api/desk/show-desk.ts');
			const event = { ...api('GET', `/v1/desk/pages/${page}`, {}), cookies: [cookie], pathParameters: { page } };
			await answered(200, handler(event, {}));
		});
	}
}

async function answered(status: number, answer: Promise<HttpResponse>): Promise<string> {
	const { statusCode, body = '' } = await answer;
	if (statusCode !== status) throw new Error(`a function answered ${statusCode} ${body}`);
	return body;
}

async function consumed(result: Promise<SQSBatchResponse>): Promise<void> {
	const { batchItemFailures } = await result;
	if (batchItemFailures.length > 0) throw new Error(`${batchItemFailures.length} messages failed`);
}

const one = ({ Records }: Messages, n: number): Messages => ({ Records: Records.slice(n, n + 1) });

/** A deployment with one customer, who has a desk and a receiver, and with a phone provider that accepts every dial. */
async function prepare(env: Env, status: string) {
	const operator = await operatorDeps(readOperatorEnv({ ...env, NUMBER_KEY_ID: env.SEALING_KEY_ID }));
	const since = new Date(0).toISOString();
	const owner = { address: OWNER, role: 'owner', sessions_from: since } as const;
	// In this zone, days always begin at 07:00 UTC. From the same time on, the figures of yesterday (UTC) can be added up. So at each
	// time of the day, Statistics reads as many days that are added up.
	const time_zone = 'America/Phoenix';
	const customer = await newCustomerWith(operator, { desk: [owner], time_zone });
	const secret = new Uint8Array(randomBytes(32));
	const session = newSession(secret, { workspace_id: customer.workspace_id, address: OWNER }, Date.now());
	await operator.store.commit([put('desk_session', session, always)]);
	const [caKeys, keys] = await Promise.all([newPair(), newPair()]);
	const ca = await authority(caKeys);
	const cert = await leaf({ keys, ca, signingKey: caKeys.privateKey }, [{ type: 'dns', value: 'localhost' }]);
	const tls = { key: await keyPem(keys.privateKey), cert: cert.toString('pem') };
	const receiver = await tlsReceiver(tls, (socket) => socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`));
	const exempt = { trusted_ca_pem: ca.toString('pem'), allowed_webhook_hosts: [`localhost:${receiver.port}`] };
	// A slow machine must not make an adapter send a request a second time.
	Object.assign(overrides, { ...exempt, patience: 60 });
	const network = await phoneNetwork();
	const sqs = new SQSClient(plainConfig(env.AWS_ENDPOINT_URL_SQS, env));
	Object.assign(process.env, env, {
		TELEPHONY_PROVIDER: 'simulator',
		TELEPHONY_SETTINGS: JSON.stringify({ url: network.origin, secret: SECRET }),
		CALLER_NUMBER: '+13125550199',
		PUBLIC_BASE_URL: 'https://api.example/v1',
		WIDGET_SCRIPT: 'https://widget.example/widget.js',
	});
	return {
		customer,
		cookie: `${SESSION_COOKIE}=${formatSecret(secret)}`,
		receiver: { url: `https://localhost:${receiver.port}` },
		network,
		/** Receives messages from a queue and returns them as Lambda passes them to a function. */
		async queue(name: 'DIAL_LEGS' | 'DELIVERIES', count = 2): Promise<Messages> {
			const wanted = new ReceiveMessageCommand({ QueueUrl: env[`QUEUE_URL_${name}`], MaxNumberOfMessages: 10 });
			const { Messages = [] } = await sqs.send(wanted);
			if (Messages.length !== count) throw new Error(`${name}: ${Messages.length} messages, not ${count}`);
			return { Records: Messages.map(({ Body }, position) => ({ messageId: String(position), body: Body ?? '' })) };
		},
		async stop() {
			sqs.destroy();
			await Promise.all([receiver.stop(), network.close()]);
		},
	};
}

/** A phone provider that accepts every dial. `dial(n)`: its nth dial. */
async function phoneNetwork() {
	const dials: DialBody[] = [];
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			dials.push(DialBody.parse(JSON.parse(body)));
			response.writeHead(201).end(JSON.stringify({ provider_id: `phone-${dials.length}` }));
		});
	});
	const dial = (n: number): { readonly provider_id: string; readonly body: DialBody } => {
		const body = dials[n];
		if (body === undefined) throw new Error(`there was no dial ${n}`);
		return { provider_id: `phone-${n + 1}`, body };
	};
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

/** The request of a visitor who asks for a call. Each `n` has its own phone number. */
function click({ allowed_origin: origin, workspace_key }: Customer, n: number): RequestEvent {
	const headers = { origin, 'idempotency-key': `flow-${n}` };
	return api('POST', '/v1/widget/call-requests', headers, {
		workspace_key,
		phone: `+120255501${10 + n}`,
		name: 'Ada',
		consent: true,
		page_url: `${origin}/pricing`,
	});
}

/** The provider's request about a leg that it dialled. */
function report(
	to: 'status' | 'instructions',
	{ provider_id, body: { call_id, leg_path } }: { readonly provider_id: string; readonly body: DialBody },
	state: 'ringing' | 'answered',
): RequestEvent {
	const now = new Date().toISOString();
	const answered_at = state === 'answered' ? now : null;
	const said: LegReport = { provider_id, state, at: now, ringing_at: now, answered_at, accepted_at: null, cause: null };
	const path = `${leg_path}/${to}`;
	const signature = signCallback(SECRET, Math.floor(Date.now() / 1000), path, JSON.stringify(said));
	const event = api('POST', `/v1${path}`, { [SIGNATURE_HEADER]: signature }, said);
	return { ...event, pathParameters: { call_id, leg_id: path.split('/').at(-2) ?? '' } };
}
