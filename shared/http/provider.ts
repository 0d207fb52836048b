import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Problem } from '../contract/problem.ts';
import { type Route, VERSION_PREFIX } from '../contract/route.ts';
import type { LegFact } from '../domain/leg.ts';
import type { Log } from '../ports/log.ts';
import type { Telephony } from '../ports/telephony.ts';
import { edge } from './edge.ts';
import { NOT_FOUND } from './refusals.ts';
import type { HttpRequest } from './request.ts';
import { type HttpResponse, problemResponse } from './response.ts';

type LegIds = { readonly call_id: string; readonly leg_id: string };
/** A genuine request of the provider: which leg, and what it says of it (null: nothing that we act on). */
export type ProviderInput = { readonly ids: LegIds; readonly fact: LegFact | null };
type ProviderReply =
	| { readonly response: HttpResponse & APIGatewayProxyStructuredResultV2 }
	| { readonly problem: Problem };

const FORGED: Problem = { code: 'invalid_signature', detail: 'The signature does not match the request.' };

function headersOf(request: HttpRequest): Record<string, string> {
	const given = Object.entries(request.headers).filter(([, value]) => value !== undefined);
	return Object.fromEntries(given.map(([name, value]) => [name, value ?? '']));
}

/**
 * A route of the telephony provider. It proves itself by its signature over the configured base URL and our own path
 * (never one rebuilt from Host headers); without it nothing changes.
 */
export function handleForProvider<D extends { readonly log: Log; readonly telephony: Telephony }>(
	route: Route,
	spec: { readonly deps: () => D; readonly run: (input: ProviderInput, deps: D) => Promise<ProviderReply> },
) {
	const deps = spec.deps();
	return edge(route.operation, deps.log, async (request) => {
		const ids = { call_id: request.params['call_id'] ?? '', leg_id: request.params['leg_id'] ?? '' };
		const path = request.path.slice(VERSION_PREFIX.length);
		const raw_body = request.body?.toString('utf8') ?? '';
		const received = await deps.telephony.receive({ ...ids, path, headers: headersOf(request), raw_body });
		if (received.received === 'forged') return problemResponse(FORGED, request);
		if (!route.params.safeParse(ids).success) return problemResponse(NOT_FOUND, request);
		if (received.received === 'ignored') {
			deps.log.info('callback ignored', { ...ids, operation: route.operation, outcome: received.why });
		}
		const reply = await spec.run({ ids, fact: received.received === 'fact' ? received.fact : null }, deps);
		return 'problem' in reply ? problemResponse(reply.problem, request) : reply.response;
	});
}
