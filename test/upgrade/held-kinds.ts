import { unmarshall } from '@aws-sdk/util-dynamodb';
import { methodsOfRoute, type Route, VERSION_PREFIX } from '../../shared/contract/route.ts';
import { routes } from '../../shared/contract/routes.ts';
import { DESK_LINK_SECONDS, linkPurposes } from '../../shared/domain/desk/desk-link.ts';
import { ASKING_COOKIE, SESSION_COOKIE } from '../../shared/domain/desk/session-cookie.ts';
import { hashOf, parseSecret } from '../../shared/domain/kernel/link-token.ts';
import { linkChanges } from '../../shared/http/desk/actions.ts';
import { deskTextsIn } from '../../shared/presentation/desk-texts.ts';
import type { Request } from './bench/functions.ts';
import { restProviders } from './bench/providers.ts';
import { recordIn } from './kinds.ts';
import { cursorIn } from './read-handed-out.ts';
import type { Samples } from './samples.ts';

// After a release is replaced, people and systems still hold things such as links and cursors. This file names the kinds of
// these things: those that today's code hands out, and those that the samples contain.

const allRoutes: readonly Route[] = routes;
const NOW = '2026-11-29T12:00:00Z';
/** Whether a schema accepts an object with a cursor. */
function takes(schema: Route['query'], value: { readonly cursor: string; readonly since?: string }): boolean {
	const { data } = schema.safeParse(value);
	return typeof data === 'object' && data !== null && 'cursor' in data;
}
const formOf = ({ path }: Route): RegExp => new RegExp(`^${VERSION_PREFIX}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
const callbacks = allRoutes.filter(({ surface }) => surface === 'provider');
/** The routes of links: their path contains a token. */
const linkPages = allRoutes.filter(({ path }) => path.includes('{token}'));
/** Routes that return a list page by page, and routes that do their work in several parts. */
const pagedRoutes = allRoutes.filter(
	({ surface, query, body }) =>
		surface === 'server' && (takes(query, { cursor: 'cursor' }) || takes(body, { cursor: 'cursor', since: NOW })),
);

/** The names of all kinds that today's code stores, sends or hands out. */
export function todaysKinds({ records, messages }: Samples['shapes']): readonly string[] {
	const link = linkChanges.map((change): string => change);
	const actions = Object.keys(deskTextsIn('en').changes).filter((change) => !link.includes(change));
	return [
		...Object.keys(records).map((kind) => `record ${kind}`),
		...Object.keys(messages).map((queue) => `message ${queue}`),
		...['simulator', ...restProviders].flatMap((provider) =>
			callbacks.map(({ operation }) => `callback address of ${provider}: ${operation}`),
		),
		...linkPages.flatMap((route) => methodsOfRoute(route).map((method) => `page of a link: ${method} ${route.path}`)),
		...[...Object.keys(DESK_LINK_SECONDS), ...linkPurposes].map((purpose) => `link to the desk: ${purpose}`),
		...[SESSION_COOKIE, ASKING_COOKIE].map((name) => `cookie ${name}`),
		...pagedRoutes.map(({ operation }) => `cursor of ${operation}`),
		...allRoutes.filter(({ idempotent }) => idempotent).map(({ operation }) => `Idempotency-Key of ${operation}`),
		...actions.map((action) => `form with its token: ${action}`),
	];
}

/** The names of the kinds that the samples contain. */
export function heldKinds({ state, messages, steps, by_provider }: Samples): ReadonlySet<string> {
	const requests = requestsOf(steps);
	const items = state.items.map(recordIn);
	const links = new Map(
		state.items
			.map((item) => unmarshall({ ...item }))
			.filter(({ pk }) => String(pk).startsWith('DESK_LINK#'))
			.map((item) => [item['id'], item]),
	);
	const linkOf = ({ path }: Request): readonly string[] => {
		const secret = parseSecret(/^\/v1\/desk\/links\/(.+)$/.exec(path)?.[1] ?? '');
		const link = secret && links.get(hashOf(secret));
		if (!link) return [];
		return [String(link['purpose'] ?? (link['invited_to'] === null ? 'sign_in' : 'invitation'))];
	};
	const callbacksOf = (provider: string, asked: readonly Request[]) =>
		callbacks
			.filter((route) => asked.some(({ path }) => formOf(route).test(path)))
			.map(({ operation }) => `callback address of ${provider}: ${operation}`);
	return new Set([
		...items.map(({ kind }) => `record ${kind}`),
		...messages.map(({ queue }) => `message ${queue}`),
		...callbacksOf('simulator', requests),
		...by_provider.flatMap((story) => callbacksOf(story.provider, requestsOf(story.steps))),
		...linkPages.flatMap((route) =>
			methodsOfRoute(route)
				.filter((method) => requests.some((each) => each.method === method && formOf(route).test(each.path)))
				.map((method) => `page of a link: ${method} ${route.path}`),
		),
		...requests
			.filter(({ method }) => method === 'POST')
			.flatMap(linkOf)
			.map((purpose) => `link to the desk: ${purpose}`),
		...requests.flatMap(({ cookies = [] }) => cookies).map((cookie) => `cookie ${cookie.split('=')[0]}`),
		...pagedRoutes
			.filter((route) => requests.some((each) => isOf(route, each.path) && cursorIn(each) !== undefined))
			.map(({ operation }) => `cursor of ${operation}`),
		...allRoutes
			.filter((route) => requests.some((each) => isRepeated(route, each)))
			.map(({ operation }) => `Idempotency-Key of ${operation}`),
		...requests.flatMap(formIn).map((action) => `form with its token: ${action}`),
	]);
}

const requestsOf = (steps: Samples['steps']): readonly Request[] =>
	steps.flatMap(({ step }) => ('request' in step ? [step.request] : []));
const isOf = (route: Route, path: string): boolean => formOf(route).test(path.split('?')[0] ?? '');
const isRepeated = (route: Route, { method, path, headers = {} }: Request): boolean =>
	route.method === method && isOf(route, path) && 'idempotency-key' in headers;

/** The action of a form of the desk if it has a token; otherwise nothing. */
function formIn({ method, path, body = '' }: Request): readonly string[] {
	const fields = new URLSearchParams(body);
	const isForm = method === 'POST' && /^\/v1\/desk\/(pages|developers)\//.test(path) && fields.has('token');
	return isForm ? [fields.get('action') ?? ''] : [];
}
