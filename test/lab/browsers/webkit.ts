import { createServer } from 'node:net';
import { freePortOf } from '../../support/listen.ts';
import { eventually } from '../../support/stack/api.ts';
import { asJson, clickActions, type Engine, KEYS, keyActions, type Look, type Tab, WINDOW } from './engine.ts';
import { findProgram, type Program, startProgram } from './program.ts';

/** A driver that hangs ends the run of its engine, not the command. */
const HANGS_AFTER_MS = 60_000;

/** A session of the WebDriver standard, which WebKitGTK's own driver speaks. */
async function ask<T>(address: string, method: string, body?: unknown): Promise<T> {
	const signal = AbortSignal.timeout(HANGS_AFTER_MS);
	const response = await fetch(address, { method, signal, ...(body !== undefined && { body: JSON.stringify(body) }) });
	const text = await response.text();
	if (!response.ok) throw new Error(`${address}: ${text}`);
	const { value }: { value: T } = JSON.parse(text);
	return value;
}

function tabOf(session: string): Tab {
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
		// The driver's screenshot waits for a frame that does not come, also on a page that draws all the time.
		picture: () => Promise.resolve(null),
	};
}

async function freePort(): Promise<number> {
	const server = createServer();
	const port = await freePortOf(server);
	await new Promise((closed) => server.close(closed));
	return port;
}

/** A display in memory: WebKitGTK has no mode without a window. The display's number is that of its process. */
function startDisplay(file: string): { readonly display: string; readonly program: Program } {
	const number = 100 + (process.pid % 900);
	const program = startProgram(file, [`:${number}`, '-screen', '0', '1400x1200x24', '-nolisten', 'tcp']);
	program.child.stderr?.resume();
	return { display: `:${number}`, program };
}

/** Starts WebKitGTK: Safari's engine. Null unless its driver, its small browser and the display in memory are installed. */
export async function startWebKit({ scheme, forcedColours = false }: Look): Promise<Engine | null> {
	const driver = findProgram('/usr/bin/WebKitWebDriver');
	const browser = findProgram(
		'/usr/lib/*/webkit2gtk-4.1/MiniBrowser',
		'/usr/lib/*/webkit2gtk-4.0/MiniBrowser',
		'/usr/lib/*/webkitgtk-6.0/MiniBrowser',
	);
	const screen = findProgram('/usr/bin/Xvfb');
	if (driver === undefined || browser === undefined || screen === undefined || forcedColours) return null;
	const { display, program: x11 } = startDisplay(screen);
	const port = await freePort();
	const env = {
		...process.env,
		DISPLAY: display,
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
	await ask(`${session}/window/rect`, 'POST', { x: 0, y: 0, width: WINDOW.width, height: WINDOW.height + 60 });
	return {
		version: `WebKitGTK ${opened.capabilities.browserVersion}`,
		tab: tabOf(session),
		async close() {
			await ask(session, 'DELETE').catch(() => undefined);
			await program.stop();
			await x11.stop();
		},
	};
}
