import * as z from 'zod/mini';
import { legPath } from '../../shared/adapters/telephony/provider-http.ts';
import { VERSION_PREFIX } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import { hashApiKey } from '../../shared/domain/access/api-key.ts';
import { readCursor } from '../../shared/domain/kernel/cursor.ts';
import { ID_PATTERN } from '../../shared/domain/kernel/id.ts';
import { idempotencyScope } from '../../shared/domain/kernel/idempotency.ts';
import { readPlace } from '../../shared/use-cases/webhooks/recover-deliveries.ts';
import { type BenchProvider, PHONES_SECRET } from './bench/bench.ts';
import type { Request } from './bench/functions.ts';
import { providerSecretOf } from './bench/providers.ts';
import { recordIn } from './kinds.ts';
import type { Story } from './samples.ts';

// Today's code reads everything that a release handed out, one piece at a time. The steps also use these pieces, but a step uses
// many other things too and could hide which piece fails.

/** `differs`: the pieces of this kind that today's code does not read; empty if it reads all. */
type Read = { readonly name: string; readonly differs: readonly string[] };

/** Reads what a release handed out, kind by kind. If there is a mutant, import this module after it is in place. */
export function readHandedOut({ state, steps }: Story, provider: BenchProvider): readonly Read[] {
	const requests = steps.flatMap(({ step }) => ('request' in step ? [step.request] : []));
	const items = state.items.map(recordIn);
	const workspaceOf = ({ headers = {} }: Request): string => {
		const hash = hashApiKey((headers['authorization'] ?? '').replace('Bearer ', ''));
		const key = items.find(({ kind, fields }) => kind === 'api_key' && fields['secret_hash'] === hash);
		return String(key?.fields['workspace_id']);
	};
	const scopes = new Set(items.map(({ kind, fields }) => kind === 'idempotency' && fields['scope']));

	const cursors = requests.flatMap((request) => {
		const cursor = cursorIn(request);
		if (cursor === undefined) return [];
		const { operation, id, defaults } = routeOf(request);
		const { cursor: _, limit: _limit, ...filters } = { ...defaults, ...membersOf(request) };
		const ofResource = operation === 'recover-webhook-endpoint' ? { endpoint_id: String(id), ...filters } : filters;
		const place = readCursor(cursor, { workspace_id: workspaceOf(request), operation, filters: ofResource }) ?? '';
		const isRead =
			operation === 'recover-webhook-endpoint' ? readPlace(place, FAR_MS) !== null : ID_PATTERN.test(place);
		return isRead ? [] : [`the cursor of ${operation} is not read`];
	});
	const keys = requests.flatMap((request) => {
		const key = request.headers?.['idempotency-key'];
		const { operation, id, isServers } = routeOf(request);
		if (key === undefined || !isServers) return [];
		const scope = idempotencyScope({ workspace_id: workspaceOf(request), operation, resource_id: id, key });
		return scopes.has(scope) ? [] : [`the response of ${operation} is not found under its key`];
	});
	const secret = provider === 'simulator' ? PHONES_SECRET : providerSecretOf(provider);
	const addresses = requests.flatMap(({ path }) => {
		const [leg_path, call_id = '', leg_id = ''] = /\/telephony\/(\w+)\/(\w+)\.[\w-]+/.exec(path) ?? [];
		if (leg_path === undefined || leg_path === legPath(secret, { call_id, leg_id })) return [];
		return [`the address of leg ${leg_id} is another one`];
	});
	const found = new Map([
		[CURSOR, cursors],
		[RESPONSE, keys],
		[ADDRESS, addresses],
	]);
	return handedOutNames(provider).map((name) => ({ name, differs: found.get(name) ?? [] }));
}

const CURSOR = 'a cursor is read where the list goes on';
const RESPONSE = 'a stored response is found under its Idempotency-Key';
const ADDRESS = 'the callback address of a leg is the one that its provider got';
/** The names of the kinds. Only the story of the simulator has cursors and responses. */
export const handedOutNames = (provider: BenchProvider): readonly string[] =>
	provider === 'simulator' ? [CURSOR, RESPONSE, ADDRESS] : [ADDRESS];

/** The cursor in a request's query or body, from which the request continues. */
export const cursorIn = (request: Request): string | undefined => membersOf(request)['cursor'];
/**
 * `readPlace` refuses a cursor that names a time more than a day after the given one. The samples have a clock of their own, so
 * the given time has to be later than every time in them.
 */
const FAR_MS = Number.MAX_SAFE_INTEGER;

/** All parameters of a request's query and all fields of its JSON body, as texts. */
function membersOf({ path, headers = {}, body = '' }: Request): Readonly<Record<string, string>> {
	const query = Object.fromEntries(new URLSearchParams(path.split('?')[1]));
	const isJson = headers['content-type'] === 'application/json' && body !== '';
	const members = isJson ? Object.entries(z.record(z.string(), z.unknown()).parse(JSON.parse(body))) : [];
	return { ...query, ...Object.fromEntries(members.map(([name, value]) => [name, String(value)])) };
}

/** The route of a request. `id`: the id in its path. `defaults`: parameters that the route adds, such as an order. */
function routeOf({ method, path }: Request) {
	const [target = ''] = path.split('?');
	for (const route of routes) {
		const pattern = new RegExp(`^${VERSION_PREFIX}${route.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
		const found = route.method === method ? pattern.exec(target) : null;
		if (found === null) continue;
		const added = Object.entries(route.query.safeParse({}).data ?? {});
		const defaults = Object.fromEntries(added.map(([name, value]) => [name, String(value)]));
		const isServers = route.surface === 'server';
		return { operation: route.operation, id: found.groups?.['id'] ?? null, defaults, isServers };
	}
	return { operation: 'none', id: null, defaults: {}, isServers: false };
}
