import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type NetConnectOpts, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '../ops/operator-error.ts';

/**
 * Makes this process the only stack on a state directory, until you call the returned function or the process ends for any
 * reason. Throws an `OperatorError` if another stack uses the directory. A socket on which no process listens does not count,
 * because a killed process has left it.
 */
export async function claimState(stateDir: string): Promise<() => Promise<void>> {
	const name = createHash('sha256').update(stateDir).digest('hex').slice(0, 16);
	// The socket is not in the directory itself, because the path of a socket can have only about 100 characters.
	const path = join(tmpdir(), `call-back-${name}.sock`);
	if (await answers({ path })) {
		throw new OperatorError(`A stack is running on ${stateDir} already; stop it, or choose another with --state-dir.`);
	}
	rmSync(path, { force: true });
	const server = createServer((socket) => socket.destroy());
	server.listen(path);
	await once(server, 'listening');
	server.unref();
	return () => releasePort(server);
}

async function releasePort(server: Server): Promise<void> {
	await new Promise<void>((resolve) => server.close(() => resolve()));
}

/** Whether a process listens at this address. */
export async function answers(place: NetConnectOpts): Promise<boolean> {
	const socket = connect(place);
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}
