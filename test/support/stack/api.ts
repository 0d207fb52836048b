import type { SentMail } from '../../../local/aws/mail.ts';

/** Longer than anything takes even on a busy machine, but shorter than `testTimeout` in test/jest.config.js. */
export const HANGS_AFTER_MS = 200_000;
/** Polls less often the longer a wait lasts, so that polling does not slow down what it waits for. */
const askAgainMs = (waitedMs: number): number => Math.min(Math.max(50, waitedMs / 5), 500);

/** A response of the API with its whole body. */
export type ApiResponse = {
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
	// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
	readonly json: any;
};

type Send = {
	readonly method?: string;
	readonly body?: unknown;
	/** Sent unchanged instead of `body`. */
	readonly raw?: string | Uint8Array;
	readonly headers?: Readonly<Record<string, string>>;
};

/** Sends one request to the API. `body` is sent as JSON, `raw` unchanged. */
export async function call(baseUrl: string, path: string, send: Send = {}): Promise<ApiResponse> {
	const body = send.raw ?? (send.body === undefined ? null : JSON.stringify(send.body));
	const response = await fetch(`${baseUrl}${path}`, {
		method: send.method ?? (body === null ? 'GET' : 'POST'),
		headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), ...send.headers },
		body: body as string | null,
	});
	const text = await response.text();
	const json = text === '' ? null : JSON.parse(text);
	return { status: response.status, headers: response.headers, text, json };
}

type Console = { readonly console_url: string; readonly console_key: string };

/** Reads JSON from this path of the local console, as the console's page in the owner's browser does. */
export async function fromConsole({ console_url, console_key }: Console, path: string) {
	return (await call(console_url, path, { headers: { authorization: `Bearer ${console_key}` } })).json;
}

/** The mails in the local stack's mailbox, oldest first. */
export const mailbox = (stack: Console): Promise<readonly SentMail[]> => fromConsole(stack, '/mailbox');

/** The first mailed link to `path`, from a mail for which `about` is true. */
export const linkInMail = (
	stack: Console,
	path: string,
	about: (mail: SentMail) => boolean = () => true,
): Promise<string> =>
	eventually(`a mail with a link to ${path}`, async () => {
		const link = new RegExp(`http\\S+/${path}/\\S+`);
		return (await mailbox(stack)).filter(about).flatMap(({ text }) => link.exec(text)?.[0] ?? [])[0] ?? null;
	});

type Site = { readonly workspace_key: string; readonly allowed_origin: string };

/** The body of a visitor's request as the widget sends it. Each test changes the fields that matter to it. */
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

/** Polls until the condition holds. If it never holds, throws an error that names the condition, before jest ends the test. */
export async function eventually<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
	const startedMs = Date.now();
	for (;;) {
		const answer = await ask();
		if (answer !== null) return answer;
		const waitedMs = Date.now() - startedMs;
		if (waitedMs > HANGS_AFTER_MS) throw new Error(`still not so after ${HANGS_AFTER_MS / 1000} s: ${what}`);
		await new Promise((resolve) => setTimeout(resolve, askAgainMs(waitedMs)));
	}
}

/** The service counts rate limits in windows that start at multiples of this time. */
const WINDOW_MS = 600_000;

/**
 * Runs `ask` within a single window of the rate limits. If a new window began meanwhile, which would allow more requests, runs it
 * again.
 */
export async function inOneWindow<T>(ask: () => Promise<T>): Promise<T> {
	const window = (): number => Math.floor(Date.now() / WINDOW_MS);
	const before = window();
	const answer = await ask();
	return window() === before ? answer : inOneWindow(ask);
}
