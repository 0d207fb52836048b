import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { CallbackLead } from '../../../shared/domain/leads/callback-lead.ts';
import { type View, viewOf } from '../../../shared/http/desk/kit/view.ts';
import { leadsCsv } from '../../../shared/http/desk/numbers/list-files.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { samples } from '../../support/sample-records.ts';
import { put } from '../../support/writes.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-11-26T12:00:00Z');

/** Ids from the last day. A higher number gives a newer id. */
const idOf = (nth: number): string => `${encoded(NOW_MS - DAY_MS + nth)}0000000000000000`;
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const encoded = (ms: number): string =>
	Array.from({ length: 10 }, (_, i) => LETTERS[Math.floor(ms / 32 ** (9 - i)) % 32]).join('');

/**
 * Downloads files of a shop's leads, the newest leads first. If the last row of a file names another file, that file is
 * downloaded, too.
 */
async function files(
	leads: readonly Partial<CallbackLead>[],
	language: 'en' | 'de' = 'en',
): Promise<readonly string[]> {
	const store = memoryStore();
	const workspace = { ...samples.workspace, language };
	for (const [nth, lead] of leads.entries()) {
		const item = { ...samples.callback_lead, ...lead, id: idOf(nth), workspace_id: workspace.id };
		await store.commit([put('callback_lead', item)]);
	}
	const person = { address: 'ida@shop.example', role: 'owner', invited_at: '2026-11-26T00:00:00.000Z' } as const;
	const bodies: string[] = [];
	let query: Record<string, string> = { days: '7' };
	for (let isLast = false; !isLast; ) {
		const view: View = viewOf({ workspace, person } as never, NOW_MS, query);
		const { body = '' } = await leadsCsv(view, { store } as never);
		bodies.push(body);
		const [, before] = /leads\.csv\?days=7&before=(\w{26})"\r\n$/.exec(body) ?? [];
		isLast = before === undefined;
		query = { days: '7', before: before ?? '' };
	}
	return bodies;
}

const rowsOf = (body: string): number => body.trimEnd().split('\r\n').length - 1;

it('a CSV file has every lead of its days', async () => {
	const bodies = await files(Array.from({ length: 2600 }, () => ({ name: 'Ada', note: null })));
	expect(bodies.map(rowsOf)).toEqual([2600]);
});

it('a list that is too large for one response goes on in the file that the last row names', async () => {
	const note = 'ä'.repeat(1000);
	const bodies = await files(Array.from({ length: 6000 }, (_, nth) => ({ name: `n${nth}`, note })));
	for (const body of bodies) expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(5_100_000);
	const names = bodies.flatMap((body) => [...body.matchAll(/"(n\d+)"/g)].map(([, name]) => name));
	expect(names).toEqual(Array.from({ length: 6000 }, (_, nth) => `n${5999 - nth}`));
	expect(bodies.length).toBeGreaterThan(1);
});

/** The cells that a program sees if it splits a file at this separator and at every line break. */
const cellsOf = (body: string, separator: string): readonly string[] =>
	body.split(/[\r\n]/).flatMap((line) => line.split(separator).map((cell) => cell.replaceAll('"', '').trim()));

it('no cell with a person’s text is read as a formula, whatever the separator', async () => {
	const start = fc.constantFrom('=', '+', '-', '@', '＝', '＋', '－', '＠');
	const glue = fc.constantFrom(';', ',', '\n', '\t', '"', '"";', ' ', '\u00a0', '\u200b', '|', 'Ann', '');
	const text = fc.array(fc.oneof(start, glue), { maxLength: 8 }).map((parts) => `${parts.join('')}cmd`);
	await fc.assert(
		fc.asyncProperty(text, text, fc.constantFrom('en' as const, 'de' as const), async (name, note, language) => {
			const [body = ''] = await files([{ name, note, visitor_phone_masked: '' }], language);
			for (const separator of [',', ';', '\t', '|']) {
				for (const cell of cellsOf(body, separator)) expect(cell).not.toMatch(/^[\p{Z}\s\p{Cf}]*[=+\-@＝＋－＠]/u);
			}
		}),
	);
});

it('a masked number keeps its plus, and cells are separated as the language of the desk expects', async () => {
	const [english = ''] = await files([{ name: 'Ann', note: null }]);
	const [german = ''] = await files([{ name: 'Ann', note: null }], 'de');
	expect(english).toContain('"Ann","+1******01"');
	expect(german).toContain('"Ann";"+1******01"');
});
