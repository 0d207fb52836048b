/** An answer of the API, read whole. */
export type Answer = {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
	readonly json: any;
};

type Send = {
	readonly method?: string;
	readonly body?: unknown;
	/** Sent as it is instead of `body`. */
	readonly raw?: string | Uint8Array;
	readonly headers?: Readonly<Record<string, string>>;
};

/** One request to the API; a body goes as JSON unless `raw`. */
export async function call(base_url: string, path: string, send: Send = {}): Promise<Answer> {
	const body = send.raw ?? (send.body === undefined ? null : JSON.stringify(send.body));
	const response = await fetch(`${base_url}${path}`, {
		method: send.method ?? (body === null ? 'GET' : 'POST'),
		headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), ...send.headers },
		body: body as string | null,
	});
	const text = await response.text();
	const json = text === '' ? null : JSON.parse(text);
	return { status: response.status, headers: response.headers, text, json };
}

/** Asks again while the service says that it is busy, as a machine under load may be: nothing was changed then. */
export async function patiently(ask: () => Promise<Answer>): Promise<Answer> {
	for (let tries = 1; ; tries += 1) {
		const answer = await ask();
		if (answer.status !== 503 || answer.json?.code === 'calls_unavailable' || tries === 10) return answer;
	}
}

type Site = { readonly workspace_key: string; readonly allowed_origin: string };

/** A visitor's request as the widget sends it; each test varies what it is about. */
export function visitorBody(site: Site, changes: Readonly<Record<string, unknown>> = {}) {
	return {
		workspace_key: site.workspace_key,
		phone: '+12025550101',
		name: 'Ada',
		consent: true,
		page_url: `${site.allowed_origin}/pricing`,
		...changes,
	};
}

/** Asks again until it holds. Time passes in the stack, not by sleeping a fixed while. */
export async function eventually<T>(what: string, ask: () => Promise<T | null>, within_ms = 20_000): Promise<T> {
	const deadline = Date.now() + within_ms;
	for (;;) {
		const answer = await ask();
		if (answer !== null) return answer;
		if (Date.now() > deadline) throw new Error(`did not happen within ${within_ms} ms: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}
