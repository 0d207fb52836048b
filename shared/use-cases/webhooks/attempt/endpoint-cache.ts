import { isHealthy } from '../../../domain/webhooks/endpoint-breaker.ts';
import type { WebhookEndpoint } from '../../../domain/webhooks/webhook-endpoint.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { RecordKeys } from '../../../ports/registry.ts';
import type { Store } from '../../../ports/store.ts';

/** The maximum age of a copy. See docs/decisions/0050. */
export const ENDPOINT_CACHED_MS = 3000;
/** A function serves many workspaces: it caches the newest copies. */
const MOST_CACHED = 1000;

type Key = RecordKeys['webhook_endpoint'];
type Copy = { readonly endpoint: Promise<WebhookEndpoint | null>; readonly read_ms: number };

/** Copies of endpoints that a container caches for `ENDPOINT_CACHED_MS`, for first attempts. */
export type EndpointCache = {
	/**
	 * The endpoint, if its copy is at least this version, enabled and healthy: such an endpoint needs no decision, and no write
	 * depends on its version. Null: read it from the table.
	 */
	calm(key: Key, version: number): Promise<WebhookEndpoint | null>;
	/** The endpoint from the table. Those who ask while a read is under way share it: one read for a batch of messages. */
	latest(key: Key): Promise<WebhookEndpoint | null>;
	/** An attempt failed, so the copy is no longer right. */
	forget(key: Key): void;
};

export function endpointCache({ store, clock }: { readonly store: Pick<Store, 'get'>; readonly clock: Clock }) {
	const cache = new Map<string, Copy>();
	const reads = new Map<string, Promise<WebhookEndpoint | null>>();

	/** Deliveries of one time share a read. A failed read is not cached. */
	function current(name: string, key: Key): Copy {
		const now_ms = clock.now();
		const known = cache.get(name);
		if (known !== undefined && now_ms - known.read_ms < ENDPOINT_CACHED_MS) return known;
		const read = { endpoint: store.get('webhook_endpoint', key), read_ms: now_ms };
		read.endpoint.catch(() => drop(name, read));
		cache.delete(name);
		cache.set(name, read);
		const [oldest] = cache.keys();
		if (cache.size > MOST_CACHED && oldest !== undefined) cache.delete(oldest);
		return read;
	}
	function drop(name: string, copy: Copy): void {
		if (cache.get(name) === copy) cache.delete(name);
	}
	return {
		async calm(key, version) {
			const name = nameOf(key);
			const copy = current(name, key);
			const endpoint = await copy.endpoint;
			if (endpoint === null) return null;
			if (endpoint.version < version) drop(name, copy);
			const isCalm = endpoint.version >= version && endpoint.status === 'enabled' && isHealthy(endpoint.health);
			return isCalm ? endpoint : null;
		},
		latest(key) {
			const name = nameOf(key);
			const read = reads.get(name) ?? store.get('webhook_endpoint', key).finally(() => reads.delete(name));
			reads.set(name, read);
			return read;
		},
		forget: (key) => void cache.delete(nameOf(key)),
	} satisfies EndpointCache;
}

const nameOf = ({ workspace_id, id }: Key): string => `${workspace_id} ${id}`;
