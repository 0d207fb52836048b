import type { Snapshot } from './wire.ts';

/** How long the console waits for itself: also through a slow tunnel from another machine. */
const TIMEOUT_MS = 20_000;

const KEY = 'console-key';

/** Keeps the key of an address such as `/#key=...`, which `npm start` prints, for this browser; the address loses it. */
export function keepKey(): void {
	const [, key] = /^#key=(\w+)$/.exec(location.hash) ?? [];
	if (key === undefined) return;
	localStorage.setItem(KEY, key);
	history.replaceState(null, '', location.pathname + location.search);
}

/** Throws when the stack does not answer. */
export async function readSnapshot(): Promise<Snapshot> {
	const key = localStorage.getItem(KEY);
	const headers = { accept: 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) };
	const response = await fetch('/recent', { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
	if (!response.ok) throw new Error(`the console answered ${response.status}`);
	const snapshot: Snapshot = await response.json();
	return snapshot;
}

/** Has the console do something; answers what went wrong, or null. */
export async function act(path: string): Promise<string | null> {
	const response = await fetch(path, { method: 'POST', headers: { accept: 'application/json' } });
	if (response.ok) return null;
	const problem: { title?: string } = await response.json();
	return problem.title ?? `the console answered ${response.status}`;
}

/**
 * Only pages of the allowed origin may ask for calls, and 127.0.0.1 is another origin than localhost: a page that was opened
 * by another name of this machine goes to its own.
 */
export function goHome(console_url: string): void {
	const home = new URL(console_url);
	if (location.hostname !== home.hostname && location.port === home.port) location.hostname = home.hostname;
}
