import type { HttpRequest } from '../edge/request.ts';

/**
 * The relative address of the desk's first page, for a path that is the desk's and has no page, such as `/v1/desk`; null: the
 * path is not the desk's, or the request is no look at a page. It is relative, because a proxy may have put the API below a path.
 */
export function wayToDesk({ method, path }: Pick<HttpRequest, 'method' | 'path'>): string | null {
	const [, below] = /\/v1\/desk(|\/.*)$/s.exec(path) ?? [];
	if (below === undefined || (method !== 'GET' && method !== 'HEAD')) return null;
	if (below === '') return 'desk/pages/today';
	return `${'../'.repeat(below.split('/').length - 2)}pages/today`;
}
