import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../local/aws/dynamodb.ts';
import { answers } from '../../local/single.ts';

const PEER_PACKAGES = join(import.meta.dirname, '../bench-peers/node_modules/bullmq');

export type Redis = { readonly port: number; stop(): Promise<void> };

/** The reason why there is no peer to measure against; null if there is one. */
export async function lacksPeer(): Promise<string | null> {
	if ((await redisVersion()) === null) return 'no redis-server on this machine (Debian: apt-get install redis-server)';
	return existsSync(PEER_PACKAGES) ? null : 'BullMQ is not installed (npm ci --prefix tools/bench-peers)';
}

/** Its version, or null if this machine has no redis-server. */
export async function redisVersion(): Promise<string | null> {
	try {
		const { stdout } = await promisify(execFile)('redis-server', ['--version']);
		return /v=([\d.]+)/.exec(stdout)?.[1] ?? 'unknown';
	} catch {
		return null;
	}
}

/** Starts Redis with default settings but without persistence, its fastest mode. Null if there is no peer. */
export async function startRedis(): Promise<Redis | null> {
	if ((await lacksPeer()) !== null) return null;
	const port = await freePort();
	const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
	const server = spawn('redis-server', args, { stdio: 'ignore' });
	while (!(await answers({ host: '127.0.0.1', port }))) {
		if (server.exitCode !== null) throw new Error(`redis-server ended with ${server.exitCode}`);
		await wait(20);
	}
	return {
		port,
		async stop() {
			const ended = once(server, 'exit');
			server.kill();
			await ended;
		},
	};
}
