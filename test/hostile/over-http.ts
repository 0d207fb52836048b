import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { Stack } from '../../local/stack.ts';
import { operatorDeps, readOperatorEnv } from '../../ops/connect.ts';
import { kmsMacs, kmsSecretVault } from '../../shared/adapters/aws/keys/kms.ts';
import type { Target } from './in-process.ts';
import type { HostileAnswer } from './judge.ts';
import type { HostileRequest } from './requests.ts';
import { ready } from './send.ts';
import { createWorld } from './world.ts';

// Sends hostile requests over a socket to a running stack with its gateway, its functions and their roles, its table and its
// queues.

/** Replaces the characters that Node.js refuses to send in a header. */
const sendable = (value: string): string => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?');

/** Clients escape these characters. All others are sent unchanged. */
const escaped = (target: string): string => target.replace(/[^\x21-\x7e]/gu, encodeURIComponent);

function headersOf(request: HostileRequest): OutgoingHttpHeaders {
	const headers: Record<string, string | string[]> = Object.create(null);
	for (const [name, value] of request.headers) {
		const known = headers[name];
		headers[name] = known === undefined ? sendable(value) : [known, sendable(value)].flat();
	}
	return headers;
}

/**
 * Sends one request without normalising it, except that `sendable` and `escaped` replace characters in its headers and its
 * URL.
 */
export function overHttp(origin: string, request: HostileRequest, agent: Agent): Promise<HostileAnswer> {
	const { promise, resolve, reject } = Promise.withResolvers<HostileAnswer>();
	const body = request.body === null ? null : Buffer.from(request.body, 'latin1');
	const { hostname, port } = new URL(origin);
	const headers = { ...headersOf(request), ...(body && { 'content-length': String(body.length) }) };
	const outgoing = httpRequest(
		{ hostname, port, agent, method: request.method, path: escaped(request.target), headers },
		(response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('error', reject);
			response.on('end', () => {
				const given = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
				const text = Buffer.concat(chunks).toString('utf8');
				resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(given), text, log: [], cpu_ms: null });
			});
		},
	);
	outgoing.on('error', reject);
	outgoing.end(body ?? undefined);
	return promise;
}

const REQUESTS_PER_WORLD = 400;

/** A running stack with two customers to attack. */
export async function overStack(stack: Stack): Promise<Target> {
	const json: Record<string, string> = JSON.parse(readFileSync(join(stack.state_dir, 'operator.json'), 'utf8'));
	const env = readOperatorEnv(json);
	const named = (name: string): string => json[name] ?? '';
	const vault = kmsSecretVault({ ...env, SECRET_KEY_ID: named('SECRET_KEY_ID') });
	const macs = kmsMacs({ ...env, MAC_KEY_ID: named('MAC_KEY_ID') });
	const deps = { ...(await operatorDeps(env)), macs, sealSecret: vault.sealSecret };
	const secret = readFileSync(join(stack.state_dir, 'phone-network.secret'), 'utf8');
	// The stack really sends deliveries. This host is the local stack's inbox, so no delivery leaves this machine.
	const own = { phone_network_secret: secret, webhook_host: new URL(stack.inbox_url).host };
	const newWorld = async () => ({ ...(await createWorld(deps)), ...own });
	const agent = new Agent({ keepAlive: true });
	let world = await newWorld();
	let sent = 0;
	return {
		async send(request) {
			sent += 1;
			if (sent % REQUESTS_PER_WORLD === 0) world = await newWorld();
			return { world, answer: await overHttp(stack.base_url, ready(request, world), agent) };
		},
		stop: async () => agent.destroy(),
	};
}
