import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listen } from '../listen.ts';

/** A page of a customer's site, or a script on it. */
export type PageSource = { readonly html: string; readonly csp?: string; readonly type?: string };

/** Serves a customer's site: its pages by path. */
export async function startSite(address?: string) {
	const pages = new Map<string, PageSource>();
	const listening = await listen(
		createServer((request, response) => {
			const page = pages.get(request.url?.split('?')[0] ?? '');
			if (page?.csp) response.setHeader('content-security-policy', page.csp);
			response.writeHead(page ? 200 : 404, { 'content-type': `${page?.type ?? 'text/html'}; charset=utf-8` });
			response.end(page?.html ?? '');
		}),
		address,
	);
	return { ...listening, pages };
}

/** Serves the build's files from a separate origin, as a CDN does. */
export async function startCdn(folder: string, address?: string) {
	const asked: string[] = [];
	const listening = await listen(
		createServer((request, response) => {
			const name = request.url?.slice(1) ?? '';
			const [file = ''] = name.split('?');
			const type = file.endsWith('.json') ? 'application/json' : 'text/javascript';
			asked.push(name);
			response.setHeader('access-control-allow-origin', '*');
			if (existsSync(join(folder, file))) {
				response.writeHead(200, { 'content-type': `${type}; charset=utf-8` });
				response.end(readFileSync(join(folder, file)));
			} else response.writeHead(404).end();
		}),
		address,
	);
	/** `asked`: all requested paths, including unknown ones. */
	return { ...listening, asked };
}
