import { methodsOfRoute, type Route, VERSION_PREFIX } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import { ASKING_COOKIE, SESSION_COOKIE } from '../../shared/domain/desk/session-cookie.ts';
import type { Request } from './bench/functions.ts';

/** Addresses that only those hold to whom they were given: of providers, and in links. */
const addresses = routes.filter(({ surface, path }: Route) => surface === 'provider' || path.includes('{token}'));
const formOf = ({ path }: Route): RegExp => new RegExp(`^${VERSION_PREFIX}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** The addresses and cookies of today's code that none of these requests uses, by name. */
export function unusedBy(requests: readonly Request[]): readonly string[] {
	const unused = addresses.flatMap((route) =>
		methodsOfRoute(route)
			.filter((method) => !requests.some((each) => each.method === method && formOf(route).test(each.path)))
			.map((method) => `${method} ${route.path}`),
	);
	const sent = requests.flatMap(({ cookies = [] }) => cookies);
	const cookies = [SESSION_COOKIE, ASKING_COOKIE].filter((name) => !sent.some((each) => each.startsWith(`${name}=`)));
	return [...unused, ...cookies.map((name) => `the cookie ${name}`)];
}
