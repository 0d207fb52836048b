import { type Asked, startScripted } from '../scripted-server.ts';

export type { Asked };
export type Answering = {
	readonly status: number;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
};

/** A provider's REST API with given responses, which records its requests. `reset` breaks the connection. */
export async function startProviderApi(answer: (asked: Asked) => Answering | 'reset' | 'silence') {
	const { stop: close, ...server } = await startScripted((response, asked) => {
		const said = answer(asked);
		if (said === 'reset') response.destroy();
		else if (said !== 'silence') response.writeHead(said.status, said.headers).end(textOf(said.body));
	});
	return { ...server, close };
}

/** Text is an answer of its own, such as AWS's XML; everything else is JSON. */
function textOf(body: unknown): string {
	return typeof body === 'string' ? body : JSON.stringify(body ?? {});
}
