import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseJson } from '../../shared/adapters/telephony/provider-http.ts';
import { DialBody } from '../../shared/adapters/telephony/simulator/simulator.ts';
import { close, listen, pathsOnly, readBody } from '../http-server.ts';
import { exchange, type PhoneExchange } from './exchange.ts';
import type { DialCount, RingLogEntry } from './ring-log.ts';
import type { SwitchboardOptions } from './switchboard.ts';

export type PhoneNetwork = {
	/** The address of the network, for the settings of the adapter. */
	readonly url: string;
	/** The entries of the ring log, oldest first. */
	log(): readonly RingLogEntry[];
	dials(): readonly DialCount[];
	/** Stops at once, as if the process were killed. Live legs stay in the state file. */
	close(): Promise<void>;
};

type NetworkResponse = { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> };

/** Starts a simulated phone network on a free local port. */
export async function startPhoneNetwork(options: SwitchboardOptions): Promise<PhoneNetwork> {
	const switches = exchange(options);
	const server = createServer(
		pathsOnly((request, response) => {
			serve(switches, options.secret, request, response).catch(() => response.destroy());
		}),
	);
	const port = await listen(server, 0, '127.0.0.1');
	return {
		url: `http://127.0.0.1:${port}`,
		log: () => switches.log.entries(),
		dials: () => switches.log.dials(),
		async close() {
			switches.close();
			await close(server);
		},
	};
}

async function serve(
	switches: PhoneExchange,
	secret: string,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const content = await readBody(request);
	const isKnown = request.headers.authorization === `Bearer ${secret}`;
	const { status, body, headers } =
		content === null
			? { status: 413, body: null, headers: {} }
			: respond(switches, isKnown, request, content.toString('utf8'));
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(status === 204 ? undefined : JSON.stringify(body));
}

function respond(switches: PhoneExchange, isKnown: boolean, request: IncomingMessage, text: string): NetworkResponse {
	const [, resource, id, action] = (request.url ?? '').split('?', 1)[0]?.split('/') ?? [];
	const route = `${request.method} /${resource}${id === undefined ? '' : '/id'}${action === undefined ? '' : `/${action}`}`;
	if (!isKnown) return { status: 401, body: { error: 'unauthenticated' } };
	switch (route) {
		case 'POST /legs':
			return dial(switches, text);
		case 'GET /legs/id': {
			const report = switches.lookup(id ?? '');
			return report === null ? { status: 404, body: { error: 'unknown_leg' } } : { status: 200, body: report };
		}
		case 'POST /legs/id/hangup':
			return { status: hangupStatus[switches.hangup(id ?? '')], body: null };
		case 'DELETE /legs/id':
			return { status: forgetStatus[switches.forget(id ?? '')], body: null };
		default:
			return { status: 404, body: { error: 'unknown_path' } };
	}
}

const forgetStatus = { forgotten: 204, live: 409, unknown: 404 } as const;
const hangupStatus = { hung_up: 204, already_over: 409, unknown: 404 } as const;

function dial(switches: PhoneExchange, text: string): NetworkResponse {
	const body = DialBody.safeParse(parseJson(text));
	if (!body.success) return { status: 400, body: { error: 'malformed' } };
	const leg = switches.dial(body.data);
	switch (leg.outcome) {
		case 'accepted':
			return { status: 201, body: { provider_id: leg.provider_id } };
		case 'throttled':
			return { status: 429, body: { error: 'throttled' }, headers: { 'retry-after': '1' } };
		case 'refused':
			return { status: 422, body: { error: 'refused' } };
		case 'failed':
			return { status: 500, body: { error: 'internal' } };
	}
}
