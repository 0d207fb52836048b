import { describe, expect, it } from '@jest/globals';
import { SEEN_SECONDS } from '../../../shared/domain/workspaces/site-use.ts';
import { type Store, StoreBusy } from '../../../shared/ports/store.ts';
import { noteSite, sitesSeen } from '../../../shared/use-cases/workspaces/site-use.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';

const START_MS = Date.parse('2026-11-21T09:00:00Z');
const HOUR_MS = 3_600_000;
const SHOP = 'https://shop.example';
const OTHER = 'https://www.shop.example';
const workspace = { ...samples.workspace, origins: [SHOP, OTHER] };

/** A site whose widget requests its configuration. */
function site(store: Store = memoryStore()) {
	const now = { ms: START_MS };
	const asked: string[] = [];
	const counting: Store = {
		...store,
		get: (record, key) => {
			asked.push('get');
			return store.get(record, key);
		},
		commit: (writes) => {
			asked.push('commit');
			return store.commit(writes);
		},
	};
	const { log, lines } = memoryLog();
	const shows = (origin: string) => noteSite(workspace, origin, { store: counting, clock: { now: () => now.ms }, log });
	const seen = async () => (await sitesSeen(workspace, { store })).map(({ seen_at }) => seen_at);
	return { now, asked, lines, shows, seen };
}

describe('a site that shows the widget', () => {
	it('is stored with its origin and the time, at most once a day', async () => {
		const { now, asked, shows, seen } = site();
		expect(await seen()).toEqual([null, null]);
		await shows(SHOP);
		expect(await seen()).toEqual(['2026-11-21T09:00:00.000Z', null]);
		expect(asked).toEqual(['get', 'commit']);
		now.ms += 23 * HOUR_MS;
		await shows(SHOP);
		expect([asked, await seen()]).toEqual([
			['get', 'commit', 'get'],
			['2026-11-21T09:00:00.000Z', null],
		]);
		now.ms += HOUR_MS;
		for (const origin of [SHOP, SHOP, OTHER]) await shows(origin);
		expect(await seen()).toEqual(['2026-11-22T09:00:00.000Z', '2026-11-22T09:00:00.000Z']);
		expect(asked.filter((verb) => verb === 'commit')).toHaveLength(3);
	});

	it('is deleted some time after it was last seen, and its record contains nothing about its visitors', async () => {
		const store = memoryStore();
		await site(store).shows(SHOP);
		expect(await store.get('site_use', { workspace_id: workspace.id, origin: SHOP })).toEqual({
			workspace_id: workspace.id,
			origin: SHOP,
			seen_at: '2026-11-21T09:00:00.000Z',
			expires_at_epoch_s: START_MS / 1000 + SEEN_SECONDS,
		});
	});

	it('gets its response even if the table does not store that it was seen', async () => {
		const refuses = async () => {
			throw new StoreBusy('throttled');
		};
		const { asked, lines, shows } = site({ ...memoryStore(), commit: refuses });
		await shows(SHOP);
		expect(asked).toEqual(['get', 'commit']);
		expect(lines).toEqual([expect.objectContaining({ error: 'StoreBusy', workspace_id: workspace.id })]);
	});
});
