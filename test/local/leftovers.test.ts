import { once } from 'node:events';
import { existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { removeLeftovers } from '../../local/leftovers.ts';

// The folder is in the system's own temporary directory, because the path of a socket has a maximum length.
const directory = mkdtempSync(join(tmpdir(), 'left-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const HOUR_MS = 3_600_000;
const path = (...parts: readonly string[]): string => join(directory, ...parts);

async function listenOn(socket: string) {
	const server = createServer((connection) => connection.destroy());
	server.listen(socket);
	await once(server, 'listening');
	return server;
}
/**
 * Leaves a socket behind, like a killed process. Closing the server removes only the name on which it listened, so the function
 * first gives the socket a second name.
 */
async function abandon(socket: string): Promise<void> {
	const server = await listenOn(`${socket}.own`);
	linkSync(`${socket}.own`, socket);
	server.close();
	await once(server, 'close');
}

it('a start removes the sockets and copies of killed stacks, and leaves those of running and starting stacks and of other programs', async () => {
	const dead = 'call-back-queues-dead01';
	const empty = 'call-back-queues-empty1';
	const live = 'call-back-queues-live01';
	const copy = 'call-back-state-copied';
	for (const name of [dead, empty, live, copy, 'call-back-kill-abc123']) mkdirSync(path(name));
	await abandon(path(dead, 'sqs.sock'));
	const claim = 'call-back-0123456789abcdef.sock';
	const claimed = 'call-back-fedcba9876543210.sock';
	await abandon(path(claim));
	writeFileSync(path('call-back-notes.sock'), '');
	const servers = [await listenOn(path(live, 'sqs.sock')), await listenOn(path(claimed))];

	await removeLeftovers(directory, Date.now());
	const left = [dead, empty, claim, copy];
	expect(left.filter((name) => !existsSync(path(name)))).toEqual([]);

	await removeLeftovers(directory, Date.now() + HOUR_MS);
	expect(left.filter((name) => existsSync(path(name)))).toEqual([]);
	const others = [live, claimed, 'call-back-kill-abc123', 'call-back-notes.sock'];
	expect(others.filter((name) => !existsSync(path(name)))).toEqual([]);
	for (const server of servers) server.close();
});
