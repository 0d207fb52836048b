import { AsyncLocalStorage } from 'node:async_hooks';
import { Socket } from 'node:net';
import type { LegFact } from '../../../shared/domain/calls/leg.ts';
import type { DialOutcome, HangupOutcome, LookupOutcome, Telephony } from '../../../shared/ports/telephony.ts';
import { adapterOf, deployments } from '../../support/phones/regions.ts';
import { onStage } from './stage.ts';

// The network connection to the provider. Each world has one provider in one of its regions, with the real adapter: only Node's
// `https` and the function that reads the response are replaced, by `request` and `wholeResponse`. The world fails if a request
// goes to a host outside the region, or if a connection would leave the process.

type Outcome = DialOutcome | HangupOutcome | LookupOutcome;
/** What the provider does when it receives the request. */
type Effect = () => Promise<Outcome>;
const effects = new AsyncLocalStorage<Effect>();

const adapters = new Map<(typeof deployments)[number], Telephony>();
/**
 * The deployment of the world. It stays the same for eight seeds in a row, so that each deployment is used in every kind of
 * world.
 */
function deployment() {
	const found = deployments[Math.floor(onStage().seed / 8) % deployments.length] ?? deployments[0];
	const phones = adapters.get(found) ?? adapterOf(found);
	adapters.set(found, phones);
	return { phones, host: found.host };
}

/** Sends the adapter's request and returns the adapter's outcome. The request triggers `effect`. */
export const overTheWire = <T>(ask: (phones: Telephony) => Promise<T>, effect: Effect): Promise<T> =>
	effects.run(effect, () => ask(deployment().phones));

type Options = { readonly method: string };
type Sent = { readonly url: URL; readonly method: string; end(): void; destroy(): void };

/** Replaces `https.request`. */
export const request = (url: URL, { method }: Options): Sent => ({
	url,
	method,
	end: () => undefined,
	destroy: () => undefined,
});

type WireResponse = { readonly response: { statusCode: number; headers: object }; readonly body: Buffer };
const reply = (statusCode: number, body: object = {}, headers: object = {}): WireResponse => ({
	response: { statusCode, headers },
	body: Buffer.from(JSON.stringify(body)),
});
const LOST = { failed: 'ECONNRESET', response: null };

/** Replaces the adapters' function `wholeResponse`. */
export async function wholeResponse({ url, method }: Sent): Promise<WireResponse | typeof LOST> {
	const stage = onStage();
	const { host } = deployment();
	stage.asked_hosts.push(url.hostname);
	if (url.hostname !== host || url.protocol !== 'https:')
		stage.broken('every request goes to the host of the provider’s region', `${method} ${url.origin}, not ${host}`);
	// Twilio's list of calls would show whether a phone rings although the dial got no response. The world loses this list, so
	// the service never learns it from there.
	if (method === 'GET' && url.search !== '') return LOST;
	const effect = effects.getStore();
	if (effect === undefined) throw new Error('a request that no one asked for');
	return replyWith(await effect());
}

/** A refusal, in the format of both providers. */
const refusal = (code: string) => ({ code: Number(code), errors: [{ code }] });

function replyWith(outcome: Outcome): WireResponse | typeof LOST {
	if ('hangup' in outcome) {
		if (outcome.hangup === 'done') return reply(200);
		return outcome.hangup === 'unclear' ? reply(500) : reply(404);
	}
	if ('lookup' in outcome) {
		if (outcome.lookup === 'found') return reply(200, resourceOf(outcome.fact));
		return outcome.lookup === 'unclear' ? reply(503) : reply(404);
	}
	switch (outcome.dial) {
		case 'accepted':
			return reply(201, { sid: outcome.provider_id });
		case 'throttled':
			return reply(429, refusal(outcome.code), { 'retry-after': String(outcome.retry_after_seconds) });
		case 'rejected':
			return reply(400, refusal(outcome.code));
		case 'unclear':
			return LOST;
	}
}

const STATUSES = { dialing: 'queued', ringing: 'ringing', answered: 'in-progress', accepted: 'in-progress' };
const resourceOf = ({ provider_id, rank }: LegFact) => ({
	sid: provider_id,
	status: rank === 'ended' ? 'completed' : STATUSES[rank],
});

/** From now on, a connection that leaves the process makes the world fail. */
export function forbidConnections(): void {
	Socket.prototype.connect = () => {
		onStage().broken('nothing leaves the world but by its ports', 'a connection');
		throw new Error('nothing leaves the world');
	};
}
