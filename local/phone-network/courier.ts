import { callHttp, instructionsPath, parseJson, statusPath } from '../../shared/adapters/telephony/provider-http.ts';
import { LegInstruction, SIGNATURE_HEADER, signCallback } from '../../shared/adapters/telephony/simulator/simulator.ts';
import { afterInstruction, endNetworkLeg, type NetworkLeg, type Parcel, type Time } from './leg.ts';
import type { RingLog } from './ring-log.ts';
import type { Timers } from './timers.ts';

const TIMEOUT_MS = 10_000;
const BACK_OFF_MS = [100, 250, 500, 1000, 2000, 4000] as const;
const LONGEST_BACK_OFF_MS = 5000;

/**
 * The result of sending a parcel (a callback or a request for instructions) to the stack. `taken`: the stack has accepted
 * the parcel. `refused`: the stack has refused the parcel. `again`: the stack did not respond, or responded with 429 or
 * 5xx.
 */
type Delivery = { readonly came: 'taken'; readonly body: string } | { readonly came: 'refused' | 'again' };

type CourierDeps = {
	readonly secret: string;
	readonly timers: Timers;
	readonly log: RingLog;
	readonly time: () => Time;
	/** Changes the leg. `how` is called with the leg in its current state. */
	readonly change: (providerId: string, how: (leg: NetworkLeg) => NetworkLeg) => void;
};

/**
 * Sends the callbacks and the requests for instructions of all legs to the stack. Signs each callback and each request, and
 * retries it for a limited time.
 */
export function courier({ secret, timers, log, time, change }: CourierDeps): { collect(leg: NetworkLeg): void } {
	const underWay = new Set<string>();

	async function report(leg: NetworkLeg, parcel: Parcel): Promise<void> {
		const { came } = await post(secret, leg, 'status', parcel);
		const later = came === 'again' ? postpone(parcel, Date.now()) : null;
		if (came === 'refused') log.note('callback_refused', leg);
		if (came === 'again' && later === null) log.note('callback_given_up', leg);
		underWay.delete(parcelName(leg, parcel));
		change(leg.provider_id, (now) => {
			const others = now.outbox.filter((each) => each.number !== parcel.number);
			return { ...now, outbox: later === null ? others : [...others, later] };
		});
	}
	async function ask(leg: NetworkLeg, parcel: Parcel): Promise<void> {
		const delivery = await post(secret, leg, 'instructions', parcel);
		const later = delivery.came === 'again' ? postpone(parcel, Date.now()) : null;
		const instruction = delivery.came === 'taken' ? LegInstruction.safeParse(parseJson(delivery.body)).data : undefined;
		underWay.delete(parcelName(leg, parcel));
		change(leg.provider_id, (now) => {
			if (now.question?.number !== parcel.number) return now;
			if (instruction !== undefined) return afterInstruction(now, instruction, time());
			return later === null ? endNetworkLeg(now, 'provider_error', time()) : { ...now, question: later };
		});
	}
	function send(leg: NetworkLeg, parcel: Parcel, how: (leg: NetworkLeg, parcel: Parcel) => Promise<void>): void {
		const name = parcelName(leg, parcel);
		if (underWay.has(name)) return;
		timers.set(name, parcel.due_ms, () => {
			underWay.add(name);
			void how(leg, parcel);
		});
	}
	return {
		collect(leg) {
			if (leg.question !== null) send(leg, leg.question, ask);
			for (const parcel of leg.outbox) send(leg, parcel, report);
		},
	};
}

const parcelName = (leg: NetworkLeg, parcel: Parcel): string => `${leg.provider_id} ${parcel.number}`;

async function post(
	secret: string,
	leg: NetworkLeg,
	route: 'status' | 'instructions',
	parcel: Parcel,
): Promise<Delivery> {
	const path = route === 'status' ? statusPath(leg.leg_path) : instructionsPath(leg.leg_path);
	const body = JSON.stringify(parcel.report);
	const signature = signCallback(secret, Math.floor(Date.now() / 1000), path, body);
	const result = await callHttp({
		method: 'POST',
		url: new URL(leg.callback_base + path),
		headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature },
		body,
		timeout_ms: TIMEOUT_MS,
	});
	if (result.outcome !== 'response' || result.status === 429 || result.status >= 500) return { came: 'again' };
	return result.status < 300 ? { came: 'taken', body: result.body } : { came: 'refused' };
}

/** The callback or request with the time of its next try. Null if the time limit of the callback or request is over. */
function postpone(parcel: Parcel, nowMs: number): Parcel | null {
	const due_ms = nowMs + (BACK_OFF_MS[parcel.tries] ?? LONGEST_BACK_OFF_MS);
	return due_ms > parcel.give_up_ms ? null : { ...parcel, tries: parcel.tries + 1, due_ms };
}
