import { readdirSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

// A stack that was killed leaves sockets and copies in the temporary directory. Each start removes what stacks have left.

/** The socket of the queues is in a folder of its own, with this prefix. */
export const QUEUES_PREFIX = 'call-back-queues-';
export const QUEUES_SOCKET = 'sqs.sock';
/** The prefix of the folder into which a start copies the databases to read them. */
export const COPY_PREFIX = 'call-back-state-';

/**
 * What a stack may leave. `name` is the pattern of its name. `socket` is the socket on which the stack listened, or null if
 * there is none.
 */
const KINDS = [
	{ name: new RegExp(`^${QUEUES_PREFIX}\\w{6}$`), socket: (path: string) => join(path, QUEUES_SOCKET) },
	{ name: new RegExp(`^${COPY_PREFIX}\\w{6}$`), socket: () => null },
	// The socket with which a stack claims its state directory.
	{ name: /^call-back-[0-9a-f]{16}\.sock$/, socket: (path: string) => path },
];
/** A stack that is younger than this may still be starting, so it may not listen on its socket yet. */
const STARTING_MS = 60_000;

/** Removes old copies, and sockets on which no process listens any more. */
export async function removeLeftovers(directory: string, nowMs: number): Promise<void> {
	await Promise.all(
		readdirSync(directory).map(async (name) => {
			const kind = KINDS.find((each) => each.name.test(name));
			if (kind === undefined) return;
			const path = join(directory, name);
			const ageMs = nowMs - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? nowMs);
			const socket = kind.socket(path);
			if (ageMs < STARTING_MS || (socket !== null && !(await isAbandoned(socket)))) return;
			try {
				rmSync(path, { recursive: true, force: true });
			} catch {
				// The file stays. Most likely it belongs to another user.
			}
		}),
	);
}

/**
 * Whether no process listens on a socket. Only two errors show that no process listens. Any other error, such as a full backlog,
 * shows that a process listens.
 */
function isAbandoned(path: string): Promise<boolean> {
	const { promise, resolve } = Promise.withResolvers<boolean>();
	const socket = connect({ path });
	socket.once('connect', () => resolve(false));
	socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'ECONNREFUSED' || code === 'ENOENT'));
	return promise.finally(() => socket.destroy());
}
