import { appendFileSync, writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Trace } from '../../shared/domain/trace/span.ts';
import { OperatorError } from '../operator-error.ts';
import { exportRequest } from './otlp.ts';

/** The most traces in one request, or in one line of a file. */
const BATCH = 50;
/** The time limit of a request to a collector. */
const TIMEOUT_MS = 10_000;
const HEADERS_VARIABLE = 'OTEL_EXPORTER_OTLP_HEADERS';

/** Sends one request of OTLP/JSON. Throws `OperatorError` if the request cannot be written, or was not fully accepted. */
type Exporter = (body: string) => Promise<void>;

/**
 * Sends traces to a collector, or writes them to a file with one request on each line. Returns how many traces there were.
 * Repeating an export does no harm, because the ids stay the same.
 */
export async function exportTraces(
	traces: AsyncIterable<Trace> | Iterable<Trace>,
	target: string,
	{ now, timeout_ms = TIMEOUT_MS }: { readonly now: string; readonly timeout_ms?: number },
): Promise<number> {
	const write = /^https?:\/\//i.test(target) ? toCollector(target, timeout_ms) : toFile(target);
	let written = 0;
	let batch: Trace[] = [];
	const flush = async () => {
		await write(exportRequest(batch, now)).catch((error: unknown) => {
			if (!(error instanceof OperatorError) || written === 0) throw error;
			throw new OperatorError(
				`${error.message} ${written} traces were written before. Repeat the command: their ids stay the same.`,
			);
		});
		written += batch.length;
		batch = [];
	};
	for await (const trace of traces) {
		batch.push(trace);
		if (batch.length === BATCH) await flush();
	}
	if (batch.length > 0) await flush();
	return written;
}

function toFile(file: string): Exporter {
	const attempt = (write: () => void) => {
		try {
			write();
		} catch (error) {
			throw new OperatorError(`${file} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
		}
	};
	attempt(() => writeFileSync(file, ''));
	return async (body) => attempt(() => appendFileSync(file, `${body}\n`));
}

/**
 * Sends to a collector. If the collector's address has no path, `/v1/traces` is added, as the exporters of OpenTelemetry do.
 */
function toCollector(target: string, timeoutMs: number): Exporter {
	if (!URL.canParse(target)) throw new OperatorError(`${target} is no address of a collector`);
	const url = new URL(target);
	if (url.username !== '' || url.password !== '')
		throw new OperatorError(`Put user and password into ${HEADERS_VARIABLE}, not into the collector’s address`);
	if (url.pathname === '/') url.pathname = '/v1/traces';
	const headers = headersOf(process.env[HEADERS_VARIABLE] ?? '');
	headers.set('content-type', 'application/json');
	return async (body) => {
		// Redirects are not followed: a POST would become a GET, which no collector accepts.
		const request = {
			method: 'POST',
			headers,
			body,
			redirect: 'manual',
			signal: AbortSignal.timeout(timeoutMs),
		} as const;
		const response = await fetch(url, request).catch((error: unknown) => {
			throw new OperatorError(`The collector at ${url.host} did not answer: ${reasonOf(error, timeoutMs)}.`);
		});
		const fault = faultIn(response, await response.text().catch(() => ''));
		if (fault !== null) throw new OperatorError(`The collector at ${url.host} ${fault}`);
	};
}

/**
 * Why a response does not confirm that everything was accepted. Null if the response confirms that everything was accepted.
 */
function faultIn({ ok, status, headers }: Response, text: string): string | null {
	const location = headers.get('location');
	if (location !== null) return `answered ${status}: it has moved to ${excerpt(location)}`;
	if (!ok) return `answered ${status}: ${excerpt(text)}`;
	if (headers.get('content-type')?.startsWith('text/html')) return 'answered with a page: it is no collector';
	const rejected = rejectedIn(text);
	return rejected === null ? null : `did not take everything: ${excerpt(rejected)}`;
}

/** Reads `name=value,name=value` with percent-encoded values, as in the environment variables of OpenTelemetry. */
function headersOf(text: string): Headers {
	try {
		const headers = new Headers();
		for (const pair of text.split(',').filter((each) => each.trim() !== '')) {
			const [name = '', ...value] = pair.split('=');
			if (value.length === 0) throw new TypeError('a header without a value');
			headers.set(name.trim(), decodeURIComponent(value.join('=').trim()));
		}
		return headers;
	} catch {
		// The message of the original error would contain a value, which may be a key.
		throw new OperatorError(`${HEADERS_VARIABLE} takes name=value,name=value, with values percent-encoded`);
	}
}

const Failure = z.object({
	name: z.string(),
	message: z.string(),
	cause: z.optional(z.object({ message: z.string() })),
});

function reasonOf(error: unknown, timeoutMs: number): string {
	const { success, data: failure } = Failure.safeParse(error);
	if (!success) return String(error);
	if (failure.name === 'TimeoutError') return `nothing within ${timeoutMs / 1000} seconds`;
	return failure.cause?.message ?? failure.message;
}

const excerpt = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 200);

/** What a collector says about spans that it has rejected, although its status is 200. Null if it has rejected none. */
function rejectedIn(text: string): string | null {
	try {
		const { partialSuccess } = JSON.parse(text);
		return Number(partialSuccess?.rejectedSpans ?? 0) > 0 ? JSON.stringify(partialSuccess) : null;
	} catch {
		return null;
	}
}
