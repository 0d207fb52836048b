import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, it } from '@jest/globals';
import { endingOf, wasInterrupted } from '../../lab/upgrade/around/interrupted.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

// Tests how `npm run upgrade` finds the calls that the end of a stack interrupted: when the stack ended, no timer of such a call
// was waiting in the queue.

const ENDED_MS = Date.parse('2026-11-29T12:00:00.000Z');
const folder = temporaryDirectory('interrupted-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Row = readonly [body: object, visibility_deadline: number | null];
function endingWith(rows: readonly Row[]) {
	const stateDir = join(folder, String(Math.random()));
	mkdirSync(join(stateDir, 'queues'), { recursive: true });
	const database = new DatabaseSync(join(stateDir, 'queues/fauxqs.db'));
	database.exec('CREATE TABLE sqs_messages (body TEXT, visibility_deadline INTEGER)');
	const insert = database.prepare('INSERT INTO sqs_messages VALUES (?, ?)');
	for (const [body, deadline] of rows) insert.run(JSON.stringify(body), deadline);
	database.close();
	return endingOf(stateDir, ENDED_MS);
}
const at = '2026-11-29T12:00:03.000Z';
const before = '2026-11-29T11:59:59.000Z';

it('a call whose timer waits does not count as interrupted, because the next stack continues it', () => {
	const ending = endingWith([
		[{ call_id: 'waits', at }, null],
		[{ call_id: 'came-back', at: null }, ENDED_MS - 1],
	]);
	for (const id of ['waits', 'came-back']) expect(wasInterrupted([ending], { id, created_at: before })).toBe(false);
});

it('a call counts as interrupted if a worker had received its timer, or no timer was sent, even if its dials wait', () => {
	const ending = endingWith([
		[{ call_id: 'taken', at }, ENDED_MS + 180_000],
		[{ call_id: 'dials-wait', leg_id: 'leg' }, null],
		[{ delivery_id: 'd', generation: 1 }, null],
	]);
	for (const id of ['taken', 'dials-wait', 'no-message'])
		expect(wasInterrupted([ending], { id, created_at: before })).toBe(true);
});

it('a call of a later stack does not count as interrupted', () => {
	expect(wasInterrupted([endingWith([])], { id: 'later', created_at: at })).toBe(false);
});
