import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Problem } from '../contract/kernel/problem.ts';
import { type Route, VERSION_PREFIX } from '../contract/route.ts';
import type { LegFact } from '../domain/calls/leg.ts';
import type { Log } from '../ports/log.ts';
import type { ProviderRequest, Telephony } from '../ports/telephony.ts';
import type { CallDeps } from '../use-cases/calls/advance-call.ts';
import { applyLegFact, type LegAddress } from '../use-cases/calls/apply-leg-fact.ts';
import { edge } from './edge.ts';
import { NOT_FOUND } from './refusals.ts';
import { type HttpRequest, MAX_BODY_BYTES, TOO_LARGE } from './request.ts';
import { type HttpResponse, problemResponse } from './response.ts';

/** A genuine request of the provider: of which leg, to which path, and what it says (null: nothing that we act on). */
type ProviderInput = { readonly at: LegAddress; readonly path: string; readonly fact: LegFact | null };
type ProviderReply =
	| { readonly response: HttpResponse & APIGatewayProxyStructuredResultV2 }
	| { readonly problem: Problem };

const FORGED: Problem = { code: 'invalid_signature', detail: 'The signature does not match the request.' };

function headersOf(request: HttpRequest): Record<string, string> {
	const given = Object.entries(request.headers).filter(([, value]) => value !== undefined);
	return Object.fromEntries(given.map(([name, value]) => [name, value ?? '']));
}

function askedOf(request: HttpRequest): ProviderRequest {
	const { call_id = '', leg_id: segment = '' } = request.params;
	const [leg_id = '', ...mac] = segment.split('.');
	const leg_mac = mac.length === 0 ? null : mac.join('.');
	const path = request.path.slice(VERSION_PREFIX.length);
	return {
		call_id,
		leg_id,
		leg_mac,
		path,
		headers: headersOf(request),
		raw_body: request.body?.toString('utf8') ?? '',
	};
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
		// A signature can be judged only over the whole body: what nobody would sign is not read at all.
		if ((request.body?.byteLength ?? 0) > MAX_BODY_BYTES) return problemResponse(TOO_LARGE, request);
		const asked = askedOf(request);
		const received = await deps.telephony.receive(asked);
		if (received.received === 'forged') return problemResponse(FORGED, request);
		const ids = { call_id: asked.call_id, leg_id: asked.leg_id };
		if (!route.params.safeParse(ids).success) return problemResponse(NOT_FOUND, request);
		if (received.received === 'ignored') {
			deps.log.info('callback ignored', { ...ids, operation: route.operation, outcome: received.why });
		}
		const fact = received.received === 'fact' ? received.fact : null;
		const reply = await spec.run({ at: { ...ids, keyed: asked.leg_mac !== null }, path: asked.path, fact }, deps);
		return 'problem' in reply ? problemResponse(reply.problem, request) : reply.response;
	});
}

/** Takes in what the provider says of a leg; false when it is not of this leg, or there is none. */
export async function hear(at: LegAddress, fact: LegFact, deps: CallDeps & { readonly log: Log }): Promise<boolean> {
	const outcome = await applyLegFact(at, fact, deps);
	if (outcome === 'other_leg') deps.log.warn('callback of another leg', { call_id: at.call_id, leg_id: at.leg_id });
	return outcome === 'applied';
}
