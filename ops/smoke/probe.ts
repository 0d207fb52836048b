import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { type Verification, verifyWebhook } from '../../packages/client/webhooks.ts';
import { VERSION_PREFIX } from '../../shared/contract/route.ts';
import { operationOf } from '../../shared/contract/route-match.ts';
import type { OpsDeps } from '../connect.ts';

/** What the smoke test works on: a URL, and a workspace of its own with two API keys. */
export type Site = {
	readonly base_url: string;
	readonly origin: string;
	readonly workspace_id: string;
	readonly workspace_key: string;
	readonly api_key: string;
	readonly reading_key: string;
	/** `none`, `simulator`, or the name of a provider that dials real phones. */
	readonly provider: string;
	/**
	 * `url`: an address to which webhooks can be sent. `shows`: an address at which these webhooks can be read. Null if
	 * there is no inbox.
	 */
	readonly inbox: { readonly url: string; readonly shows: string } | null;
	/** The address at which the deployment's mails can be read. Null if the mails cannot be read. */
	readonly mailbox: string | null;
	readonly deps: OpsDeps;
};

/** A check has failed. `culprit` is the name of the responsible function in `infra/function-roles.ts`. */
export class SmokeFailure extends Error {
	override readonly name = 'SmokeFailure';
	readonly culprit: string;

	constructor(culprit: string, what: string) {
		super(what);
		this.culprit = culprit;
	}
}

/** Something that an operator should know, although no check has failed. */
export class Remark {
	readonly text: string;

	constructor(text: string) {
		this.text = text;
	}
}

type RequestParts = {
	readonly method?: string;
	readonly body?: object;
	/** A body that is sent unchanged, in place of `body`. */
	readonly raw?: Uint8Array<ArrayBuffer>;
	readonly headers?: Readonly<Record<string, string>>;
};
type ProbeResponse = {
	readonly culprit: string;
	readonly status: number;
	readonly headers: Headers;
	readonly text: string;
};

const TIMEOUT_MS = 35_000;

const methodOf = ({ method, body, raw }: RequestParts): string => method ?? (body || raw ? 'POST' : 'GET');

/** Sends one request and returns the response, whatever its status. Throws `SmokeFailure` if there is no response. */
async function send(culprit: string, url: string, parts: RequestParts = {}): Promise<ProbeResponse> {
	const body = parts.raw ?? (parts.body === undefined ? null : JSON.stringify(parts.body));
	const typeHeaders = body === null ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
	const request = {
		method: methodOf(parts),
		headers: { ...typeHeaders, ...parts.headers },
		body,
		redirect: 'manual' as const,
		signal: AbortSignal.timeout(TIMEOUT_MS),
	};
	try {
		const response = await fetch(url, request);
		return { culprit, status: response.status, headers: response.headers, text: await response.text() };
	} catch (error) {
		const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
		throw new SmokeFailure(culprit, `${request.method} ${new URL(url).pathname}: no answer (${cause})`);
	}
}

/**
 * Sends a request and returns the response. Fails unless the response has this status. The status `refusal` stands for any
 * 4xx.
 */
export async function expectStatus(
	{ base_url }: Site,
	path: string,
	status: number | 'refusal',
	parts: RequestParts = {},
): Promise<ProbeResponse> {
	const method = methodOf(parts);
	const [plain = ''] = path.split('?');
	const culprit = method === 'OPTIONS' ? 'preflight' : operationOf(method, `${VERSION_PREFIX}${plain}`);
	const response = await send(culprit, base_url + path, parts);
	const isRefusal = response.status >= 400 && response.status < 500;
	if (status === 'refusal' ? isRefusal : response.status === status) return response;
	const outcome = `${response.status} instead of ${status === 'refusal' ? 'a refusal' : status}`;
	throw new SmokeFailure(culprit, `${method} ${plain}: ${outcome} ${response.text.slice(0, 200)}`);
}

const Single = z.object({ data: z.looseObject({ id: z.string() }) });
const List = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

function parseResponse<S extends z.ZodMiniType>(schema: S, { culprit, text }: ProbeResponse): z.infer<S> {
	try {
		return schema.parse(JSON.parse(text));
	} catch {
		throw new SmokeFailure(culprit, `a response that is not what the API's description says: ${text.slice(0, 200)}`);
	}
}

export const singleIn = (response: ProbeResponse) => parseResponse(Single, response).data;
export const listIn = (response: ProbeResponse) => parseResponse(List, response).data;

export const bearer = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });

/** Polls until there is a result. If there is no result after `withinMs`, fails and names `culprit`. */
export async function waitFor<T>(
	culprit: string,
	what: string,
	withinMs: number,
	ask: () => Promise<T | null>,
): Promise<T> {
	const deadlineMs = Date.now() + withinMs;
	for (;;) {
		const response = await ask();
		if (response !== null) return response;
		if (Date.now() > deadlineMs) throw new SmokeFailure(culprit, `${what}: not within ${withinMs / 1000} s`);
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
}

const Received = z.array(z.object({ body: z.string(), headers: z.record(z.string(), z.unknown()) }));

/** The JSON at an address. If the local console serves the address, the address ends with the key that the console requires. */
async function readJsonAt(culprit: string, address: string): Promise<unknown> {
	const { origin, pathname, search, hash } = new URL(address);
	const [, key] = /^#key=(\w+)$/.exec(hash) ?? [];
	const { text } = await send(culprit, `${origin}${pathname}${search}`, key ? { headers: bearer(key) } : {});
	const value: unknown = JSON.parse(text);
	return value;
}

const Mails = z.array(z.object({ to: z.string(), text: z.string() }));

export async function mailsTo(mailbox: string, address: string): Promise<readonly string[]> {
	const mails = Mails.parse(await readJsonAt('notify-team', mailbox));
	return mails.filter(({ to }) => to === address).map(({ text }) => text);
}

/** Verifies each webhook in the inbox with this secret, and returns the results. */
export async function verifiedWebhooks(shows: string, secret: string): Promise<readonly Verification[]> {
	const report = Received.parse(await readJsonAt('deliver-webhook', shows));
	return report.map(({ body, headers }) =>
		verifyWebhook({ body, header: String(headers['service-signature']), secret }),
	);
}
