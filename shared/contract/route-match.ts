import { methodsOfRoute, VERSION_PREFIX } from './route.ts';
import { routes } from './routes.ts';

/** Whether a request path is an instance of a route's path. */
function matches(template: string, path: string): boolean {
	const templateParts = `${VERSION_PREFIX}${template}`.split('/');
	const pathParts = path.split('/');
	return (
		templateParts.length === pathParts.length &&
		templateParts.every((part, i) => (part.startsWith('{') ? pathParts[i] !== '' : part === pathParts[i]))
	);
}

/** The methods of a path; none for an unknown path. Widget paths also have OPTIONS (the preflight). */
export function methodsOf(path: string): readonly string[] {
	const matching = routes.filter((route) => matches(route.path, path));
	const preflight = matching.some((route) => route.surface === 'widget') ? ['OPTIONS'] : [];
	return [...new Set<string>(matching.flatMap(methodsOfRoute)), ...preflight].sort();
}

/** The function that answers a request; the gateway has one for all that no route fits. */
export function operationOf(method: string, path: string): string {
	const route = routes.find((each) => matches(each.path, path) && methodsOfRoute(each).some((name) => name === method));
	return route?.operation ?? 'fallback';
}
