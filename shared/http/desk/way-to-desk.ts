import type { HttpRequest } from '../edge/request.ts';

/**
 * The relative address of the desk's first page, for a path of the desk without a page, such as `/v1/desk`; null: another
 * path, or a request that does not read a page. Relative, because a proxy may serve the API below a path.
 */
export function wayToDesk({ method, path }: Pick<HttpRequest, 'method' | 'path'>): string | null {
	const [, below] = /\/v1\/desk(|\/.*)$/s.exec(path) ?? [];
	if (below === undefined || (method !== 'GET' && method !== 'HEAD')) return null;
	if (below === '') return 'desk/pages/today';
	return `${'../'.repeat(below.split('/').length - 2)}pages/today`;
}
