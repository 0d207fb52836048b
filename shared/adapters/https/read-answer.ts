import type { IncomingMessage } from 'node:http';

export type Answer = {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
};
export type ReadLimits = {
	/** Maximum bytes to read; then the socket is destroyed. */
	readonly read_bytes: number;
	/** Maximum bytes to keep. */
	readonly kept_bytes: number;
};

/** Reads to the end or to the maximum. Never decompresses the body. `cut`: the body is incomplete. */
export function readAnswer(
	response: IncomingMessage,
	limits: ReadLimits,
	done: (answer: Answer | 'cut') => void,
): void {
	const chunks: Buffer[] = [];
	let size = 0;
	const answer = (): Answer => ({
		status: response.statusCode ?? 0,
		headers: pick(response, ['retry-after', 'location']),
		body: Buffer.concat(chunks).subarray(0, limits.kept_bytes).toString('utf8'),
	});
	response.on('data', (chunk: Buffer) => {
		chunks.push(chunk);
		size += chunk.length;
		if (size < limits.read_bytes) return;
		done(answer());
		response.destroy();
	});
	response.on('end', () => done(answer()));
	// Also if the connection is closed before the end.
	response.on('error', () => done('cut'));
}

function pick(response: IncomingMessage, names: readonly string[]): Record<string, string> {
	const found = names.map((name) => [name, response.headers[name]] as const);
	return Object.fromEntries(found.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}
