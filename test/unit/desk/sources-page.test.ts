import { describe, expect, it } from '@jest/globals';
import { callTally } from '../../../shared/domain/calls/tally.ts';
import { languages } from '../../../shared/domain/workspaces/language.ts';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { sourcesCsv } from '../../../shared/http/desk/numbers/list-files.ts';
import { numbersPage } from '../../../shared/http/desk/numbers/numbers-page.ts';
import { sourceCodes } from '../../../shared/use-cases/calls/source-codes.ts';
import { frontDesk } from '../../support/front-desk.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { idOf, samples } from '../../support/sample-records.ts';

const NOW_MS = Date.parse('2026-11-21T13:00:00Z');

/** A shop whose calls of the last hour came from these pages, and the page that its desk shows about them. */
async function shop(...pages: readonly string[]) {
	const store = memoryStore();
	const { deps, workspace: fresh } = frontDesk(store, NOW_MS);
	const workspace = fresh();
	for (const [n, page] of pages.entries()) {
		const source_url = `https://shop.example${page}`;
		const created_at = new Date(NOW_MS - 3_600_000).toISOString();
		const about = { id: idOf(n), workspace_id: workspace.id, source_url, created_at, legs: [], winner_leg_id: null };
		const call = { ...samples.call, ...about, status: 'completed', failure_reason: null } as const;
		await store.commit([callTally(call, NOW_MS, await sourceCodes(call, store))]);
	}
	const person = { address: 'ida@shop.example', role: 'member', sessions_from: '' };
	const viewIn = (language: (typeof languages)[number]) =>
		viewOf({ workspace: { ...workspace, language }, person, secret: new Uint8Array(32) } as never, NOW_MS, {
			days: '7',
		});
	return {
		page: async (language: (typeof languages)[number] = 'en') => (await numbersPage(viewIn(language), deps)).markup,
		file: async (language: (typeof languages)[number] = 'en') => (await sourcesCsv(viewIn(language), deps)).body ?? '',
	};
}
const rowsOf = (markup: string) =>
	[...markup.matchAll(/<th scope="row"><bdi>(.*?)<\/bdi><\/th><td data-of="Conversations">(\d+)/g)].map(
		([, name, conversations]) => `${name} ${conversations}`,
	);

describe('the Statistics page', () => {
	it('shows the pages and campaigns that brought conversations, and since when they are counted', async () => {
		const { page } = await shop('/pricing', '/pricing/?utm_source=mail&utm_campaign=fall', '/orders/12345');
		const markup = await page();
		expect(rowsOf(markup)).toEqual(['/pricing 2', '/orders/:id 1', 'mail / fall 1']);
		// The tests' shop is in New York: its day begins at 5 AM in UTC, and the next six hours begin at 6 AM.
		expect(markup).toContain('begin a little later: Sun, Nov 15, 1:00 AM. They are kept in blocks of six hours.');
		expect(markup).toMatch(/<span class="unseen">Where calls come from: <\/span>These figures begin/);
		expect(markup.match(/begin a little later|Since [A-Z]/g)).toHaveLength(2);
		expect(markup).not.toContain('campaigns are counted by name');
	});

	it('shows 20 pages and 20 campaigns, has the others in the file, and shows no markup of a page', async () => {
		const pages = Array.from({ length: 60 }, (_, n) => `/p-${n}?utm_source=<b>${n}`);
		const { page, file } = await shop(...pages);
		const markup = await page();
		expect(rowsOf(markup)).toHaveLength(40);
		expect(markup).toContain('The first 20 are shown.');
		expect(markup).toContain('50 pages and 50 campaigns are counted by name; the rest is “Other”.');
		expect(markup).not.toContain('<bdi><b>');
		const lines = (await file()).trim().split('\r\n');
		expect(lines).toHaveLength(1 + 2 * 51);
		expect([lines[51], lines[102]]).toEqual([
			'"path","Other","10","10","0","0"',
			'"campaign","Other","10","10","0","0"',
		]);
	});

	it('says so if there are no figures', async () => {
		const markup = await (await shop()).page();
		expect(markup).toContain('No calls or callback requests yet.');
		expect(markup).toContain('No visitor has come by an address with utm_source or utm_campaign.');
	});

	it.each(languages)('is complete in %s', async (language) => {
		const { page, file } = await shop('/pricing', '/?utm_source=mail');
		expect(await page(language)).toMatch(/<h3>[^<]+<\/h3>[\s\S]*\/pricing[\s\S]*<h3>[^<]+<\/h3>[\s\S]*>mail</);
		expect(await file(language)).toContain('mail');
	});
});

it('the file of pages and campaigns has no cell that a spreadsheet takes for a formula', async () => {
	const { file } = await shop('/?utm_source==HYPERLINK(1)', '/?utm_source=%40sum&utm_campaign=-2%2B3', '/=1+1');
	const text = await file();
	expect(text).toContain('"campaign","\'=HYPERLINK(1)","1","1","0","0"');
	expect(text).toContain('"\'@sum / -2+3"');
	expect(text).not.toMatch(/(^|[,;])"[=+@-]/m);
});
