import { describe, expect, it } from '@jest/globals';
import { SEEN_SECONDS } from '../../../shared/domain/workspaces/site-use.ts';
import { type Store, StoreBusy } from '../../../shared/ports/store.ts';
import { noteSite, sitesSeen } from '../../../shared/use-cases/workspaces/site-use.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';

const START_MS = Date.parse('2026-11-21T09:00:00Z');
const HOUR_MS = 3_600_000;
const [SHOP, OTHER] = ['https://shop.example', 'https://www.shop.example'];
const workspace = { ...samples.workspace, origins: [SHOP, OTHER] };

/** A site whose widget asks for its configuration; `process`: a function that runs anew, with nothing in mind. */
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
	const process = () => {
		const noted = new Map<string, number>();
		const deps = { store: counting, clock: { now: () => now.ms }, log, noted };
		return { noted, shows: (origin: string) => noteSite(workspace, origin, deps) };
	};
	const seen = async () => (await sitesSeen(workspace, { store })).map(({ seen_at }) => seen_at);
	return { now, asked, lines, process, seen };
}

describe('a site that shows the widget', () => {
	it('is noted by its origin and the time, at most once a day, however many processes answer', async () => {
		const { now, asked, process, seen } = site();
		const one = process();
		expect(await seen()).toEqual([null, null]);
		await one.shows(SHOP);
		expect(await seen()).toEqual(['2026-11-21T09:00:00.000Z', null]);
		expect(asked).toEqual(['get', 'commit']);
		now.ms += 23 * HOUR_MS;
		const other = process();
		for (const each of [one, other, other]) await each.shows(SHOP);
		expect([asked, await seen()]).toEqual([
			['get', 'commit', 'get'],
			['2026-11-21T09:00:00.000Z', null],
		]);
		now.ms += HOUR_MS;
		for (const each of [one, other]) await each.shows(SHOP);
		await other.shows(OTHER);
		expect(await seen()).toEqual(['2026-11-22T09:00:00.000Z', '2026-11-22T09:00:00.000Z']);
		expect(asked.filter((verb) => verb === 'commit')).toHaveLength(3);
	});

	it('is forgotten some time after it was last seen, and has nothing of its visitors', async () => {
		const store = memoryStore();
		await site(store).process().shows(SHOP);
		expect(await store.get('site_use', { workspace_id: workspace.id, origin: SHOP })).toEqual({
			workspace_id: workspace.id,
			origin: SHOP,
			seen_at: '2026-11-21T09:00:00.000Z',
			expires_at_epoch_s: START_MS / 1000 + SEEN_SECONDS,
		});
	});

	it('is answered when the table does not take the note, and delays no other answer of that day', async () => {
		const refuses = async () => {
			throw new StoreBusy('throttled');
		};
		const { asked, lines, process } = site({ ...memoryStore(), commit: refuses });
		const one = process();
		for (let times = 0; times < 3; times += 1) await one.shows(SHOP);
		expect(asked).toEqual(['get', 'commit']);
		expect(lines).toEqual([expect.objectContaining({ error: 'StoreBusy', workspace_id: workspace.id })]);
	});

	it('takes little memory, however many there are', async () => {
		const { noted, shows } = site().process();
		for (let nth = 0; nth < 2500; nth += 1) await shows(`https://s${nth}.example`);
		expect(noted.size).toBeLessThanOrEqual(1000);
	});
});
