import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/**
 * Sends raw bytes, for requests that no HTTP client would send. Returns the whole response as text. With `tls`, it accepts any
 * certificate.
 */
export async function raw(port: number, text: string, host = 'localhost', tls = false): Promise<string> {
	const socket = tls ? connectSecurely({ port, host, rejectUnauthorized: false }) : connect(port, host);
	socket.end(text);
	let answer = '';
	for await (const chunk of socket) answer += String(chunk);
	return answer;
}
