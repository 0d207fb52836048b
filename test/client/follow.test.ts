import { beforeEach, describe, expect, it } from '@jest/globals';
import { callBackClient } from '../../packages/client/client.ts';
import { ApiError } from '../../packages/client/errors.ts';
import type { FollowOptions } from '../../packages/client/follow.ts';
import { envelopeOf } from '../../shared/http/webhooks/present-event.ts';
import { listEvents } from '../../shared/use-cases/webhooks/list-events.ts';
import { chance } from '../lab/world/chance.ts';
import { fictionalNumber, frontDesk } from '../support/front-desk.ts';
import { memoryStore } from '../support/memory-store.ts';

type Answer = () => Promise<Response>;

/**
 * `asked`: the queries that the follower sent. `answers`: the responses that it gets. After the last response, the feed has no
 * more events.
 */
const asked: string[] = [];
let answers: Answer[] = [];
beforeEach(() => {
	asked.length = 0;
	answers = [];
});

const page =
	(ids: readonly string[], has_more: boolean, next_cursor: string): Answer =>
	async () =>
		Response.json({ data: ids.map((id) => ({ id })), has_more, next_cursor });
const refuse =
	(status: number, code: string): Answer =>
	async () =>
		Response.json({ code, status, detail: 'Because.' }, { status });
const hangUp: Answer = async () => {
	throw new TypeError('fetch failed');
};
const client = () =>
	callBackClient({
		base_url: 'https://api.invalid/v1',
		api_key: 'k',
		max_retries: 0,
		fetch: async (url) => {
			asked.push(new URL(String(url)).search);
			return (answers.shift() ?? page([], false, 'end'))();
		},
	});

/** The ids and cursors of the first `count` pages. */
async function firstPages(count: number, options: FollowOptions = {}) {
	const pages: (readonly [string, string])[] = [];
	for await (const { events, cursor } of client().events.follow({ interval_ms: 0, ...options })) {
		pages.push([events.map(({ id }) => id).join(), cursor]);
		if (pages.length === count) break;
	}
	return pages;
}

describe('events.follow', () => {
	it('yields the pages of the feed, waits at its end, and can go on from nothing but a stored cursor', async () => {
		answers = [page(['a', 'b'], true, '1'), page(['c'], false, '2'), page([], false, '3'), page(['d'], false, '4')];
		const from = new Date('2026-11-01T00:00:00.000Z');
		expect(await firstPages(3, { from, event: ['call.failed', 'call.completed'] })).toEqual([
			['a,b', '1'],
			['c', '2'],
			['d', '4'],
		]);
		const kinds = 'event=call.failed%2Ccall.completed&limit=100&order=asc';
		expect(asked).toEqual([
			`?${kinds}&from=2026-11-01T00%3A00%3A00.000Z`,
			`?${kinds}&cursor=1`,
			`?${kinds}&cursor=2`,
			`?${kinds}&cursor=3`,
		]);
	});

	it('gives a cursor even before the first event, and starts at the cursor that the caller passes', async () => {
		expect(await firstPages(1, { cursor: 'kept', from: '2026-11-01' })).toEqual([['', 'end']]);
		expect(asked).toEqual(['?limit=100&order=asc&cursor=kept']);
	});

	it('continues from the same place after a temporary failure', async () => {
		const failures = [hangUp, refuse(503, 'service_busy'), refuse(500, 'internal_error'), refuse(429, 'rate_limited')];
		answers = [page(['a'], true, '1'), ...failures, page(['b'], false, '2')];
		expect(await firstPages(2)).toEqual([
			['a', '1'],
			['b', '2'],
		]);
		expect(asked.slice(1)).toEqual(Array.from({ length: 5 }, () => '?limit=100&order=asc&cursor=1'));
	});

	it.each(['cursor_expired', 'invalid_cursor', 'unauthenticated'])('throws %s', async (code) => {
		answers = [page(['a'], true, '1'), refuse(410, code)];
		const outcome = firstPages(2).catch((error: unknown) => error);
		expect(await outcome).toBeInstanceOf(ApiError);
		expect(await outcome).toMatchObject({ code });
	});

	it('ends without an error when the signal is aborted, in a wait and in a request', async () => {
		const inWait = new AbortController();
		const pages: unknown[] = [];
		for await (const one of client().events.follow({ signal: inWait.signal, interval_ms: 3_600_000 })) {
			pages.push(one);
			setImmediate(() => inWait.abort());
		}
		expect(pages).toHaveLength(1);
		const inRequest = new AbortController();
		answers = [
			async () => {
				inRequest.abort();
				throw new TypeError('aborted');
			},
		];
		for await (const one of client().events.follow({ signal: inRequest.signal })) pages.push(one);
		expect(pages).toHaveLength(1);
	});
});

/**
 * Runs a follower on a feed in memory, while calls add events to it. The follower is killed at random moments before it stores a
 * cursor, and restarts from the cursor that it stored last. The receiver of webhooks is dead all the time, so no event is
 * delivered.
 */
async function followThroughCrashes(calls: number, next: () => number) {
	const store = memoryStore();
	const desk = frontDesk(store);
	const workspace = desk.workspace();
	await store.commit([{ op: 'put', record: 'workspace', item: workspace, guard: { if: 'absent' } }]);
	let made = 0;
	let pollsAtEnd = 0;
	async function meanwhile(): Promise<void> {
		desk.now.ms += Math.floor(next() * 20_000);
		for (let n = Math.floor(next() * 8); n > 0 && made < calls; n -= 1, made += 1) {
			desk.now.ms += Math.floor(next() * 300);
			const placed = await desk.requestCall(workspace, fictionalNumber(made));
			if (!('call' in placed)) throw new Error(`call ${made} was refused`);
		}
		if (made === calls) pollsAtEnd += 1;
	}
	let killed = new AbortController();
	const answer: typeof fetch = async (url) => {
		await meanwhile();
		if (next() < 0.1) killed.abort();
		if (next() < 0.1) throw new TypeError('fetch failed');
		const place = new URL(String(url)).searchParams.get('cursor');
		const about = { workspace_id: workspace.id, order: 'asc', limit: 1 + Math.floor(next() * 20), place } as const;
		const feed = await listEvents({ ...about, range: { from_id: null, before_id: null } }, { ...desk.deps, store });
		if (feed.outcome === 'expired') return Response.json({ code: 'cursor_expired' }, { status: 410 });
		return Response.json({ data: feed.events.map(envelopeOf), has_more: feed.has_more, next_cursor: feed.next });
	};
	const { events } = callBackClient({
		base_url: 'https://api.invalid/v1',
		api_key: 'k',
		max_retries: 0,
		fetch: answer,
	});
	const got = new Set<string>();
	let kept: string | null = null;
	let crashes = 0;
	for (; pollsAtEnd < 60; crashes += 1) {
		killed = new AbortController();
		for await (const { events: some, cursor } of events.follow({
			cursor: kept,
			interval_ms: 0,
			signal: killed.signal,
		})) {
			for (const { data } of some) if (!killed.signal.aborted) got.add(data.id);
			// The follower is killed after it processed a page, or a part of it, and before it stored the cursor.
			if (killed.signal.aborted || next() < 0.2) break;
			kept = cursor;
		}
	}
	const all = await store.list('event', workspace.id, { from_id: null, before_id: null, limit: calls + 1 });
	return { got, all: all.map(({ subject_id }) => subject_id), crashes };
}

it('a follower that is killed at random and starts again from its stored cursor misses nothing', async () => {
	for (let seed = 1; seed <= 10; seed += 1) {
		const random = chance(seed);
		const { got, all, crashes } = await followThroughCrashes(100, () => random.next('follower'));
		expect({ seed, made: all.length }).toEqual({ seed, made: 100 });
		expect({ seed, missed: all.filter((id) => !got.has(id)) }).toEqual({ seed, missed: [] });
		expect(crashes).toBeGreaterThan(3);
	}
});
