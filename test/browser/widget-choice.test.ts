import { describe, expect, it } from '@jest/globals';
import { findings } from '../support/browser/axe.ts';
import { PATIENT } from '../support/browser/patient.ts';
import { calling, type Script } from '../support/browser/scripted-api.ts';
import { soon, suiteStage, type VisitOptions } from '../support/browser/stage.ts';
import { spreadOf } from '../support/spread-of.ts';

// A page with several keys. The visitor chooses one of the workspaces, and from then on the widget belongs to this workspace.

const stage = suiteStage();
const NOON = { next_open_at: '2026-11-30T12:00:00.000Z', opens_in_ms: 3_600_000 };
const CLOSED = { open: false, ...NOON };
const texts = (word: string) => ({
	language: 'en' as const,
	call: { id: `${word}-call`, text: `${word} may call me.` },
	lead: { id: `${word}-lead`, text: `${word} may call me back.` },
});
const SALES = { name: 'Sales', consent_texts: texts('Sales') };
const SUPPORT = { name: 'Support', consent_texts: texts('Support'), ...CLOSED };
const KEYS = 'wk_sales wk_support';

/** A visit to a page with several keys. `workspaces`: how each workspace responds. */
async function visitShop(workspaces: Script['workspaces'], { keys = KEYS, ...options }: VisitOptions = {}) {
	const visit = await stage.visit({
		...options,
		keys,
		...(!options.clock && { first: PATIENT }),
		prepare: (api) => {
			api.script.workspaces = workspaces;
			options.prepare?.(api);
		},
	});
	await visit.page.waitForFunction(`customElements.get('call-back-widget')`);
	await visit.page.evaluate(`globalThis.details = [];
		document.addEventListener('callback:state', ({ detail }) => details.push([detail.state, detail.workspace_key]))`);
	const choices = visit.page.locator('[part=choice]');
	return {
		...visit,
		choices,
		back: visit.page.locator('[part=back]'),
		/** Opens the panel, which asks for a choice, and returns the choices. */
		async asked(): Promise<readonly string[]> {
			await visit.launcher.click();
			await choices.first().waitFor();
			return choices.allInnerTexts();
		},
		choose: (name: string) => choices.filter({ hasText: name }).click(),
		details: (): Promise<readonly (readonly [string, string | null])[]> => visit.page.evaluate('details'),
		configsOf: () => visit.api.seen('config').map(({ workspace_key }) => workspace_key),
	};
}

describe('the question which workspace to call', () => {
	it('offers a call for a workspace that can take a call now, and for each other workspace a callback, with its opening time', async () => {
		const visit = await visitShop({ wk_sales: SALES, wk_support: SUPPORT }, { context: { timezoneId: 'UTC' } });
		const [sales = '', support = ''] = await visit.asked();
		expect(sales.split('\n')).toEqual(['Sales', 'Call me now']);
		expect(support.split('\n')).toEqual(['Support', 'Request a callback', "We're back Monday, 12:00 PM UTC."]);
		await visit.panel.getByRole('heading', { name: 'Who would you like to talk to?' }).waitFor();
		expect(visit.troubles).toEqual([]);
	});

	it('leads to the form, the consent, the request and the events of the chosen workspace', async () => {
		const visit = await visitShop({ wk_sales: SALES, wk_support: SUPPORT });
		await visit.asked();
		await visit.choose('Support');
		await visit.panel.getByText('Support may call me back.').waitFor();
		await visit.fill();
		await visit.submit.click();
		await visit.reach('lead_sent');
		const [lead] = visit.api.seen('lead');
		expect(lead?.body).toMatchObject({ workspace_key: 'wk_support', consent_text_id: 'Support-lead' });
		expect(await visit.details()).toEqual([
			['idle', 'wk_support'],
			['closed', 'wk_support'],
			['sending', 'wk_support'],
			['lead_sent', 'wk_support'],
		]);
		expect(visit.api.seen('call')).toEqual([]);
	});

	it('can be reached again by a button; what was typed stays, and the consent to the first choice is dropped', async () => {
		const visit = await visitShop({ wk_sales: SALES, wk_support: SUPPORT });
		await visit.asked();
		await visit.choose('Support');
		await visit.fill('+1 202 555 0101');
		await visit.back.click();
		await visit.choose('Sales');
		await visit.panel.getByText('Sales may call me.').waitFor();
		expect(await visit.phone.inputValue()).toBe('+1 202 555 0101');
		expect(await visit.consent.isChecked()).toBe(false);
		await visit.consent.check();
		await visit.submit.click();
		await visit.reach('requested');
		const [call] = visit.api.seen('call');
		expect(call?.body).toMatchObject({ workspace_key: 'wk_sales', consent_text_id: 'Sales-call' });
		// The visitor cannot go back to the list of workspaces while a call is in progress.
		expect(await visit.back.isVisible()).toBe(false);
	});

	it('is asked again whenever the panel is opened, until a call is in progress', async () => {
		const visit = await visitShop({ wk_sales: SALES, wk_support: SUPPORT });
		await visit.asked();
		await visit.choose('Sales');
		await visit.phone.waitFor();
		await visit.page.locator('[part=close]').click();
		expect(await visit.asked()).toHaveLength(2);
		await visit.choose('Sales');
		await visit.send();
		await visit.reach('requested');
		await visit.page.locator('[part=close]').click();
		await visit.launcher.click();
		await visit.status.getByText("We're ringing our team").waitFor();
		expect(await visit.choices.count()).toBe(0);
	});

	it('is not asked if only one workspace is open and the page hides closed workspaces', async () => {
		const visit = await visitShop({ wk_sales: SALES, wk_support: SUPPORT }, { embed: 'data-when-closed="hide"' });
		await visit.launcher.click();
		await visit.panel.getByText('Sales may call me.').waitFor();
		expect(await visit.choices.count()).toBe(0);
	});

	it('is not asked if the other workspaces are unknown, not allowed on the page, or do not answer in time', async () => {
		const workspaces = {
			wk_sales: SALES,
			wk_gone: 'invalid_workspace_key',
			wk_elsewhere: 'origin_not_allowed',
			wk_late: 'silent',
		} as const;
		const visit = await visitShop(workspaces, { keys: 'wk_gone wk_sales wk_elsewhere wk_late wk_sales' });
		await visit.launcher.click();
		await visit.panel.getByText('Sales may call me.').waitFor();
		expect(await visit.choices.count()).toBe(0);
		for (const key of ['wk_gone', 'wk_elsewhere', 'wk_late'])
			expect(visit.said.filter((line) => line.includes(`the workspace "${key}" is left out`))).toHaveLength(1);
		// The page has one key twice, but requests the configuration of its workspace once.
		expect(visit.configsOf().slice(0, 4).sort()).toEqual(['wk_elsewhere', 'wk_gone', 'wk_late', 'wk_sales']);
	});

	it('offers the workspaces that answer, even if another one does not', async () => {
		const visit = await visitShop(
			{ wk_sales: SALES, wk_support: SUPPORT, wk_late: 'silent' },
			{ keys: `wk_late ${KEYS}` },
		);
		expect((await visit.asked()).map((text) => text.split('\n')[0])).toEqual(['Sales', 'Support']);
	});

	it('waits at most 2 s for answers', async () => {
		const workspaces = { wk_sales: SALES, wk_support: SUPPORT, wk_late: 'silent' } as const;
		const visit = await visitShop(workspaces, { keys: `${KEYS} wk_late`, clock: true });
		const { clock } = visit.page;
		await visit.launcher.click();
		await visit.status.getByText('One moment').waitFor();
		await soon(() => visit.configsOf().length === 3);
		await clock.runFor(1900);
		expect(await visit.choices.count()).toBe(0);
		await clock.runFor(200);
		await visit.choices.nth(1).waitFor();
		expect(await visit.choices.count()).toBe(2);
	});

	it('offers only callbacks if all workspaces are closed', async () => {
		const visit = await visitShop(
			{
				wk_sales: { ...SALES, ...CLOSED },
				wk_support: { ...SUPPORT, unavailable: 'switched_off', next_open_at: null },
			},
			{ embed: 'data-when-closed="hide"', body: '<button data-callback-open>Call</button>' },
		);
		await soon(() => visit.configsOf().length === 2);
		expect(await visit.launcher.isVisible()).toBe(false);
		await visit.page.getByRole('button', { name: 'Call' }).click();
		await visit.choices.first().waitFor();
		const offers = (await visit.choices.allInnerTexts()).map((text) => text.split('\n')[1]);
		expect(offers).toEqual(['Request a callback', 'Request a callback']);
	});

	it('shows the error of one key if no workspace answers, and can be tried again', async () => {
		const visit = await visitShop(
			{ wk_sales: SALES, wk_support: SUPPORT },
			{ prepare: (api) => (api.script.origins = []) },
		);
		await visit.launcher.click();
		await visit.reach('error');
		visit.api.script.origins = null;
		await visit.page.locator('[part=close]').click();
		expect(await visit.asked()).toHaveLength(2);
	});

	it('shows at most twenty workspaces, with names that are long or right-to-left, without horizontal scrolling', async () => {
		const names = ['א'.repeat(100), 'W'.repeat(100), 'قسم المبيعات', '<b>&amp;"', ' '];
		const all = Array.from({ length: 25 }, (_, nth) => `wk_${nth}`);
		const workspaces = Object.fromEntries(
			all.map((key, nth) => [key, { ...SALES, name: names[nth] ?? `Shop ${nth}` }]),
		);
		const visit = await visitShop(workspaces, {
			keys: all.join(' '),
			context: { viewport: { width: 320, height: 568 } },
		});
		const shown = await visit.asked();
		expect(shown).toHaveLength(20);
		expect(shown[3]?.split('\n')[0]).toBe('<b>&amp;"');
		expect(
			await visit.inside('root.querySelector("section").scrollWidth <= root.querySelector("section").clientWidth'),
		).toBe(true);
		await visit.choices.nth(19).click();
		await visit.phone.waitFor();
	});
});

describe('the opening hours', () => {
	it('are followed while the question is open: a team that closes is no longer offered, and a team that opens is offered', async () => {
		const visit = await visitShop({ wk_sales: SALES, wk_support: SUPPORT }, { clock: true });
		await visit.launcher.click();
		await visit.pass();
		await visit.choices.first().waitFor();
		await visit.choices.first().focus();
		visit.api.script.workspaces = { wk_sales: { ...SALES, ...CLOSED }, wk_support: { ...SUPPORT, open: true } };
		await visit.pass(20_000);
		await soon(async () => (await visit.choices.nth(1).innerText()).includes('Call me now'));
		expect((await visit.choices.first().innerText()).split('\n')[1]).toBe('Request a callback');
		// The list changed its texts in place, so the focus is still on the choice.
		expect(await visit.focused()).toBe('choice');
	});

	it('that end as the visitor chooses a workspace lead to the form for a callback', async () => {
		const visit = await visitShop({ wk_sales: SALES, wk_support: SUPPORT });
		await visit.asked();
		visit.api.script.workspaces = { wk_sales: { ...SALES, ...CLOSED }, wk_support: SUPPORT };
		await visit.choose('Sales');
		await visit.panel.getByText('Sales may call me back.').waitFor();
		expect(await visit.submit.innerText()).toBe('Request a callback');
	});
});

describe('a link or a script of the page', () => {
	const body = `<a href="#" data-callback-open="wk_support">Support</a> <button data-callback-open="wk_other">Other</button>
		<button id="all" data-callback-open>All</button>`;

	it('skips the question if it names a workspace', async () => {
		const visit = await visitShop({ wk_sales: SALES, wk_support: SUPPORT }, { body });
		await visit.page.getByRole('link', { name: 'Support' }).click();
		await visit.panel.getByText('Support may call me back.').waitFor();
		await visit.panel.locator('[part=name]').getByText('Support').waitFor();
		await visit.page.keyboard.press('Escape');
		expect(await visit.page.evaluate('document.activeElement.textContent')).toBe('Support');
		await visit.page.locator('#all').click();
		await visit.choices.nth(1).waitFor();
		// A link on the page names the workspace Support while the widget still asks the visitor to choose a workspace.
		await visit.page.evaluate('document.querySelector("a").click()');
		await visit.panel.getByText('Support may call me back.').waitFor();
	});

	it('asks the question if it names no workspace of the page', async () => {
		const visit = await visitShop({ wk_sales: SALES, wk_support: SUPPORT }, { body });
		await visit.page.getByRole('button', { name: 'Other' }).click();
		await visit.choices.first().waitFor();
		expect(await visit.choices.count()).toBe(2);
	});

	it('skips the question by open({ workspace_key })', async () => {
		const visit = await visitShop({ wk_sales: SALES, wk_support: SUPPORT }, { body });
		await visit.page.evaluate(
			`document.querySelector('call-back-widget').open({ workspace_key: 'wk_sales', reference: 'r' })`,
		);
		await visit.panel.getByText('Sales may call me.').waitFor();
		await visit.send();
		await visit.reach('requested');
		expect(visit.api.seen('call')[0]?.body).toMatchObject({ workspace_key: 'wk_sales', reference: 'r' });
		// A live call stays in the panel, whatever the page opens.
		await visit.page.evaluate(`document.querySelector('call-back-widget').open({ workspace_key: 'wk_support' })`);
		await visit.status.getByText("We're ringing our team").waitFor();
	});
});

describe('an early click', () => {
	it('on a link that names a workspace opens this workspace once the script has loaded', async () => {
		const visit = await visitShop(
			{ wk_sales: SALES, wk_support: SUPPORT },
			{
				pages: (widget) => ({
					'/slow': `<!doctype html><html lang="en"><title>Slow</title><button data-callback-open="wk_support">Support</button>
						<script>addEventListener('click', () => {
							const range = document.createRange();
							document.body.append(range.createContextualFragment(${JSON.stringify(widget).replaceAll('</', '<\\/')}));
						}, { once: true })</script>`,
				}),
			},
		);
		await visit.page.goto(`${visit.url}/slow`);
		await visit.page.getByRole('button', { name: 'Support' }).click();
		await visit.panel.getByText('Support may call me back.').waitFor();
	});
});

describe('an inline element', () => {
	it('shows the question in its place without taking the focus, and then the form', async () => {
		const visit = await visitShop({ wk_sales: SALES, wk_support: SUPPORT }, { element: 'inline' });
		await visit.choices.nth(1).waitFor();
		expect([await visit.focused(), await visit.launcher.isVisible()]).toEqual(['body', false]);
		// axe-core expects a page's content to be in landmarks, so the widget is moved into a landmark.
		await visit.page.evaluate('document.querySelector("main").append(document.querySelector("call-back-widget"))');
		await visit.choices.nth(1).waitFor();
		expect(await findings(visit.page)).toEqual([]);
		await visit.choose('Sales');
		await visit.panel.getByText('Sales may call me.').waitFor();
		await soon(async () => (await visit.focused()) === 'tel');
		await visit.back.click();
		await visit.choices.nth(1).waitFor();
		await visit.choose('Support');
		await visit.panel.getByText('Support may call me back.').waitFor();
	});

	it('keeps the question, or the form, when the element is moved, and follows a change of its keys', async () => {
		const visit = await visitShop(
			{ wk_sales: SALES, wk_support: SUPPORT },
			{ element: 'inline', body: '<aside></aside>' },
		);
		const move = 'document.querySelector("aside").append(document.querySelector("call-back-widget"))';
		await visit.choices.nth(1).waitFor();
		await visit.page.evaluate(move);
		await visit.choose('Sales');
		await visit.fill();
		await visit.page.evaluate(move.replace('aside', 'main'));
		expect(await visit.phone.inputValue()).toBe('+1 202 555 0101');
		await visit.submit.click();
		await visit.reach('requested');
		Object.assign(visit.api.script, { status: 'completed', duration_seconds: 3 });
		await visit.reach('completed');
		await visit.page.evaluate(`document.querySelector('call-back-widget').setAttribute('workspace-key', 'wk_support')`);
		await visit.panel.getByText('Support may call me back.').waitFor();
		expect(await visit.back.count()).toBe(0);
		await visit.page.evaluate(`document.querySelector('call-back-widget').setAttribute('workspace-key', '${KEYS}')`);
		await visit.choices.nth(1).waitFor();
		expect(visit.troubles).toEqual([]);
	});
});

describe('in a modal dialog of the page', () => {
	it('the question and the form are in the dialog, and move back to the page when it closes', async () => {
		const body = '<dialog><button data-callback-open>Call</button></dialog>';
		const visit = await visitShop({ wk_sales: SALES, wk_support: SUPPORT }, { body });
		await visit.page.evaluate('document.querySelector("dialog").showModal()');
		await visit.page.getByRole('button', { name: 'Call', exact: true }).click();
		await visit.choices.first().waitFor();
		const isInside = () => visit.page.evaluate('!!document.querySelector("call-back-widget").closest("dialog")');
		expect(await isInside()).toBe(true);
		await visit.choose('Sales');
		await visit.phone.waitFor();
		expect(await isInside()).toBe(true);
		await visit.page.keyboard.press('Escape');
		await soon(async () => !(await isInside()));
		expect(await visit.page.evaluate('document.querySelector("dialog").open')).toBe(true);
	});
});

describe('a browser tab', () => {
	it('remembers the call of the chosen workspace after a reload, on a page with only that workspace’s key, and back on the first page', async () => {
		const visit = await visitShop(
			{ wk_sales: SALES, wk_support: { ...SUPPORT, open: true } },
			{
				pages: (widget) => ({
					'/one': `<!doctype html><html lang="en"><title>One</title><h1>One</h1>${widget.replace(KEYS, 'wk_support')}`,
				}),
			},
		);
		await visit.asked();
		await visit.choose('Support');
		await visit.send();
		await visit.reach('requested');
		await visit.page.reload();
		await visit.status.getByText("We're ringing our team").waitFor();
		await visit.panel.locator('[part=name]').getByText('Support').waitFor();
		await visit.page.goto(`${visit.url}/one`);
		await visit.status.getByText("We're ringing our team").waitFor();
		await visit.page.goBack();
		await visit.status.getByText("We're ringing our team").waitFor();
		Object.assign(visit.api.script, { status: 'completed', duration_seconds: 3 });
		await visit.status.getByText('Call ended').waitFor();
		await visit.page.reload();
		await visit.launcher.waitFor();
		expect(await visit.asked()).toHaveLength(2);
	});

	it('does not remember a question that was open at a reload', async () => {
		const visit = await visitShop({ wk_sales: SALES, wk_support: SUPPORT });
		await visit.asked();
		await visit.page.reload();
		await visit.launcher.waitFor();
		expect(await visit.page.evaluate('sessionStorage.length')).toBe(0);
		expect(await visit.asked()).toHaveLength(2);
	});

	it('remembers its own workspace, if two tabs are open', async () => {
		const visit = await visitShop({ wk_sales: SALES, wk_support: { ...SUPPORT, open: true } });
		const second = await visit.context.newPage();
		await second.addInitScript(PATIENT);
		await second.goto(visit.url);
		const pages = [
			[visit.page, 'Sales'],
			[second, 'Support'],
		] as const;
		for (const [page, name] of pages) {
			await page.locator('[part=launcher]').click();
			await page.locator('[part=choice]').filter({ hasText: name }).click();
			await page.locator('#tel').fill('+1 202 555 0101');
			await page.getByRole('checkbox').check();
			await page.locator('[part=submit]').click();
			await page.getByRole('status').getByText("We're ringing our team").waitFor();
		}
		expect(visit.api.seen('call').map(({ body }) => body?.workspace_key)).toEqual(['wk_sales', 'wk_support']);
		for (const [page, name] of pages) {
			await page.reload();
			await page.locator('[part=name]').getByText(name).waitFor();
		}
	});
});

describe('without the choice', () => {
	it('a page with one key does not load the file for choosing a workspace', async () => {
		stage.cdn.asked.length = 0;
		const visit = await stage.visit();
		await visit.open();
		expect(stage.cdn.asked.filter((file) => file.includes('choice'))).toEqual([]);
		expect(stage.cdn.asked.filter((file) => file.includes('panel'))).toHaveLength(1);
	});
});

describe('under a strict Content-Security-Policy', () => {
	const workspaces = { wk_sales: SALES, wk_support: SUPPORT };
	const strict =
		(...scripts: readonly string[]): NonNullable<VisitOptions['csp']> =>
		({ api }) =>
			`default-src 'none'; script-src ${scripts.join(' ')}; connect-src ${api}; require-trusted-types-for 'script'`;
	const pinned = () => `integrity="${stage.manifest.integrity}" crossorigin nonce="abc"`;

	it('the visitor can choose with the hashes of the three files, or with a nonce', async () => {
		const { integrity, panel, choice } = stage.manifest;
		const hashes = [integrity, panel.integrity, choice.integrity].map((hash) => `'${hash}'`);
		for (const csp of [strict(...hashes), strict("'nonce-abc'", "'strict-dynamic'")]) {
			const visit = await visitShop(workspaces, { embed: pinned(), csp });
			expect(await visit.asked()).toHaveLength(2);
			expect(await visit.page.evaluate('violations')).toEqual([]);
		}
	});

	it('without the hash of the third file, the launcher says that it cannot open, and the console names the file', async () => {
		const { integrity, panel } = stage.manifest;
		const visit = await visitShop(workspaces, {
			embed: pinned(),
			csp: strict(`'${integrity}'`, `'${panel.integrity}'`),
		});
		await visit.launcher.click();
		await soon(() => visit.said.length > 0);
		expect(visit.said).toEqual([expect.stringMatching(/choice\.js.*Content-Security-Policy/)]);
	});
});

const languages = [
	['en', 'Who would you like to talk to?', 'ltr'],
	['de', 'Mit wem möchten Sie sprechen?', 'ltr'],
	['ar', 'مع من تود التحدث؟', 'rtl'],
] as const;
const screens = [
	['a phone', { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true }],
	['a desktop', { viewport: { width: 1280, height: 800 } }],
] as const;
const stories = languages.flatMap(([language, title, dir]) =>
	screens.map(([screen, context]) => [language, screen, { title, dir, context }] as const),
);

describe('a visitor’s whole way to a call', () => {
	it.each(spreadOf(stories, 3))(
		'works in %s on %s, by keyboard, and axe-core finds nothing',
		async (language, _, { title, dir, context }) => {
			const visit = await visitShop(
				{ wk_sales: { ...SALES, ...calling('US') }, wk_support: SUPPORT },
				{ context, root: `lang="${language}"` },
			);
			const { page } = visit;
			await visit.launcher.focus();
			await page.keyboard.press('Enter');
			await visit.choices.first().waitFor();
			await visit.panel.getByRole('heading', { name: title }).waitFor();
			expect(await visit.inside('root.querySelector("div").dir')).toBe(dir);
			expect(await visit.focused()).toBe('choice');
			expect(await findings(page)).toEqual([]);
			const wide = 'root.querySelector("section").scrollWidth <= root.querySelector("section").clientWidth';
			expect(await visit.inside(wide)).toBe(true);
			// Chooses the second workspace, goes back to the question, and chooses the first.
			await page.keyboard.press('Tab');
			await page.keyboard.press('Enter');
			await visit.phone.waitFor();
			await soon(async () => (await visit.focused()) === 'tel');
			expect(await findings(page)).toEqual([]);
			await visit.back.focus();
			await page.keyboard.press('Enter');
			await visit.choices.first().waitFor();
			await soon(async () => (await visit.focused()) === 'choice');
			await page.keyboard.press('Enter');
			await visit.phone.waitFor();
			await soon(async () => (await visit.focused()) === 'tel');
			await page.keyboard.type('+12025550101');
			await visit.consent.focus();
			await page.keyboard.press('Space');
			await visit.submit.focus();
			await page.keyboard.press('Enter');
			await visit.reach('requested');
			expect(visit.api.seen('call')[0]?.body).toMatchObject({ workspace_key: 'wk_sales' });
			expect(await findings(page)).toEqual([]);
			await page.keyboard.press('Escape');
			expect(await visit.focused()).toBe('launcher');
			expect(visit.troubles).toEqual([]);
		},
	);
});
