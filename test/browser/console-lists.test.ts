import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { Stack } from '../../local/stack.ts';
import { connect, type OpsDeps } from '../../ops/connect.ts';
import type { CallRecord } from '../../shared/domain/calls/call-record.ts';
import { changePeople } from '../../shared/use-cases/desk/people.ts';
import { createWorkspace } from '../../shared/use-cases/workspaces/create-workspace.ts';
import { call, eventually, fromConsole, visitorBody } from '../support/stack/api.ts';
import { ownersBrowser, stackAndBrowser } from './support/stack-and-browser.ts';

// Lists of more than a page, of more than one workspace, and of more than one endpoint.

let stack: Stack;
let browser: Browser;
let deps: OpsDeps;
let other: string;
stackAndBrowser((...running) => {
	[stack, browser] = running;
});

/** A call that ended at this second of an earlier day. */
function pastCall(workspace_id: string, second: number, changes: Partial<CallRecord>): CallRecord {
	const at_ms = Date.parse('2026-01-01T00:00:00.000Z') + second * 1000;
	const at = new Date(at_ms).toISOString();
	return {
		id: deps.ids.next(at_ms),
		workspace_id,
		version: 1,
		status: 'completed',
		visitor_phone_masked: '+1********77',
		source_url: 'https://shop.example/',
		connected_at: at,
		completed_at: at,
		duration_seconds: 1,
		created_at: at,
		failure_reason: null,
		language: 'en',
		visitor_name: null,
		plan: { strategy: 'simultaneous', order: 'agent_first', members: ['m1'] },
		legs: [],
		winner_leg_id: null,
		event_count: 0,
		timer_at: null,
		due_at: null,
		...changes,
	};
}
const write = (item: CallRecord) => deps.store.commit([{ op: 'put', record: 'call', item, guard: { if: 'absent' } }]);
const failed = { status: 'failed', failure_reason: 'visitor_busy', connected_at: null, duration_seconds: 0 } as const;

beforeAll(async () => {
	deps = await connect({ outputs: undefined, state_dir: stack.state_dir });
	const { workspace_id } = stack;
	await write(pastCall(workspace_id, 0, { ...failed, visitor_name: 'Oldest Caller' }));
	for (let second = 1; second <= 60; second += 1) await write(pastCall(workspace_id, second, failed));
	for (let second = 61; second <= 120; second += 1) await write(pastCall(workspace_id, second, {}));
	const made = await createWorkspace(
		{
			name: 'Other shop',
			region: 'US',
			time_zone: 'America/New_York',
			origins: ['https://other.example'],
			team: ['Otto:+13125550101'],
		},
		deps,
	);
	if ('refused' in made) throw new Error(made.refused);
	other = made.workspace.id;
	await write(pastCall(other, 1, { visitor_name: 'Guest Elsewhere' }));
	await changePeople(other, { change: 'invite', address: 'otto@other.example', role: 'owner' }, deps);
});

async function open(view: string): Promise<Page> {
	const page = await (await ownersBrowser(browser, stack)).newPage();
	await page.goto(`${stack.console_url}/#${view}`);
	await page.locator('#link.up').waitFor({ state: 'attached' });
	return page;
}
const cards = (page: Page) => page.locator('article.call');
/** Waits until a list has this many cards. */
const has = (page: Page, count: number) =>
	eventually(`${count} calls are shown`, async () => ((await cards(page).count()) === count ? true : null));

describe('a list of more than a page', () => {
	it('is filtered and searched as a whole, and read on by a button', async () => {
		const page = await open('calls');
		await page.getByRole('link', { name: 'Calls 50+' }).waitFor();
		await page.getByRole('combobox', { name: 'Show calls of one kind' }).selectOption('failed');
		await eventually('only failed calls are shown', async () => {
			const other = await page.locator('.chip.completed').count();
			return other === 0 && (await cards(page).count()) === 50 ? true : null;
		});
		await page.locator('#calls').getByRole('button', { name: 'Load more' }).click();
		await has(page, 61);
		await page.getByText('Oldest Caller').waitFor();
		expect(await page.locator('#calls').getByRole('button', { name: 'Load more' }).isVisible()).toBe(false);
		await page.getByRole('combobox', { name: 'Show calls of one kind' }).selectOption('');
		await page.getByRole('searchbox', { name: 'Search calls' }).fill('oldest caller');
		await has(page, 1);
	});

	it('says that it loads, not that nothing matches', async () => {
		const page = await open('calls');
		await cards(page).first().waitFor();
		const { promise, resolve: answer } = Promise.withResolvers<void>();
		await page.route('**/calls?*search=nothing*', async (route) => {
			await promise;
			await route.continue();
		});
		await page.getByRole('searchbox', { name: 'Search calls' }).fill('nothing');
		await page.locator('#call-list[aria-busy=true]').waitFor();
		expect(await page.getByText('No call matches.').count()).toBe(0);
		expect(await cards(page).count()).toBe(50);
		answer();
		await page.getByText('No call matches.').waitFor();
	});
});

describe('what a page polls', () => {
	it('is a token and the changes since then', async () => {
		const first = await fromConsole(stack, '/recent/');
		expect(first).toMatchObject({ reload: true, calls: [], leads: [], webhooks: [], rings: [], mails: 0 });
		const quiet = await fromConsole(stack, `/recent/${first.token}`);
		expect(quiet).toMatchObject({ reload: false, calls: [], webhooks: [] });
		expect(JSON.stringify(quiet).length).toBeLessThan(1500);
		await write(pastCall(stack.workspace_id, 200, { visitor_name: 'Fresh' }));
		const fresh = await eventually('the new call', async () => {
			const now = await fromConsole(stack, `/recent/${first.token}`);
			return now.calls.length > 0 ? now : null;
		});
		expect(fresh.calls).toMatchObject([{ name: 'Fresh' }]);
		expect(await fromConsole(stack, `/recent/${fresh.token}`)).toMatchObject({ reload: false, calls: [] });
		expect(await fromConsole(stack, '/recent/another_1')).toMatchObject({ reload: true, calls: [] });
	});

	it('has no number, secret or key of a sealed one', async () => {
		const text = JSON.stringify(await fromConsole(stack, '/calls?search='));
		expect(text).not.toMatch(/sealed|secret|number_hash|"legs"/);
	});
});

describe('another workspace', () => {
	it('is chosen once for calls, leads and mails, without what needs its key', async () => {
		const page = await open('calls');
		await page.getByLabel('Workspace').selectOption('Other shop');
		await page.getByText('Guest Elsewhere').waitFor();
		await has(page, 1);
		expect(await cards(page).getByRole('button').count()).toBe(0);
		await page.getByRole('link', { name: /^Mailbox/ }).click();
		await page.getByText('to otto@other.example').waitFor();
		expect(
			await page.locator('article.mail').filter({ hasText: 'shop.example' }).filter({ hasNotText: 'other' }).count(),
		).toBe(0);
		await page.getByRole('link', { name: /^Leads/ }).click();
		await page.getByText('No leads yet.').waitFor();
		await page.reload();
		await page.getByRole('link', { name: /^Calls 1$/ }).waitFor();
		await page.getByLabel('Workspace').selectOption('Demo shop');
		await page.getByRole('link', { name: 'Calls 50+' }).waitFor();
	});
});

describe('endpoints', () => {
	const server = () => ({ authorization: `Bearer ${stack.api_key}` });

	it('that fail come first, and each shows a few deliveries with their visitors', async () => {
		const body = { url: 'https://fails.example/hooks', events: ['call.requested'], description: 'Fails' };
		const made = await call(stack.base_url, '/webhook-endpoints', { headers: server(), body });
		for (let at = 0; at < 4; at += 1) {
			const phone = ['+12025550106', '+12025550102', '+12025550104', '+12025550105'][at];
			const headers = { origin: stack.allowed_origin };
			await call(stack.base_url, '/widget/call-requests', {
				headers,
				body: visitorBody(stack, { phone, name: 'Rosa' }),
			});
		}
		const page = await open('endpoints');
		await page.locator('article.endpoint').first().getByText('https://fails.example/hooks').waitFor();
		const rows = page.locator('article.endpoint').filter({ hasText: stack.inbox_url }).locator('.delivery');
		await rows.filter({ hasText: 'Rosa, +1 ••• ••• ••' }).first().waitFor();
		expect(await rows.count()).toBeLessThanOrEqual(8);
		page.on('dialog', (dialog) => dialog.accept());
		const failing = page.locator('article.endpoint').filter({ hasText: 'https://fails.example/hooks' });
		await failing.getByRole('button', { name: 'Disable' }).click();
		await failing.getByText('disabled: manual').waitFor();
		expect(await failing.getByText('one passes at').count()).toBe(0);
		expect(made.status).toBe(201);
	});
});
