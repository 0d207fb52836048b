import { type Asked, startScripted } from '../scripted-server.ts';

export type { Asked };
export type Answering = {
	readonly status: number;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
};

/**
 * A provider's REST API that gives the test's responses and records the requests. `reset` breaks the connection, and `silence`
 * never responds.
 */
export async function startProviderApi(answer: (asked: Asked) => Answering | 'reset' | 'silence') {
	const { stop: close, ...server } = await startScripted((response, asked) => {
		const said = answer(asked);
		if (said === 'reset') response.destroy();
		else if (said !== 'silence') response.writeHead(said.status, said.headers).end(textOf(said.body));
	});
	return { ...server, close };
}

/** Text is sent unchanged, for responses such as AWS's XML. Everything else is sent as JSON. */
function textOf(body: unknown): string {
	return typeof body === 'string' ? body : JSON.stringify(body ?? {});
}
