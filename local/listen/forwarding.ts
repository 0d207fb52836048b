import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { localCertificates } from '../certificates.ts';
import { close, listen, pathsOnly, readBody } from '../http-server.ts';

/**
 * A delivery that was forwarded, with the status with which the receiver answered. `error` is set if the receiver did not
 * answer.
 */
export type ForwardedWebhook = {
	readonly at: string;
	readonly event: string;
	readonly delivery_id: string;
	readonly attempt: number;
	readonly status: number;
	readonly duration_ms: number;
	readonly error: string | null;
};

/**
 * The status for the service if the receiver does not answer. The service then retries the delivery, as after any failure.
 */
const BAD_GATEWAY = 502;

export type ForwardingOptions = {
	readonly port: number;
	/** The directory with the stack's certificate, which the service trusts. */
	readonly state_dir: string;
	readonly target: URL;
	readonly onForwarded: (webhook: ForwardedWebhook) => void;
};

/**
 * Receives webhooks over HTTPS and forwards each webhook unchanged over plain HTTP. The service gets the answer of the
 * receiver.
 */
export async function startForwarding({ port, state_dir, target, onForwarded }: ForwardingOptions) {
	const { key_pem: key, cert_pem: cert } = await localCertificates(state_dir);
	const receive = (request: IncomingMessage, response: ServerResponse): void => {
		const startedMs = performance.now();
		const tell = (status: number, error: string | null): void => {
			const header = (name: string): string => String(request.headers[name] ?? '');
			onForwarded({
				at: new Date().toISOString(),
				event: header('service-event'),
				delivery_id: header('service-delivery'),
				attempt: Number(header('service-attempt')),
				status,
				duration_ms: Math.round(performance.now() - startedMs),
				error,
			});
		};
		forward(request, response, target).then(
			(status) => tell(status, null),
			(error) => {
				const reason = error instanceof Error && 'code' in error ? String(error.code) : 'the connection broke off';
				// The trigger and the page of the delivery show this text. Without it, the receiver would seem to have answered 502.
				if (!response.headersSent) response.writeHead(BAD_GATEWAY, { 'content-type': 'text/plain' });
				response.end(`npm run listen: no answer from ${target.origin}${target.pathname} (${reason})`);
				tell(BAD_GATEWAY, reason);
			},
		);
	};
	const server = createServer({ key, cert }, pathsOnly(receive));
	await listen(server, port);
	return { close: () => close(server) };
}

/** Resolves to the receiver's status as soon as the receiver's response is complete. */
async function forward(request: IncomingMessage, response: ServerResponse, target: URL): Promise<number> {
	const body = await readBody(request);
	const { host: _host, connection: _connection, ...headers } = request.headers;
	const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
	httpRequest(target, { method: 'POST', headers }, resolve).on('error', reject).end(body);
	const answer = await promise;
	const { connection: _hop, 'keep-alive': _idle, 'transfer-encoding': _coding, ...otherHeaders } = answer.headers;
	const content = await readBody(answer);
	const status = answer.statusCode ?? BAD_GATEWAY;
	response.writeHead(status, otherHeaders).end(content);
	return status;
}
