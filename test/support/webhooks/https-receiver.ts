import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import { freePort } from '../../../local/aws/dynamodb.ts';
import { localCertificates } from '../../../local/certificates.ts';
import { temporaryDirectory } from '../temporary.ts';

/** `silent`: the receiver never responds. `reset`: it breaks the connection. */
export type Answer = { readonly status: number; readonly body?: string } | 'silent' | 'reset';
export type Post = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/**
 * A customer's HTTPS server on this machine, which the functions of a whole stack can reach. Tests can change its responses while
 * it runs.
 */
export async function startHttpsReceiver() {
	const { key_pem, cert_pem, ca_file } = await localCertificates(temporaryDirectory('call-back-receiver-'));
	const posts: Post[] = [];
	let answer: (post: Post) => Answer = () => ({ status: 204 });
	const server = createServer({ key: key_pem, cert: cert_pem }, (request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const post = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
			posts.push(post);
			const answered = answer(post);
			if (answered === 'silent') return;
			if (answered === 'reset') return void response.destroy();
			const { status, body = '' } = answered;
			response.writeHead(status, { 'content-type': 'text/html' }).end(body);
		});
	});
	const port = await freePort();
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	return {
		posts,
		/** The options with which a stack can reach and trust this server. */
		options: { allow_webhook_hosts: [`localhost:${port}`], trust: ca_file },
		url: (path: string) => `https://localhost:${port}${path}`,
		answers(next: (post: Post) => Answer) {
			answer = next;
		},
		async stop() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}
