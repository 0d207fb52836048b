import { createServer } from 'node:http';

export type Asked = {
	readonly method: string;
	readonly path: string;
	readonly headers: Readonly<Record<string, string | string[] | undefined>>;
	readonly body: string;
};
export type Answering = {
	readonly status: number;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
};

/** A provider's REST API with given responses, which records its requests. `reset` breaks the connection. */
export async function startProviderApi(answer: (asked: Asked) => Answering | 'reset' | 'silence') {
	const asked: Asked[] = [];
	let connections = 0;
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = Buffer.concat(chunks).toString('utf8');
			const seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
			asked.push(seen);
			const said = answer(seen);
			if (said === 'reset') request.socket.destroy();
			else if (said !== 'silence') response.writeHead(said.status, said.headers).end(textOf(said.body));
		});
	});
	server.on('connection', () => {
		connections += 1;
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as { port: number };
	return {
		url: `http://127.0.0.1:${port}`,
		asked,
		/** How many were opened so far. */
		connections: () => connections,
		close() {
			server.closeAllConnections();
			return new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}

/** Text is an answer of its own, such as AWS's XML; everything else is JSON. */
function textOf(body: unknown): string {
	return typeof body === 'string' ? body : JSON.stringify(body ?? {});
}
