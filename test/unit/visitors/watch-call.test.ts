import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ulidIds } from '../../../shared/adapters/system/ids.ts';
import { jsonLog } from '../../../shared/adapters/system/log.ts';
import { watchCall as route } from '../../../shared/contract/visitors/watch-call.ts';
import { forPollers, handle } from '../../../shared/http/handle.ts';
import { fromHandshake } from '../../../shared/http/visitors/handshake.ts';
import { type Store, StoreBusy } from '../../../shared/ports/store.ts';
import { cancelCall } from '../../../shared/use-cases/calls/cancel-call.ts';
import { requestStatus } from '../../../shared/use-cases/calls/request-status.ts';
import { showEnd } from '../../../shared/use-cases/calls/show-end.ts';
import { watchCall } from '../../../shared/use-cases/visitors/watch-call.ts';
import { samples } from '../../conformance/store/records.ts';
import { memoryStore } from '../../support/memory-store.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z');
const connected = {
	...samples.call,
	status: 'connected',
	connected_at: new Date(NOW_MS - 60_000).toISOString(),
} as const;
const { id, workspace_id } = connected;

/** A call whose people talk, and what its page is shown. */
async function talking(wrap: (store: Store) => Store = (store) => store) {
	const truth = memoryStore();
	await truth.commit([{ op: 'put', record: 'call', item: connected, guard: { if: 'absent' } }]);
	const shown: { readonly connection_id: string; readonly answer: object }[] = [];
	const deps = {
		store: wrap(truth),
		clock: { now: () => NOW_MS },
		ids: ulidIds,
		queues: { send: async (_: string, { length: sent }: readonly unknown[]) => ({ sent, failed: 0 }) },
		pages: { show: async (connection_id: string, answer: object) => void shown.push({ connection_id, answer }) },
		speed: 1,
	};
	return {
		truth,
		deps,
		shown,
		watch: (connection_id = 'page') => watchCall({ call_id: id, connection_id }, deps),
		end: () => cancelCall({ workspace_id, id }, deps),
	};
}

describe('a page that waits for the end of a conversation', () => {
	it('is shown the end or refused, in every order of its opening and the end', async () => {
		await fc.assert(
			fc.asyncProperty(fc.scheduler(), async (s) => {
				const slow = ({ get, commit, ...rest }: Store): Store => ({
					...rest,
					get: s.scheduleFunction(get) as Store['get'],
					commit: s.scheduleFunction(commit) as Store['commit'],
				});
				const { watch, end, shown } = await talking(slow);
				const [{ outcome }, ended] = await s.waitFor(Promise.all([watch(), end()]));
				expect(ended.outcome).toBe('canceled');
				if (outcome === 'watching') expect(shown).toHaveLength(1);
				else expect(outcome).toBe('call_already_terminal');
			}),
		);
	});

	it('is shown what its status route answers then', async () => {
		const { truth, watch, end, shown } = await talking();
		expect(await watch()).toEqual({ outcome: 'watching' });
		await end();
		const ended = await truth.get('call', { id });
		if (ended === null) throw new Error('the call is gone');
		const data = requestStatus(ended, { now_ms: NOW_MS, speed: 1 });
		expect(data.poll_after_ms).toBeNull();
		expect(shown).toEqual([{ connection_id: 'page', answer: { data } }]);
	});

	it('is forgotten three hours later, an hour after the gateway ends its connection', async () => {
		const { truth, watch } = await talking();
		await watch();
		const note = await truth.get('page_watch', { call_id: id });
		expect(note?.expires_at_epoch_s).toBe(NOW_MS / 1000 + 3 * 3600);
	});

	it('is refused if the service does not know the call', async () => {
		const { deps } = await talking();
		const unknown = { call_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV', connection_id: 'page' };
		expect(await watchCall(unknown, deps)).toEqual({ outcome: 'not_found' });
	});

	it('is shown nothing before the end', async () => {
		const { watch, deps, shown, truth } = await talking();
		await watch();
		const before = await truth.get('call', { id });
		if (before === null) throw new Error('the call is gone');
		await showEnd(before, before, deps);
		expect(shown).toEqual([]);
	});

	it('is not looked for, where the conversation never began, where the call had ended, or where the function shows no pages', async () => {
		const { deps, truth, end } = await talking();
		const before = await truth.get('call', { id });
		await end();
		const after = await truth.get('call', { id });
		if (before === null || after === null) throw new Error('the call is gone');
		const looks: string[] = [];
		const get: Store['get'] = async (record, key) => {
			looks.push(record);
			return truth.get(record, key);
		};
		const looking = { ...deps, store: { ...truth, get } };
		const { pages: _, ...showsNone } = looking;
		await showEnd({ ...before, connected_at: null }, after, looking);
		await showEnd(after, after, looking);
		await showEnd(before, after, showsNone);
		expect(looks).toEqual([]);
		await showEnd(before, after, looking);
		expect(looks).toEqual(['page_watch']);
	});

	/** A table that cannot say which page waits. */
	const failsWith =
		(error: Error) =>
		(store: Store): Store => ({
			...store,
			get: async (record, key) => {
				if (record === 'page_watch') throw error;
				return store.get(record, key);
			},
		});

	it('does not hide a failure of the table other than that it is busy', async () => {
		const { end } = await talking(failsWith(new TypeError('a fault of ours')));
		await expect(end()).rejects.toThrow('a fault of ours');
	});

	it('does not fail the end of the call, where the table is too busy to say who waits', async () => {
		const { truth, end, shown } = await talking(failsWith(new StoreBusy('throttled')));
		expect((await end()).outcome).toBe('canceled');
		expect(shown).toEqual([]);
		expect((await truth.get('call', { id }))?.completed_at).not.toBeNull();
	});
});

describe('the opening of a page’s WebSocket', () => {
	const hostile = fc.oneof(
		fc.string({ maxLength: 60 }),
		fc.constantFrom(id, 'https://shop.example', '__proto__', 'null'),
	);
	const strings = fc.dictionary(fc.oneof(hostile, fc.constantFrom('Origin', 'ORIGIN', 'id', 'connection_id')), hostile);

	it('is refused by a status, for every request of a client', async () => {
		const { deps, shown } = await talking();
		const lines: string[] = [];
		const open = fromHandshake(
			handle(forPollers, route, {
				deps: () => ({ ...deps, log: jsonLog({ operation: 'watch-call' }, (line) => lines.push(line)) }),
				run: async () => ({ answer: {} }),
			}),
		);
		await fc.assert(
			fc.asyncProperty(strings, fc.option(strings), async (headers, queryStringParameters) => {
				const requestContext = { connectionId: 'page', requestId: 'r', identity: { sourceIp: '192.0.2.1' } };
				const { statusCode } = await open({ headers, queryStringParameters, requestContext }, {});
				expect([403, 404]).toContain(statusCode);
			}),
		);
		expect(shown).toEqual([]);
		for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.stringMatching(/^(INFO|info)$/) });
	});
});
