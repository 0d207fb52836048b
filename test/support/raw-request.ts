import { connect } from 'node:net';

/** Sends raw bytes, for requests that no HTTP client would send; the answer as it came. */
export async function raw(port: number, text: string, host = 'localhost'): Promise<string> {
	const socket = connect(port, host);
	socket.end(text);
	let answer = '';
	for await (const chunk of socket) answer += String(chunk);
	return answer;
}
