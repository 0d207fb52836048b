import type { Problem } from '../../contract/kernel/problem.ts';
import type { Route } from '../../contract/route.ts';
import type { Ports } from '../../ports/ports.ts';
import type { ProviderRequest } from '../../ports/telephony.ts';
import type { LegAddress, Report } from '../../use-cases/calls/provider-report.ts';
import { type EdgeHandler, edge } from './edge.ts';
import { NOT_FOUND, Refused } from './refusals.ts';
import { type HttpRequest, MAX_BODY_BYTES, TOO_LARGE } from './request.ts';
import { type PageResult, problemResponse } from './response.ts';

/** A route for the phone provider. A request that the provider's adapter does not accept as genuine changes nothing. */
export function handleForProvider<D extends Pick<Ports, 'log' | 'telephony'> & { readonly docs_url?: string | null }>(
	route: Route,
	spec: { readonly deps: () => D; readonly run: (provider: Provider, deps: D) => Promise<PageResult> },
): EdgeHandler {
	const deps = spec.deps();
	return edge(route, deps, problemResponse(deps.docs_url), async ({ request }) => {
		const result = await spec.run(await verifySignature(route, request, deps), deps);
		if ('problem' in result) throw new Refused(result.problem);
		return result.response;
	});
}

/**
 * A genuine request of the provider: the leg that it is about, its path, and its report. The report is null if it contains
 * nothing that we use.
 */
type Provider = { readonly at: LegAddress; readonly path: string; readonly report: Report | null };

const FORGED: Problem = { code: 'invalid_signature', detail: 'The signature does not match the request.' };

/**
 * Admits a request if the adapter of the phone provider accepts its signature and its address. If the provider signs the
 * URL, the adapter checks the signature over the configured base URL and our own path, never over a URL from Host headers.
 * The signature covers the whole body, so a body that is too large is refused without a check.
 */
async function verifySignature(
	route: Route,
	request: HttpRequest,
	{ telephony, log }: Pick<Ports, 'telephony' | 'log'>,
): Promise<Provider> {
	if ((request.body?.byteLength ?? 0) > MAX_BODY_BYTES) throw new Refused(TOO_LARGE);
	const callback = providerRequest(route, request);
	const outcome = await telephony.receive(callback);
	if (outcome.received === 'forged') throw new Refused(FORGED);
	const at = { call_id: callback.call_id, leg_id: callback.leg_id };
	if (!route.params.safeParse(at).success) throw new Refused(NOT_FOUND);
	if (outcome.received === 'fact') return { at, path: callback.path, report: outcome };
	log.info('callback', { ...at, detail: outcome.detail, outcome: 'ignored', code: outcome.why });
	return { at, path: callback.path, report: null };
}

/**
 * The path of a provider's request, relative to the base URL. The gateway puts the mapping key of a domain, or the name of
 * a stage, before the path of the route. The base URL contains that part, too.
 */
function pathBelowBase(route: Route, { path }: HttpRequest): string {
	const count = route.path.split('/').length - 1;
	return `/${path.split('/').slice(-count).join('/')}`;
}

function providerRequest(route: Route, request: HttpRequest): ProviderRequest {
	const { call_id = '', leg_id: segment = '' } = request.params;
	const [leg_id = '', ...mac] = segment.split('.');
	const path = pathBelowBase(route, request);
	const headerPairs = Object.entries(request.headers).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, value]],
	);
	const headers: Record<string, string> = Object.fromEntries(headerPairs);
	return { call_id, leg_id, leg_mac: mac.join('.'), path, headers, raw_body: request.body?.toString('utf8') ?? '' };
}
