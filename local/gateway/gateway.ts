import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { OperatorError } from '../../ops/operator-error.ts';
import { close, listen, pathsOnly, readBody } from '../http-server.ts';
import type { LocalFunction } from '../lambda/functions.ts';
import type { NamedResource } from '../template.ts';
import { httpEvent, type MatchedRoute, pathOf, refuseOnSocket, writeMessage, writeResponse } from './http-event.ts';

/** The limits of API Gateway for HTTP APIs. */
export const MAX_HEADER_BYTES = 10_240;
const INTEGRATION_TIMEOUT_MS = 30_000;

export type GatewayRoute = { readonly routeKey: string; readonly target: Pick<LocalFunction, 'invoke'> };
export type Gateway = { readonly port: number; close(): Promise<void> };

export function routesOf(
	routes: readonly NamedResource[],
	integrations: readonly NamedResource[],
	functionByArn: (arn: string) => LocalFunction,
): readonly GatewayRoute[] {
	return routes.map(({ properties }) => {
		const id = String(properties['Target']).split('/').at(-1);
		const integration = integrations.find((candidate) => candidate.id === id);
		const target = functionByArn(String(integration?.properties['IntegrationUri']));
		return { routeKey: String(properties['RouteKey']), target };
	});
}

type Candidate = GatewayRoute & { readonly method: string; readonly parts: readonly string[] };

/**
 * Returns a function that chooses the most specific route, as API Gateway does: fixed parts go before {parameters}, and
 * `$default` comes last.
 */
export function matcher(routes: readonly GatewayRoute[]) {
	const candidates: Candidate[] = routes
		.filter(({ routeKey }) => routeKey !== '$default')
		.map((route) => {
			const [method = '', path = ''] = route.routeKey.split(' ');
			if (method === 'ANY' || path.includes('+}'))
				throw new OperatorError(`${route.routeKey}: routes of any method or path cannot be run on one machine`);
			return { ...route, method, parts: path.split('/') };
		})
		.sort((a, b) => parameters(a) - parameters(b));
	const fallback = routes.find(({ routeKey }) => routeKey === '$default');
	return (method: string, path: string): (MatchedRoute & GatewayRoute) | null => {
		const parts = path.split('/');
		const match = candidates.find((route) => route.method === method && fits(route.parts, parts));
		if (match !== undefined) return { ...match, pathParameters: parametersOf(match.parts, parts) };
		return fallback === undefined ? null : { ...fallback, pathParameters: null };
	};
}

const isParameter = (part: string): boolean => part.startsWith('{');
const parameters = ({ parts }: Candidate): number => parts.filter(isParameter).length;

function fits(templateParts: readonly string[], pathParts: readonly string[]): boolean {
	const same = (part: string, i: number): boolean => (isParameter(part) ? pathParts[i] !== '' : part === pathParts[i]);
	return templateParts.length === pathParts.length && templateParts.every(same);
}

function parametersOf(templateParts: readonly string[], pathParts: readonly string[]): Record<string, string> | null {
	const pairs = templateParts.flatMap((part, i) =>
		isParameter(part) ? [[part.slice(1, -1), pathParts[i] ?? '']] : [],
	);
	return pairs.length === 0 ? null : Object.fromEntries(pairs);
}

/** Starts the gateway. With port 0, the gateway uses any free port. */
export async function startGateway(port: number, routes: readonly GatewayRoute[]): Promise<Gateway> {
	const match = matcher(routes);
	// A request to upgrade the connection is only an offer, which a server may ignore. For example, curl offers HTTP/2.
	const shouldUpgradeCallback = (): boolean => false;
	const server = createServer(
		{ maxHeaderSize: MAX_HEADER_BYTES, shouldUpgradeCallback },
		pathsOnly((request, response) => void serveRoutes(request, response, match)),
	);
	server.on('clientError', refuseUnread);
	return { port: await listen(server, port), close: () => close(server) };
}

/**
 * Called if Node.js could not read a request as HTTP. The gateway then answers in its own format, and no function gets the
 * request.
 */
export function refuseUnread(error: NodeJS.ErrnoException, socket: Duplex): void {
	if (error.code === 'ECONNRESET' || !socket.writable) {
		socket.destroy();
		return;
	}
	refuseOnSocket(socket, error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400);
}

/**
 * Passes the request to the function of its route and writes the response. If the function fails, the response is a 500, as
 * on API Gateway.
 */
export async function serveRoutes(
	request: IncomingMessage,
	response: ServerResponse,
	match: ReturnType<typeof matcher>,
): Promise<void> {
	await serve(request, response, match).catch(() => {
		if (!response.headersSent) writeMessage(response, 500, 'Internal Server Error');
		else response.destroy();
	});
}

async function serve(
	request: IncomingMessage,
	response: ServerResponse,
	match: ReturnType<typeof matcher>,
): Promise<void> {
	const body = await readBody(request);
	if (body === null) return writeMessage(response, 413, 'Request Entity Too Large');
	const route = match(request.method ?? 'GET', pathOf(request));
	if (route === null) return writeMessage(response, 404, 'Not Found');
	const { promise: late, resolve: giveUp } = Promise.withResolvers<null>();
	const timer = setTimeout(() => giveUp(null), INTEGRATION_TIMEOUT_MS);
	const result = await Promise.race([route.target.invoke(httpEvent(request, body, route, new Date())), late]);
	clearTimeout(timer);
	if (result === null) return writeMessage(response, 503, 'Service Unavailable');
	// The function may also have exceeded its time-out. The gateway treats a time-out like any other error.
	if (result.invoked !== 'ok') return writeMessage(response, 500, 'Internal Server Error');
	writeResponse(response, result.result);
}
