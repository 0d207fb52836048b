import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize, relative } from 'node:path';
import { parseJson } from '../../../shared/adapters/telephony/provider-http.ts';
import { isSameSecret } from '../../../shared/domain/webhooks/webhook-signature.ts';
import { close, listen, pathsOnly, readBody } from '../../http-server.ts';
import { documentPage } from './document-page.ts';

export type ConsoleRoutes = Readonly<Record<string, (parameter: string, search: URLSearchParams) => unknown>>;
/**
 * Actions that the console's own pages may request with `POST /<name>/<parameter>`. Each action returns the status and the
 * body of the response.
 */
export type ConsoleActions = Readonly<Record<string, (parameter: string, body: unknown) => Promise<ActionResponse>>>;
type ActionResponse = { readonly status: number; readonly body: unknown; readonly cookie?: string };
export type ConsoleContent = {
	readonly routes: ConsoleRoutes;
	/**
	 * A key that every route and every action requires, because other users of the machine can reach the console's port,
	 * too. The key is sent as `Authorization: Bearer`. The browser gets the key from the address that `npm start` prints.
	 */
	readonly key: string;
	/** The origin of the API, which the widget on the pages calls. */
	readonly api_origin: string;
	readonly actions: ConsoleActions;
	/**
	 * The HTML of the mail with this id. A frame of the console shows it at `/letter/<id>`. Null if there is no such mail. A
	 * frame cannot send the key. So the id takes the place of the key: it is a random UUID that only the list of mails
	 * contains.
	 */
	letter(id: string): string | null;
	readonly pages: string;
	/** The address at which `npm run docs` serves the documentation. While that program runs, `/docs/` redirects to this address. */
	readonly docs_site: string;
};
export type ConsoleServer = { readonly port: number; close(): Promise<void> };

const TYPES: Readonly<Record<string, string>> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.svg': 'image/svg+xml',
};

/**
 * The host names under which the server accepts requests. If the server accepted other names, another site could make its
 * own name point to this machine and read keys (DNS rebinding).
 */
const OWN_NAME = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

const DOCS = '/docs/';
const NO_DOCUMENT = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>This page is only on the site</title>
<link rel="stylesheet" href="/tokens.css"><link rel="stylesheet" href="/document.css">
<body class="console document"><main><h1>This page is only on the site</h1>
<p>Run <code>npm run docs</code> in the folder of the project, then reload this page. It builds the site with the API reference, and serves
it.</p>
<p><a href="/docs/">All pages</a> · <a href="/">Console</a></p></main>`;

/** The pages of the demo shop from which its calls come. The desk links to them. */
const SHOP_PAGES = ['/pricing', '/contact'];

/** The file for a request's path. Null if there is none. */
function fileOf(path: string, { pages }: ConsoleContent): string | null {
	const file = join(pages, SHOP_PAGES.includes(path) ? 'demo' : normalize(path));
	if (relative(pages, file).startsWith('..')) return null;
	const candidates = [file, `${file}.html`, join(file, 'index.html')];
	return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile()) ?? null;
}

const HEADERS = {
	'cache-control': 'no-store',
	'x-content-type-options': 'nosniff',
	'x-frame-options': 'DENY',
	'referrer-policy': 'no-referrer',
};

/**
 * The policy of the pages. The pages may load their own files, and may call the console and the API. No page may show them
 * in a frame.
 */
function pagePolicy(apiOrigin: string): string {
	return [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		"img-src 'self' data:",
		`connect-src 'self' ${apiOrigin}`,
		"frame-src 'self'",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
	].join('; ');
}

/**
 * The policy of a mail. A mail is HTML of unknown origin. So the mail may run no script and load nothing, and only the
 * console may show the mail in a frame.
 */
const LETTER_POLICY = [
	"default-src 'none'",
	"style-src 'unsafe-inline'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'self'",
	'sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox',
].join('; ');

function sendLetter(response: ServerResponse, letter: string | null): void {
	response.writeHead(letter === null ? 404 : 200, {
		...HEADERS,
		'x-frame-options': 'SAMEORIGIN',
		'content-security-policy': LETTER_POLICY,
		'content-type': 'text/html; charset=utf-8',
	});
	response.end(letter?.replace('<head>', '<head><base target="_blank">') ?? '');
}

function hasKey({ headers }: IncomingMessage, key: string): boolean {
	return isSameSecret(`Bearer ${key}`, headers.authorization ?? '');
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { ...HEADERS, 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
}

const NO_KEY = { title: 'The console key is missing: open the address that npm start printed.' };

const bodyOf = async (request: IncomingMessage): Promise<unknown> =>
	parseJson((await readBody(request))?.toString('utf8') ?? '');

/**
 * Accepts actions only from the console's own pages. A page of another site can send a POST to this server, too, but cannot
 * choose the Origin header that the browser adds.
 */
async function act(
	request: IncomingMessage,
	response: ServerResponse,
	{ actions, key }: ConsoleContent,
	[name, parameter]: readonly [name: string, parameter: string],
): Promise<void> {
	const { headers } = request;
	const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
	if (action === undefined || headers.origin !== `http://${headers.host}`) {
		sendJson(response, 403, { title: 'Only a page of the console may do this.' });
		return;
	}
	if (!hasKey(request, key)) return sendJson(response, 401, NO_KEY);
	const { status, body, cookie } = await action(parameter, await bodyOf(request));
	if (cookie !== undefined) response.setHeader('set-cookie', cookie);
	sendJson(response, status, body);
}

async function serve(request: IncomingMessage, response: ServerResponse, content: ConsoleContent): Promise<void> {
	const { routes, key } = content;
	if (!OWN_NAME.test(request.headers.host ?? '')) {
		response.writeHead(421, { 'content-type': 'text/plain' }).end('The console answers to localhost only.');
		return;
	}
	const [path = '/', search = ''] = (request.url ?? '/').split('?', 2);
	const [, name = '', parameter = ''] = path.split('/');
	if (request.method === 'POST') {
		await act(request, response, content, [name, parameter]);
		return;
	}
	if (name === 'letter') return sendLetter(response, content.letter(parameter));
	const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
	if (route !== undefined && request.headers.accept?.includes('text/html') !== true) {
		if (!hasKey(request, key)) return sendJson(response, 401, NO_KEY);
		sendJson(response, 200, await route(parameter, new URLSearchParams(search)));
		return;
	}
	if (`${path}/`.startsWith(DOCS)) return sendDocs(response, path.slice(DOCS.length), content);
	sendFile(response, path, content);
}

/**
 * Redirects to a page of the documentation, if the documentation is served. Otherwise, shows the document of the checkout. If
 * there is none, says how to serve the site.
 */
async function sendDocs(
	response: ServerResponse,
	name: string,
	{ docs_site, api_origin }: ConsoleContent,
): Promise<void> {
	const isServed = await fetch(docs_site, { method: 'HEAD', signal: AbortSignal.timeout(1000) }).catch(() => null);
	if (isServed?.ok) return void response.writeHead(307, { ...HEADERS, location: `${docs_site}/${name}` }).end();
	const page = documentPage(name);
	response.writeHead(page === null ? 404 : 200, {
		...HEADERS,
		'content-security-policy': pagePolicy(api_origin),
		'content-type': 'text/html; charset=utf-8',
	});
	response.end(page ?? NO_DOCUMENT);
}

function sendFile(response: ServerResponse, path: string, content: ConsoleContent): void {
	const file = fileOf(path, content);
	if (file === null) {
		response.writeHead(404, { ...HEADERS, 'content-type': 'text/plain' }).end('Nothing here.');
		return;
	}
	response.writeHead(200, {
		...HEADERS,
		'content-security-policy': pagePolicy(content.api_origin),
		// As in a deployment, pages of every origin may load the widget, even with a pinned version or in another language.
		...(path.startsWith('/widget/') && { 'access-control-allow-origin': '*' }),
		'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
	});
	response.end(readFileSync(file));
}

/** Serves the pages, the JSON routes and the actions of the console, at a different origin from the API. */
export async function startConsole(port: number, content: ConsoleContent): Promise<ConsoleServer> {
	const server = createServer(
		pathsOnly((request, response) => {
			serve(request, response, content).catch(() => response.destroy());
		}),
	);
	return { port: await listen(server, port), close: () => close(server) };
}
