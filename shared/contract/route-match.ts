import { methodsOfRoute, VERSION_PREFIX } from './route.ts';
import { routes } from './routes.ts';

/** Whether the path of a request matches the path of a route. */
function matches(template: string, path: string): boolean {
	const templateParts = `${VERSION_PREFIX}${template}`.split('/');
	const pathParts = path.split('/');
	return (
		templateParts.length === pathParts.length &&
		templateParts.every((part, i) => (part.startsWith('{') ? pathParts[i] !== '' : part === pathParts[i]))
	);
}

/**
 * The methods that a path allows. An unknown path allows no methods. Paths of the widget also allow OPTIONS (the
 * preflight).
 */
export function methodsOf(path: string): readonly string[] {
	const matching = routes.filter((route) => matches(route.path, path));
	const preflight = matching.some((route) => route.surface === 'widget') ? ['OPTIONS'] : [];
	return [...new Set<string>(matching.flatMap(methodsOfRoute)), ...preflight].sort();
}

/** The operation that answers a request. `fallback` if no route matches. */
export function operationOf(method: string, path: string): string {
	const route = routes.find((each) => matches(each.path, path) && methodsOfRoute(each).some((name) => name === method));
	return route?.operation ?? 'fallback';
}
