import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { close, listen } from './http-server.ts';

/** A JSON route of the console: GET only, for the operator's eyes on this machine. */
export type ConsoleRoutes = Readonly<Record<string, (parameter: string) => unknown>>;
/** What the console's own pages may have done: `POST /<name>/<parameter>`; answers the status and body to send. */
export type ConsoleActions = Readonly<
	Record<string, (parameter: string) => Promise<{ readonly status: number; readonly body: unknown }>>
>;
/** What the console serves. */
export type ConsoleContent = {
	readonly routes: ConsoleRoutes;
	readonly actions: ConsoleActions;
	/** Folders of files, by the path they are found below. */
	readonly roots: Readonly<Record<string, string>>;
};
export type ConsoleServer = { readonly port: number; close(): Promise<void> };

const TYPES: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.json': 'application/json',
	'.png': 'image/png',
};

/** Names of this machine. A page elsewhere whose own name leads here would read keys otherwise (DNS rebinding). */
const OWN_NAME = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** A file below one of the roots, by its path on the wire; null when there is none. */
function fileOf(path: string, roots: Readonly<Record<string, string>>): string | null {
	for (const [prefix, root] of Object.entries(roots)) {
		if (!path.startsWith(prefix)) continue;
		const file = join(root, normalize(`/${path.slice(prefix.length)}`));
		const candidates = [file, `${file}.html`, join(file, 'index.html')];
		const found = candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile());
		if (found !== undefined) return found;
	}
	return null;
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function sendJson(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { ...HEADERS, 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
}

/** Acts for a page of the console only: another site's page may send a POST here, but cannot say that it is ours. */
async function act(
	{ headers }: IncomingMessage,
	response: ServerResponse,
	action: ConsoleActions[string] | undefined,
	parameter: string,
): Promise<void> {
	if (action === undefined || headers.origin !== `http://${headers.host}`) {
		sendJson(response, 403, { title: 'Only a page of the console may do this.' });
		return;
	}
	const { status, body } = await action(parameter);
	sendJson(response, status, body);
}

async function serve(
	request: IncomingMessage,
	response: ServerResponse,
	{ routes, actions, roots }: ConsoleContent,
): Promise<void> {
	if (!OWN_NAME.test(request.headers.host ?? '')) {
		response.writeHead(421, { 'content-type': 'text/plain' }).end('The console answers to localhost only.');
		return;
	}
	const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
	const [, name = '', parameter = ''] = path.split('/');
	if (request.method === 'POST') {
		await act(request, response, Object.hasOwn(actions, name) ? actions[name] : undefined, parameter);
		return;
	}
	const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
	if (route !== undefined && request.headers.accept?.includes('text/html') !== true) {
		sendJson(response, 200, await route(parameter));
		return;
	}
	const file = fileOf(path, roots);
	if (file === null) {
		response.writeHead(404, { ...HEADERS, 'content-type': 'text/plain' }).end('Nothing here.');
		return;
	}
	// As the deployed widget: pages of every origin may load it, pinned or in another language.
	const open = path.startsWith('/widget/') ? { 'access-control-allow-origin': '*' } : {};
	response.writeHead(200, { ...HEADERS, ...open, 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
	response.end(readFileSync(file));
}

/** Serves the console's pages, JSON routes and actions, on another origin than the API. */
export async function startConsole(port: number, content: ConsoleContent): Promise<ConsoleServer> {
	const server = createServer((request, response) => {
		serve(request, response, content).catch(() => response.destroy());
	});
	return { port: await listen(server, port), close: () => close(server) };
}
