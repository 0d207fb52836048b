import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod/mini';
import type { LocalFunction } from '../lambda/functions.ts';
import { type Connecting, connectEvent, gatewayId } from './connect-event.ts';
import { pathOf, refuseOnSocket } from './http-event.ts';

// The WebSocket APIs of the template and their open connections, with API Gateway's quotas:
// https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html

const IDLE_MS = 10 * 60_000;
const LIFETIME_MS = 2 * 60 * 60_000;
/** The quota of a frame. API Gateway joins frames up to 128 KB to one message; a browser sends short messages in one. */
const MAX_FRAME_BYTES = 32 * 1024;
/** The close code for both quotas of time. */
const GOING_AWAY = 1001;

/** A stage of a WebSocket API, and the function of its `$connect` route. */
export type WebSocketApi = {
	readonly api_id: string;
	readonly stage: string;
	readonly connect: Pick<LocalFunction, 'invoke'>;
};

/** The other side of the connections, for the functions that post to them. */
export type Connections = {
	/** The id of the API with this stage; null if there is none. */
	apiOf(stage: string): string | null;
	/** Sends one text message; false if the stage has no such open connection. */
	post(stage: string, connection_id: string, text: string): Promise<boolean>;
};

export type WebSockets = Connections & {
	/** Accepts connections to these stages, each at the path with its name. */
	serve(apis: readonly WebSocketApi[]): void;
	/** Handles the `upgrade` event of an HTTP server. */
	upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
	/** Aborts all connections. */
	close(): void;
};

/** Something that happens after a time, unless it is put off by the same time, or cancelled. */
export type Alarm = { putOff(): void; cancel(): void };
export type SetAlarm = (wait_ms: number, ring: () => void) => Alarm;

const wallAlarm: SetAlarm = (wait_ms, ring) => {
	const timer = setTimeout(ring, wait_ms).unref();
	return { putOff: () => void timer.refresh(), cancel: () => clearTimeout(timer) };
};

const FunctionAnswer = z.object({ statusCode: z.int() });

/** The status with which the function of `$connect` answers; 500 if it fails or answers with none. */
async function statusFrom(api: WebSocketApi, event: object): Promise<number> {
	const invoked = await api.connect.invoke(event);
	if (invoked.invoked !== 'ok') return 500;
	const status = FunctionAnswer.safeParse(invoked.result).data?.statusCode ?? 500;
	return status >= 200 && status <= 599 ? status : 500;
}

/** Runs the WebSocket APIs of one stack. `setAlarm`: replaced in tests, which do not wait for 10 minutes. */
export function webSockets(setAlarm: SetAlarm = wallAlarm): WebSockets {
	const stages = new Map<string, WebSocketApi>();
	const open = new Map<string, Open>();
	const sockets = new Set<Duplex>();
	// API Gateway names a subprotocol only if the function does, and compresses nothing.
	const handshakes = new WebSocketServer({
		noServer: true,
		maxPayload: MAX_FRAME_BYTES,
		perMessageDeflate: false,
		handleProtocols: () => false,
	});

	async function connect(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
		const now = new Date();
		const api = stages.get(pathOf(request).slice(1));
		if (api === undefined) return refuseOnSocket(socket, 403);
		const connection_id = gatewayId();
		const connecting = { api_id: api.api_id, stage: api.stage, connection_id };
		const status = await statusFrom(api, connectEvent(request, connecting, now));
		if (status > 299) return refuseOnSocket(socket, status);
		handshakes.handleUpgrade(request, socket, head, (client) => {
			open.set(connection_id, hold(client, connecting, setAlarm));
			client.once('close', () => open.delete(connection_id));
		});
	}

	return {
		serve(apis) {
			for (const api of apis) stages.set(api.stage, api);
		},
		upgrade(request, socket, head) {
			sockets.add(socket);
			socket.once('close', () => sockets.delete(socket));
			// The client may leave while the function runs.
			socket.on('error', () => socket.destroy());
			connect(request, socket, head).catch(() => refuseOnSocket(socket, 500));
		},
		apiOf: (stage) => stages.get(stage)?.api_id ?? null,
		async post(stage, connection_id, text) {
			const connection = open.get(connection_id);
			return connection?.stage === stage && (await connection.send(text));
		},
		close() {
			for (const socket of sockets) socket.destroy();
		},
	};
}

type Open = { readonly stage: string; send(text: string): Promise<boolean> };

/** Answers the client's messages and enforces the quotas of an accepted connection. */
function hold(client: WebSocket, { stage, connection_id }: Connecting, setAlarm: SetAlarm): Open {
	const leave = (reason: string) => () => client.close(GOING_AWAY, reason);
	const idle = setAlarm(IDLE_MS, leave('Idle connection timeout'));
	const lifetime = setAlarm(LIFETIME_MS, leave('Connection duration exceeded'));
	client.once('close', () => {
		idle.cancel();
		lifetime.cancel();
	});
	// A frame that is too large: ws closes the connection with 1009.
	client.on('error', () => undefined);
	client.on('ping', () => idle.putOff());
	client.on('message', () => {
		idle.putOff();
		// The template has no route for messages.
		client.send(JSON.stringify({ message: 'Forbidden', connectionId: connection_id, requestId: gatewayId() }));
	});
	return {
		stage,
		async send(text) {
			if (client.readyState !== client.OPEN) return false;
			idle.putOff();
			return await new Promise<boolean>((sent) => client.send(text, (error) => sent(!error)));
		},
	};
}
