import { expect, it } from '@jest/globals';
import { startGateway } from '../../local/gateway/gateway.ts';
import { raw } from '../support/raw-request.ts';

// Requests that the gateway refuses before it calls any function.

it.each([
	['a head over 10,240 bytes', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(10_240)}\r\n\r\n`, 431],
	['what is not HTTP', 'HELO there\r\n\r\n', 400],
	['a length that is no number', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n', 400],
	['a path of no route', 'GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 404],
])('the gateway itself answers %s in its own form: a message and its own request id', async (_, request, status) => {
	const gateway = await startGateway(0, []);
	const answer = await raw(gateway.port, request);
	expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
	expect(answer).toMatch(/\r\ncontent-type: application\/json\r\n/i);
	expect(answer).toMatch(/\r\napigw-requestid: [\w-]{10,}\r\n/i);
	expect(answer).toMatch(/\{"message":"[A-Z][A-Za-z ]+"\}/);
	await gateway.close();
});
