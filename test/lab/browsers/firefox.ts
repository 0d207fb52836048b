import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asJson, clickActions, type Engine, KEYS, keyActions, type Look, type Tab, WINDOW } from './engine.ts';
import { findProgram, lineOf, startProgram } from './program.ts';

type Answer = { readonly id?: number; readonly type?: string; readonly message?: string; readonly result?: unknown };

/** Connects to Firefox over WebDriver BiDi, which is built into Firefox. */
async function connect(address: string) {
	const socket = new WebSocket(address);
	const waiting = new Map<number, (answer: Answer) => void>();
	let last = 0;
	await new Promise((resolve, reject) => {
		socket.onopen = resolve;
		socket.onerror = () => reject(new Error(`no connection to ${address}`));
	});
	socket.onmessage = ({ data }) => {
		const answer: Answer = JSON.parse(String(data));
		if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
	};
	return {
		close: () => socket.close(),
		async send<T>(method: string, params: unknown): Promise<T> {
			const id = ++last;
			const answer = await new Promise<Answer>((resolve) => {
				waiting.set(id, resolve);
				socket.send(JSON.stringify({ id, method, params }));
			});
			waiting.delete(id);
			if (answer.type !== 'success') throw new Error(`${method}: ${answer.message}`);
			return answer.result as T;
		},
	};
}
type Connection = Awaited<ReturnType<typeof connect>>;

/** What a script returned, or the error that it threw. */
type Evaluated = {
	readonly result?: { readonly value: string };
	readonly exceptionDetails?: { readonly text: string };
};

function tabOf({ send }: Connection, context: string): Tab {
	const perform = async (actions: unknown) => {
		await send('input.performActions', { context, actions });
	};
	return {
		goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
		reload: async () => void (await send('browsingContext.reload', { context, wait: 'complete' })),
		async evaluate<T>(expression: string) {
			const { result, exceptionDetails } = await send<Evaluated>('script.evaluate', {
				expression: asJson(expression),
				target: { context },
				awaitPromise: true,
			});
			if (!result) throw new Error(`${expression}: ${exceptionDetails?.text}`);
			const value: T = JSON.parse(result.value);
			return value;
		},
		click: (x, y) => perform(clickActions(x, y)),
		type: (text) => perform(keyActions(text)),
		press: (key) => perform(keyActions(KEYS[key])),
		async picture() {
			const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', { context });
			return Buffer.from(data, 'base64');
		},
		async print() {
			const { data } = await send<{ data: string }>('browsingContext.print', { context });
			return Buffer.from(data, 'base64');
		},
	};
}

/** Preferences of a new profile. They make Firefox behave as on a system with this set-up. */
const preferences = ({ scheme, forcedColours = false }: Look) => ({
	'ui.systemUsesDarkTheme': scheme === 'dark' ? 1 : 0,
	'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
	'ui.prefersReducedMotion': 1,
	'ui.useAccessibilityTheme': forcedColours ? 1 : 0,
	'browser.display.document_color_use': forcedColours ? 2 : 0,
	'browser.shell.checkDefaultBrowser': false,
	'datareporting.policy.dataSubmissionEnabled': false,
	'remote.active-protocols': 1,
});

/** Starts Firefox without a visible window and with a new profile. Null if Firefox is not installed. */
export async function startFirefox(look: Look): Promise<Engine | null> {
	const file =
		process.env['FIREFOX'] ??
		findProgram('/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox');
	if (file === undefined) return null;
	const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
	const lines = Object.entries(preferences(look)).map(
		([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});`,
	);
	writeFileSync(join(profile, 'user.js'), lines.join('\n'));
	const program = startProgram(file, [
		'--headless',
		'--no-remote',
		'--profile',
		profile,
		'--remote-debugging-port',
		'0',
	]);
	const [, address = ''] = await lineOf(program, /BiDi listening on (ws:\S+)/);
	const connection = await connect(`${address}/session`);
	const { capabilities } = await connection.send<{ capabilities: { browserVersion: string } }>('session.new', {
		capabilities: {},
	});
	const { context } = await connection.send<{ context: string }>('browsingContext.create', { type: 'tab' });
	await connection.send('browsingContext.setViewport', { context, viewport: WINDOW });
	return {
		version: `Firefox ${capabilities.browserVersion}`,
		tab: tabOf(connection, context),
		async close() {
			connection.close();
			await program.stop();
			rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
		},
	};
}
