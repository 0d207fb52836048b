import type { SentMail } from '../../../local/aws/mail.ts';

/** Far longer than anything takes, even on a busy machine, and shorter than `testTimeout` in test/jest.config.js. */
export const HANGS_AFTER_MS = 200_000;
/** A long wait asks less often, so that asking does not slow down what it waits for. */
const askAgainMs = (waitedMs: number): number => Math.min(Math.max(50, waitedMs / 5), 500);

/** An answer of the API, read whole. */
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
	/** Sent as it is instead of `body`. */
	readonly raw?: string | Uint8Array;
	readonly headers?: Readonly<Record<string, string>>;
};

/** One request to the API; a body goes as JSON unless `raw`. */
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

/** The JSON of the console at this path, as its owner's browser reads it. */
export async function fromConsole({ console_url, console_key }: Console, path: string) {
	return (await call(console_url, path, { headers: { authorization: `Bearer ${console_key}` } })).json;
}

/** The mails in the mailbox of the machine, newest first. */
export const mailbox = (stack: Console): Promise<readonly SentMail[]> => fromConsole(stack, '/mailbox');

/** The newest mailed link to `path`, in a mail of which `about` holds. */
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

/** Polls until the condition holds. The limit reports the condition before jest ends a test that hangs. */
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

/** The product's windows of limits begin at multiples of this time. */
const WINDOW_MS = 600_000;

/** The result of `ask` in a single window. Asks again if a new window began meanwhile, which allows more. */
export async function inOneWindow<T>(ask: () => Promise<T>): Promise<T> {
	const window = (): number => Math.floor(Date.now() / WINDOW_MS);
	const before = window();
	const answer = await ask();
	return window() === before ? answer : inOneWindow(ask);
}
