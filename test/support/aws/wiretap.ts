import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage } from 'node:http';
import { inflateRawSync } from 'node:zlib';

/** Stands before an AWS stand-in and keeps every request and answer: what was ever written, also what is gone since. */
export type Wiretap = { readonly url: string; heard(): string; close(): Promise<void> };

async function read(stream: IncomingMessage): Promise<Buffer> {
	const chunks: Buffer[] = [];
	for await (const chunk of stream) chunks.push(Buffer.from(chunk));
	return Buffer.concat(chunks);
}

export async function startWiretap(to: string): Promise<Wiretap> {
	const heard: string[] = [];
	const server = createServer((request, response) => {
		void read(request).then((body) => {
			heard.push(unpacked(body.toString('utf8')));
			const onward = forward(`${to}${request.url}`, { method: 'POST', headers: request.headers }, (answer) => {
				void read(answer).then((bytes) => {
					heard.push(unpacked(bytes.toString('utf8')));
					response.writeHead(answer.statusCode ?? 500, answer.headers).end(bytes);
				});
			});
			onward.on('error', () => response.destroy());
			onward.end(body);
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	const port = typeof address === 'object' ? address?.port : undefined;
	return {
		url: `http://127.0.0.1:${port}`,
		heard: () => heard.join('\n'),
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

/** With the table's compressed fields in clear behind them. */
export function unpacked(text: string): string {
	const packed = [...text.matchAll(/"B":\s*"([A-Za-z0-9+/=]+)"/g)].map(([, base64 = '']) =>
		inflateRawSync(Buffer.from(base64, 'base64')).toString('utf8'),
	);
	return [text, ...packed].join('\n');
}
