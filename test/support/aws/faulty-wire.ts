import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { promisify } from 'node:util';
import { freePortOf } from '../listen.ts';

export type WireRequest = {
	readonly operation: string;
	/** Method and path of the request. */
	readonly asked: string;
	readonly headers: IncomingHttpHeaders;
	readonly body: string;
	/** The number of the connection that carried the request. The first opened connection is 1. */
	readonly connection: number;
};
export type WireAnswer = { readonly status: number; readonly body: string; readonly error_type?: string };
/** What happens to one request. `forward` passes the request on to the target. */
export type Fault = (request: WireRequest, forward: () => Promise<WireAnswer>) => Promise<WireAnswer | 'reset'>;

/** AWS carries out the request, but its response is lost. */
export const loseAnswer: Fault = async (_request, forward) => {
	await forward();
	return 'reset';
};
/** The request never reaches AWS. */
export const loseRequest: Fault = async () => 'reset';
/** AWS refuses the request. */
export const refuse = (code: string, status = 400, details: object = {}): Fault => {
	const body = JSON.stringify({ __type: `com.amazonaws#${code}`, message: 'said by the test', ...details });
	return async () => ({ status, body });
};

/**
 * A proxy with faults that the test sets for the next requests. It passes all other requests on to `target`, which is a stand-in
 * or a function that returns the test's own responses.
 */
export async function startWire(target: string | ((request: WireRequest) => WireAnswer | Promise<WireAnswer>)) {
	const seen: WireRequest[] = [];
	const faults: Fault[] = [];
	let lasting: Fault | null = null;
	const opened: Socket[] = [];
	const server = createServer((incoming, response) => void relay(incoming, response));
	server.on('connection', (socket) => opened.push(socket));
	async function relay(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const chunks: Buffer[] = [];
		for await (const chunk of incoming) chunks.push(chunk);
		const operation = String(incoming.headers['x-amz-target']).split('.').pop() ?? '';
		const asked = `${incoming.method} ${incoming.url}`;
		const connection = opened.indexOf(incoming.socket) + 1;
		const body = Buffer.concat(chunks).toString();
		const request = { operation, asked, headers: incoming.headers, body, connection };
		seen.push(request);
		const forward = async () => (typeof target === 'string' ? pass(target, request) : target(request));
		const answer = await ((faults.shift() ?? lasting)?.(request, forward) ?? forward());
		if (answer === 'reset') incoming.socket.destroy();
		else {
			const type = answer.error_type === undefined ? {} : { 'x-amzn-errortype': answer.error_type };
			response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0', ...type }).end(answer.body);
		}
	}
	const port = await freePortOf(server);
	return {
		endpoint: `http://127.0.0.1:${port}`,
		/** All requests so far, oldest first. */
		seen,
		/** Sets the faults of the next requests, one for each request. */
		fail: (...next: Fault[]) => void faults.push(...next),
		/** Sets the fault of every request until the test calls `mend`. */
		failAll: (fault: Fault) => {
			lasting = fault;
		},
		mend: () => {
			lasting = null;
			faults.length = 0;
		},
		/** How many connections were opened so far. */
		opened: () => opened.length,
		/** How many connections are open at this time. */
		connections: () => promisify(server.getConnections.bind(server))(),
		async stop() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
export type Wire = Awaited<ReturnType<typeof startWire>>;

/** Sends the request to `target` and returns its response. */
export async function pass(target: string, { headers, body }: WireRequest): Promise<WireAnswer> {
	const kept = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'].map((name) => [
		name,
		String(headers[name]),
	]);
	const response = await fetch(target, { method: 'POST', headers: Object.fromEntries(kept), body });
	return { status: response.status, body: await response.text() };
}
