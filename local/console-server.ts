import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { close, listen } from './gateway.ts';

/** A JSON route of the console: GET only, for the operator's eyes on this machine. */
export type ConsoleRoutes = Readonly<Record<string, (parameter: string) => unknown>>;
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

async function serve(
	request: IncomingMessage,
	response: ServerResponse,
	routes: ConsoleRoutes,
	roots: Readonly<Record<string, string>>,
): Promise<void> {
	if (!OWN_NAME.test(request.headers.host ?? '')) {
		response.writeHead(421, { 'content-type': 'text/plain' }).end('The console answers to localhost only.');
		return;
	}
	const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
	const [, name = '', parameter = ''] = path.split('/');
	const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
	const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
	if (route !== undefined && request.headers.accept?.includes('text/html') !== true) {
		const body = JSON.stringify(await route(parameter));
		response.writeHead(200, { ...headers, 'content-type': 'application/json' });
		response.end(body);
		return;
	}
	const file = fileOf(path, roots);
	if (file === null) {
		response.writeHead(404, { ...headers, 'content-type': 'text/plain' }).end('Nothing here.');
		return;
	}
	// As the deployed widget: pages of every origin may load it, pinned or in another language.
	const open = path.startsWith('/widget/') ? { 'access-control-allow-origin': '*' } : {};
	response.writeHead(200, { ...headers, ...open, 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
	response.end(readFileSync(file));
}

/** Serves the console's pages and its JSON routes, on another origin than the API. */
export async function startConsole(
	port: number,
	routes: ConsoleRoutes,
	roots: Readonly<Record<string, string>>,
): Promise<ConsoleServer> {
	const server = createServer((request, response) => {
		serve(request, response, routes, roots).catch(() => response.destroy());
	});
	return { port: await listen(server, port, '--port'), close: () => close(server) };
}
