import type { HttpRequest } from '../edge/request.ts';

/**
 * For a path of the desk that has no page, such as `/v1/desk`: the address of the desk's first page. The address is relative,
 * because a proxy may serve the API below a path. Null for every other path, and for a request that does not read a page.
 */
export function wayToDesk({ method, path }: Pick<HttpRequest, 'method' | 'path'>): string | null {
	const [, below] = /\/v1\/desk(|\/.*)$/s.exec(path) ?? [];
	if (below === undefined || (method !== 'GET' && method !== 'HEAD')) return null;
	if (below === '') return 'desk/pages/today';
	return `${'../'.repeat(below.split('/').length - 2)}pages/today`;
}
