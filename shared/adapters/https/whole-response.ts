import type { ClientRequest, IncomingMessage } from 'node:http';

/** A response with its whole body, or the reason why there is none: `timeout`, `too_long`, or the code of Node's error. */
export type WholeResponse =
	| { readonly response: IncomingMessage; readonly body: Buffer }
	| { readonly failed: string; readonly response: IncomingMessage | null };

/**
 * Resolves when the whole response has arrived. The request is destroyed if the response takes longer than `timeoutMs` or
 * has more than `mostBytes`, or if the request fails.
 */
export function wholeResponse(
	request: ClientRequest,
	timeoutMs: number,
	mostBytes = Number.POSITIVE_INFINITY,
): Promise<WholeResponse> {
	return new Promise((resolve) => {
		let responseSoFar: IncomingMessage | null = null;
		const timer = setTimeout(() => fail('timeout'), timeoutMs);
		function fail(failed: string): void {
			clearTimeout(timer);
			resolve({ failed, response: responseSoFar });
			request.destroy();
		}
		// If the response is complete, the error is about bytes after the response. The response's own 'end' event still
		// comes.
		function failWith(error: NodeJS.ErrnoException): void {
			if (!responseSoFar?.complete) fail(error.code ?? error.name);
		}
		request.on('error', failWith);
		// If the response has begun, its own 'error' event gives the reason.
		request.on('close', () => {
			if (responseSoFar === null) fail('closed');
		});
		request.on('response', (response) => {
			responseSoFar = response;
			const chunks: Buffer[] = [];
			let size = 0;
			response.on('data', (chunk: Buffer) => {
				chunks.push(chunk);
				size += chunk.byteLength;
				if (size > mostBytes) fail('too_long');
			});
			response.on('error', failWith);
			response.on('end', () => {
				clearTimeout(timer);
				resolve({ response, body: Buffer.concat(chunks) });
			});
		});
	});
}
