import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../local/aws/dynamodb.ts';
import { answers } from '../../local/single.ts';
import { installTools } from '../install.ts';

/** `lacks`: why there is no peer to measure against. */
export type Redis = { readonly port: number; stop(): Promise<void> } | { readonly lacks: string };

/** Starts Redis with default settings but without persistence, its fastest mode. */
export async function startRedis(): Promise<Redis> {
	if (!installTools('bench-peers')) return { lacks: 'BullMQ is not installed (npm ci --prefix tools/bench-peers)' };
	try {
		execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
	} catch {
		return { lacks: 'no redis-server on this machine (Debian: apt-get install redis-server)' };
	}
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
			server.kill();
			await once(server, 'exit');
		},
	};
}
