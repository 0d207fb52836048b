import type { Recent, StackFacts } from './wire.ts';

/**
 * How long the pages wait for the server of the console. This time is long enough for a slow tunnel from another machine.
 */
const TIMEOUT_MS = 20_000;

const KEY = 'console-key';

/**
 * `npm start` prints an address such as `/#key=...`. This function stores the key in the browser, and removes the key from
 * the address bar.
 */
export function keepKey(): void {
	const [, key] = /^#key=(\w+)$/.exec(location.hash) ?? [];
	if (key === undefined) return;
	localStorage.setItem(KEY, key);
	history.replaceState(null, '', location.pathname + location.search);
}

function headers(): Record<string, string> {
	const key = localStorage.getItem(KEY);
	return { accept: 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) };
}

/** The browser does not have the console's key. To get the key, a person opens the address that `npm start` prints. */
class KeyMissing extends Error {}

/** Tells the person at the console why something could not be read. */
export const faultText = (fault: unknown): string =>
	fault instanceof KeyMissing ? 'Open the address that npm start printed.' : 'The stack does not answer.';

/** Gets JSON from the console's server. Throws if the stack does not answer, or if the browser does not have the key. */
export async function read<T>(path: string): Promise<T> {
	const response = await fetch(path, { headers: headers(), signal: AbortSignal.timeout(TIMEOUT_MS) });
	if (response.status === 401) throw new KeyMissing();
	if (!response.ok) throw new Error(`the console answered ${response.status}`);
	const body: T = await response.json();
	return body;
}

/**
 * Gets what the console shows. If nothing has changed since the response with this token, the response says only that nothing has
 * changed.
 */
export const readRecent = (token: string): Promise<Recent> => read(`/recent/${token}`);

/** Asks the server of the console to do something. Returns a description of the error. Null if there was none. */
export async function act(path: string, body: object = {}): Promise<string | null> {
	const response = await fetch(path, { method: 'POST', headers: headers(), body: JSON.stringify(body) });
	if (response.ok) return null;
	const { title, detail }: { title?: string; detail?: string } = await response.json();
	return [title ?? `The console answered ${response.status}`, detail ?? []].flat().join(': ');
}

/**
 * Opens the page at the allowed origin, if it was opened under another name of this machine. Only pages of the allowed origin
 * may request calls, and 127.0.0.1 and localhost are different origins.
 */
export function goHome({ console_url, console_key }: StackFacts): void {
	const home = new URL(console_url);
	if (location.hostname === home.hostname || location.port !== home.port) return;
	location.href = `${console_url}${location.pathname}${location.search}#key=${console_key}`;
}
