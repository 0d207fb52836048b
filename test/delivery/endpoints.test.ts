import { describe, expect, it } from '@jest/globals';
import { ulidIds } from '../../shared/adapters/ids.ts';
import type { WebhookEndpoint } from '../../shared/domain/webhooks/webhook-endpoint.ts';
import { liveSecrets } from '../../shared/domain/webhooks/webhook-signature.ts';
import { changeWebhookEndpoint } from '../../shared/use-cases/webhooks/change-webhook-endpoint.ts';
import { createWebhookEndpoint } from '../../shared/use-cases/webhooks/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from '../../shared/use-cases/webhooks/delete-webhook-endpoint.ts';
import { rotateWebhookSecret } from '../../shared/use-cases/webhooks/rotate-webhook-secret.ts';
import { memoryStore } from '../support/memory-store.ts';
import { START, WORKSPACE } from '../support/webhooks/deliveries.ts';

// Tests the endpoints of one workspace: their secrets, how many a workspace may have, and concurrent changes.

const HOUR_S = 3600;
const sealing = (secret: string): string => Buffer.from(secret).toString('hex');
const opened = (sealed: string): string => Buffer.from(sealed, 'hex').toString();

function workspace() {
	const store = memoryStore();
	const clock = { now_ms: START, now: () => clock.now_ms };
	const deps = {
		store,
		clock,
		ids: ulidIds,
		log: { info: () => undefined, warn: () => undefined, error: () => undefined },
		vault: {
			sealSecret: async (secret: string) => sealing(secret),
			openSecret: async (sealed: string) => opened(sealed),
		},
		sender: { check: async (url: string) => ({ allowed: true as const, url }) },
	};
	const input = { workspace_id: WORKSPACE, description: null, events: ['call.completed'] } as const;
	const create = () => createWebhookEndpoint({ ...input, url: 'https://hooks.example/' }, deps);
	const keyOf = ({ id }: WebhookEndpoint) => ({ workspace_id: WORKSPACE, id });
	const read = async (endpoint: WebhookEndpoint): Promise<WebhookEndpoint> => {
		const found = await store.get('webhook_endpoint', keyOf(endpoint));
		if (found === null) throw new Error('the endpoint is gone');
		return found;
	};
	return {
		deps,
		clock,
		read,
		create,
		async created() {
			const result = await create();
			if (result.outcome !== 'created') throw new Error(result.outcome);
			return { created: result.endpoint, secret: result.secret };
		},
		async rotate(endpoint: WebhookEndpoint, overlapSeconds: number): Promise<string> {
			const result = await rotateWebhookSecret(keyOf(endpoint), overlapSeconds, deps);
			if (result.outcome !== 'rotated') throw new Error(result.outcome);
			return result.secret;
		},
		change: (endpoint: WebhookEndpoint, change: Parameters<typeof changeWebhookEndpoint>[1]) =>
			changeWebhookEndpoint(keyOf(endpoint), change, deps),
		remove: (endpoint: WebhookEndpoint) => deleteWebhookEndpoint(keyOf(endpoint), { store, hasSeen: () => true }),
		/** The secrets that sign after this many seconds, in order. */
		signing: async (endpoint: WebhookEndpoint, afterSeconds: number): Promise<string[]> =>
			liveSecrets(await read(endpoint), START + afterSeconds * 1000).map(opened),
	};
}

describe('a signing secret', () => {
	it('is shown once and stored sealed, whether it is the first secret or comes from a rotation', async () => {
		const w = workspace();
		const { created, secret } = await w.created();
		const second = await w.rotate(created, HOUR_S);
		const stored = JSON.stringify(await w.read(created));
		for (const shown of [secret, second]) {
			expect(shown).toMatch(/^whsec_/);
			expect(stored).not.toContain(shown);
			expect(stored).toContain(sealing(shown));
		}
	});

	it('keeps signing after its replacement, whose signature comes first, until the overlap ends', async () => {
		const w = workspace();
		const { created, secret: first } = await w.created();
		const second = await w.rotate(created, HOUR_S);
		expect(await w.signing(created, HOUR_S - 1)).toEqual([second, first]);
		expect(await w.signing(created, HOUR_S)).toEqual([second]);
	});

	it('ends when planned even if a later rotation has a longer overlap, and at once if a later rotation has no overlap', async () => {
		const w = workspace();
		const { created, secret: first } = await w.created();
		const second = await w.rotate(created, HOUR_S);
		const third = await w.rotate(created, 9 * HOUR_S);
		expect(await w.signing(created, HOUR_S - 1)).toEqual([third, second, first]);
		expect(await w.signing(created, HOUR_S)).toEqual([third, second]);
		const fourth = await w.rotate(created, 0);
		expect(await w.signing(created, 0)).toEqual([fourth]);
	});

	it('is one of at most 5 that sign: another rotation retires the oldest at once, whatever its overlap', async () => {
		const w = workspace();
		const { created, secret } = await w.created();
		const made = [secret];
		for (let n = 1; n < 5; n += 1) made.unshift(await w.rotate(created, 99 * HOUR_S));
		expect(await w.signing(created, 0)).toEqual(made);
		for (let n = 0; n < 120; n += 1) made.unshift(await w.rotate(created, 99 * HOUR_S));
		expect(await w.signing(created, 0)).toEqual(made.slice(0, 5));
		expect((await w.read(created)).secrets).toHaveLength(5);
	});

	it('is not lost in two concurrent rotations', async () => {
		const w = workspace();
		const { created, secret } = await w.created();
		const made = await Promise.all([w.rotate(created, HOUR_S), w.rotate(created, HOUR_S)]);
		expect((await w.signing(created, 0)).sort()).toEqual([secret, ...made].sort());
	});
});

describe('a workspace', () => {
	it('has 20 endpoints at most, even if many are created at once, and has room for another after a deletion', async () => {
		const w = workspace();
		const outcomes = await Promise.all(Array.from({ length: 25 }, () => w.create()));
		expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(20);
		expect(await w.deps.store.endpointsOf(WORKSPACE)).toHaveLength(20);
		expect(await w.create()).toEqual({ outcome: 'limit_reached' });
		const [first] = await w.deps.store.endpointsOf(WORKSPACE);
		if (first === undefined) throw new Error('no endpoint');
		expect(await w.remove(first)).toEqual({ outcome: 'deleted' });
		expect(await w.create()).toMatchObject({ outcome: 'created' });
	});
});

describe('an endpoint', () => {
	it('keeps both of two concurrent changes', async () => {
		const w = workspace();
		const { created } = await w.created();
		await Promise.all([w.change(created, { description: 'ours' }), w.change(created, { events: ['call.failed'] })]);
		expect(await w.read(created)).toMatchObject({ description: 'ours', events: ['call.failed'], version: 3 });
	});
});
