import { isAnyPhoneUp, isOver } from './lanes.ts';
import { type CallRecord, envelopeOf, type Ring, type Webhook } from './wire.ts';

/** A call with everything that the pages show. */
export type CallStory = {
	readonly call: CallRecord;
	/** Oldest first, like the webhooks. */
	readonly rings: readonly Ring[];
	readonly webhooks: readonly Webhook[];
};

/** Whether the drawing still changes: the call or one of its phones is live. */
export function isLive({ call, rings }: CallStory): boolean {
	return !isOver(call) || isAnyPhoneUp(rings);
}

type Parts = { readonly rings: readonly Ring[]; readonly webhooks: readonly Webhook[] };

/** What phones did and which webhooks came, by call. */
export function createStories() {
	const rings = new Map<string, Map<string, Ring>>();
	const webhooks = new Map<string, Map<string, Webhook>>();
	const put = <T>(all: Map<string, Map<string, T>>, call: string, key: string, item: T): void => {
		const own = all.get(call) ?? new Map<string, T>();
		all.set(call, own.set(key, item));
	};
	const itemsOf = <T>(own: ReadonlyMap<string, T> | undefined): readonly T[] => [...(own?.values() ?? [])];
	return {
		take(parts: Parts): void {
			for (const ring of parts.rings) put(rings, ring.call_id, `${ring.at} ${ring.leg_id} ${ring.what}`, ring);
			for (const webhook of parts.webhooks) put(webhooks, envelopeOf(webhook)?.data.id ?? '', webhook.key, webhook);
		},
		of: (call: CallRecord): CallStory => ({
			call,
			rings: itemsOf(rings.get(call.id)),
			webhooks: itemsOf(webhooks.get(call.id)),
		}),
	};
}
