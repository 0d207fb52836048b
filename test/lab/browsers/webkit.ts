import { createServer } from 'node:net';
import { freePortOf } from '../../support/listen.ts';
import { eventually } from '../../support/stack/api.ts';
import { startDisplay } from './display.ts';
import { asJson, clickActions, type Engine, KEYS, keyActions, type Look, type Tab, WINDOW } from './engine.ts';
import { findProgram, startProgram } from './program.ts';

/** If the driver does not respond within this time, this engine's run ends, and the command goes on with the other engines. */
const HANGS_AFTER_MS = 60_000;

/** Sends a command of the WebDriver standard to the driver of WebKitGTK. */
async function ask<T>(address: string, method: string, body?: unknown): Promise<T> {
	const signal = AbortSignal.timeout(HANGS_AFTER_MS);
	const response = await fetch(address, { method, signal, ...(body !== undefined && { body: JSON.stringify(body) }) });
	const text = await response.text();
	if (!response.ok) throw new Error(`${address}: ${text}`);
	const { value }: { value: T } = JSON.parse(text);
	return value;
}

/** Waits until the page is drawn, and returns the height of the window's part above the page. */
const TOOLBAR = 'new Promise((go) => setTimeout(() => go(outerHeight - innerHeight), 200))';

/** `look` takes a picture of the page, which begins below the toolbar. */
function tabOf(session: string, look: (toolbar: number) => Buffer): Tab {
	const post = <T>(path: string, body: unknown = {}) => ask<T>(`${session}/${path}`, 'POST', body);
	const perform = async (actions: unknown) => {
		await post('actions', { actions });
	};
	async function evaluate<T>(expression: string): Promise<T> {
		const text = await post<string>('execute/sync', { script: `return ${asJson(expression)}`, args: [] });
		const value: T = JSON.parse(text);
		return value;
	}
	return {
		goto: async (url) => void (await post('url', { url })),
		reload: async () => void (await post('refresh')),
		evaluate,
		click: (x, y) => perform(clickActions(x, y)),
		type: (text) => perform(keyActions(text)),
		press: (key) => perform(keyActions(KEYS[key])),
		// The driver's own screenshot waits for a frame that never comes, even on a page that draws all the time.
		picture: async () => look(await evaluate<number>(TOOLBAR)),
		// The driver has no command for printing.
		print: async () => null,
	};
}

async function freePort(): Promise<number> {
	const server = createServer();
	const port = await freePortOf(server);
	await new Promise((closed) => server.close(closed));
	return port;
}

/**
 * Starts WebKitGTK, which has Safari's engine. Null unless its driver, its small browser and the display in memory are installed.
 * Also null for forced colours.
 */
export async function startWebKit({ scheme, forcedColours = false }: Look): Promise<Engine | null> {
	const driver = findProgram('/usr/bin/WebKitWebDriver');
	const browser = findProgram(
		'/usr/lib/*/webkit2gtk-4.1/MiniBrowser',
		'/usr/lib/*/webkit2gtk-4.0/MiniBrowser',
		'/usr/lib/*/webkitgtk-6.0/MiniBrowser',
	);
	if (driver === undefined || browser === undefined || forcedColours) return null;
	const display = startDisplay();
	if (display === null) return null;
	const port = await freePort();
	const env = {
		...process.env,
		DISPLAY: display.name,
		XDG_CONFIG_HOME: display.settings,
		GTK_THEME: scheme === 'dark' ? 'Adwaita:dark' : 'Adwaita',
		LIBGL_ALWAYS_SOFTWARE: '1',
	};
	const program = startProgram(driver, [`--port=${port}`], { env });
	program.child.stderr?.resume();
	const address = `http://127.0.0.1:${port}`;
	await eventually('the driver answers', async () => (await fetch(`${address}/status`).catch(() => null)) ?? null);
	const wanted = { 'webkitgtk:browserOptions': { binary: browser, args: ['--automation'] } };
	const opened = await ask<{ sessionId: string; capabilities: { browserVersion: string } }>(
		`${address}/session`,
		'POST',
		{ capabilities: { alwaysMatch: wanted } },
	);
	const session = `${address}/session/${opened.sessionId}`;
	const resize = (toolbar: number) =>
		ask(`${session}/window/rect`, 'POST', { x: 0, y: 0, width: WINDOW.width, height: WINDOW.height + toolbar });
	await resize(0);
	const tab = tabOf(session, (toolbar) => display.picture({ left: 0, top: toolbar, ...WINDOW }));
	await resize(await tab.evaluate<number>(TOOLBAR));
	return {
		version: `WebKitGTK ${opened.capabilities.browserVersion}`,
		tab,
		async close() {
			await ask(session, 'DELETE').catch(() => undefined);
			await program.stop();
			await display.stop();
		},
	};
}
