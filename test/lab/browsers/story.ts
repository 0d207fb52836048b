import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { eventually } from '../../support/stack/api.ts';
import { closedDaysLookClosed } from './desk.ts';
import type { Tab } from './engine.ts';
import { leavesPaperAlone } from './paper.ts';
import { openShop, type Page, type Shop } from './shop.ts';
import { requestCall, type Visitor, visitorOf } from './visitor.ts';

const STRICT: NonNullable<Page['csp']> = ({ cdn, api }) =>
	`default-src 'none'; script-src ${cdn} 'nonce-lab'; connect-src ${api} ${cdn}; img-src 'self'; require-trusted-types-for 'script'`;
const pinned = ({ manifest }: Shop): string => `integrity="${manifest.integrity}" crossorigin="anonymous"`;

/** The text of an element of the widget. */
const text = (visitor: Visitor, selector: string) =>
	visitor.inside<string | undefined>(`root.querySelector('${selector}')?.textContent`);

/** Checks that a changed part of the widget never runs: not at the first try, not at the second, and not under Trusted Types. */
async function runsNoChanged(part: 'panel' | 'choice', visitor: Visitor, keys = 'wk'): Promise<void> {
	const { shop } = visitor;
	shop.tamper(part, 'globalThis.tampered = true;');
	for (const csp of [undefined, STRICT]) {
		await visitor.visit(shop.page({ embed: pinned(shop), keys, ...(csp && { csp }) }));
		for (let tries = 1; tries <= 2; tries++) {
			await visitor.click('[part=launcher]');
			await visitor.soon(
				'the launcher says no',
				`root.querySelector('[part=launcher]').textContent.startsWith('No connection')`,
			);
		}
		assert.equal(await visitor.inside('page.tampered ?? null'), null);
	}
}

type Chapters = Readonly<Record<string, (visitor: Visitor) => Promise<void>>>;

/** The promises that have to hold in every engine, by name. Each runs with a new shop. */
const chapters: Chapters = {
	async 'a call, with a reload in it, to its end'(visitor) {
		const { shop, tab } = visitor;
		await visitor.visit(shop.page());
		await requestCall(visitor);
		for (const status of ['requested', 'ringing', 'connected'] as const) {
			shop.api.script.status = status;
			await visitor.reach(status);
		}
		await tab.reload();
		await visitor.reach('connected');
		shop.api.script.status = 'completed';
		await visitor.reach('completed');
		assert.equal(shop.api.seen('call').length, 1);
	},
	async 'a callback after a failed call'(visitor) {
		const { shop } = visitor;
		await visitor.visit(shop.page());
		await requestCall(visitor);
		Object.assign(shop.api.script, { status: 'failed', failure_reason: 'visitor_busy' });
		await visitor.reach('failed');
		await visitor.click('[part=lead]');
		await visitor.click('[type=checkbox]');
		await visitor.click('[part=submit]');
		await visitor.reach('lead_sent');
		assert.equal(shop.api.seen('lead').length, 1);
	},
	async 'the keyboard opens, fills, sends and closes it'(visitor) {
		const { shop, tab } = visitor;
		await visitor.visit(shop.page());
		await visitor.soon('the launcher', `root?.querySelector('[part=launcher]')`);
		await visitor.inside(`void root.querySelector('[part=launcher]').focus()`);
		await tab.press('Enter');
		await visitor.hasForm();
		await visitor.soon('the number has the focus', `root.activeElement?.id === 'tel'`);
		await tab.type('+12025550101');
		await tab.press('Tab');
		await tab.press('Tab');
		await tab.press('Space');
		await visitor.soon('the box is ticked', `root.querySelector('[type=checkbox]').checked`);
		await tab.press('Enter');
		await visitor.reach('requested');
		await tab.press('Escape');
		await visitor.soon('the panel is closed', `root.querySelector('section').hidden`);
		assert.equal(await visitor.inside(`root.activeElement?.part.value`), 'launcher');
	},
	async 'within a modal dialog of the page'(visitor) {
		const { shop } = visitor;
		await visitor.visit(
			shop.page({
				body: `<dialog><p>Sign up</p><a href="/contact" id="talk" data-callback-open>Talk to us</a></dialog>
					<script nonce="lab">document.querySelector('dialog').showModal()</script>`,
			}),
		);
		await visitor.soon('the widget', `root?.querySelector('[part=launcher]')`);
		await visitor.click('#talk', 'document');
		await visitor.hasForm();
		await visitor.fill();
		await visitor.click('[part=submit]');
		await visitor.reach('requested');
		assert.equal(await visitor.inside(`page.location.pathname.startsWith('/contact')`), false);
	},
	async 'in Arabic, with a name in another script'(visitor) {
		const { shop } = visitor;
		await visitor.visit(shop.page({ root: 'lang="ar" dir="rtl"', embed: 'data-avatar="Ida Wells"' }));
		await visitor.click('[part=launcher]');
		await visitor.hasForm();
		assert.equal(await text(visitor, 'h2'), 'نتصل بك الآن');
		const [left, gap] = await visitor.inside<readonly [number, number]>(`(() => {
			const range = document.createRange();
			range.selectNodeContents(root.querySelector('[part=name]'));
			const face = root.querySelector('[part=avatar]').getBoundingClientRect();
			return [root.querySelector('section').getBoundingClientRect().left, face.left - range.getBoundingClientRect().right];
		})()`);
		assert.ok(left < 40, `the panel begins at ${left} px`);
		assert.ok(Math.abs(gap - 12) < 2, `${gap} px between the initials and the name`);
	},
	async 'under a strict policy with Trusted Types'(visitor) {
		const { shop } = visitor;
		await visitor.visit(shop.page({ root: 'lang="de"', embed: pinned(shop), csp: STRICT }));
		await requestCall(visitor);
		await visitor.reach('requested');
		assert.equal(await text(visitor, 'h2'), 'Ihr Anruf');
		assert.deepEqual(await visitor.inside('page.violations'), []);
	},
	'a pinned script runs no changed panel': (visitor) => runsNoChanged('panel', visitor),
	'a pinned script runs no changed choice among several keys': (visitor) =>
		runsNoChanged('choice', visitor, 'wk_a wk_b'),
	async 'one of several keys, chosen by the visitor'(visitor) {
		const { shop } = visitor;
		shop.api.script.workspaces = { wk_a: { name: 'Sales' }, wk_b: { name: 'Support' } };
		await visitor.visit(shop.page({ keys: 'wk_a wk_b', embed: pinned(shop), csp: STRICT }));
		await visitor.click('[part=launcher]');
		await visitor.click('[part=choice]:last-child');
		await visitor.hasForm();
		await visitor.fill();
		await visitor.click('[part=submit]');
		await visitor.reach('requested');
		assert.equal(shop.api.seen('call')[0]?.body?.workspace_key, 'wk_b');
	},
	async 'a refused origin is named in the console'(visitor) {
		const { shop } = visitor;
		shop.api.script.origins = ['https://acme.example'];
		await visitor.visit(shop.page());
		await visitor.click('[part=launcher]');
		await visitor.soon('a line in the console', 'page.said.length');
		assert.match(
			(await visitor.inside<readonly string[]>('page.said')).join(),
			/does not allow pages of http:\/\/localhost/,
		);
	},
	async 'a click while the script was loading'(visitor) {
		const { shop } = visitor;
		await visitor.visit(shop.page({ late: true, body: '<button id="talk" data-callback-open>Talk to us</button>' }));
		await visitor.click('#talk', 'document');
		await visitor.hasForm();
	},
	async 'on a page over plain http'({ tab }) {
		const address = Object.values(networkInterfaces())
			.flatMap((addresses) => addresses ?? [])
			.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
		if (address === undefined) return;
		const shop = await openShop(address);
		const visitor = visitorOf(tab, shop);
		try {
			await visitor.visit(shop.page({ embed: pinned(shop) }));
			assert.equal(await visitor.inside('page.isSecureContext'), false);
			await requestCall(visitor);
			await visitor.reach('requested');
		} finally {
			await shop.close();
		}
	},
	'the desk: closed days look closed': closedDaysLookClosed,
	'prints the page without the widget': leavesPaperAlone,
	async 'inline, on a phone, nothing floats'(visitor) {
		const { tab, shop } = visitor;
		const phone = visitorOf(tab, shop, 390);
		await phone.visit(shop.page({ element: 'inline' }));
		await phone.hasForm();
		await phone.fill();
		await phone.click('[part=submit]');
		await phone.reach('requested');
	},
};

/** Plays each chapter, and tells how it ended. Returns the names of those that failed. */
async function play(played: Chapters, tab: Tab, tell: (line: string) => void): Promise<readonly string[]> {
	const wrong: string[] = [];
	for (const [name, chapter] of Object.entries(played)) {
		const shop = await openShop();
		try {
			await chapter(visitorOf(tab, shop));
			tell(`ok      ${name}`);
		} catch (failure) {
			wrong.push(name);
			tell(`FAILED  ${name}: ${failure instanceof Error ? failure.message : failure}`);
		} finally {
			await shop.close();
		}
	}
	return wrong;
}

export const playStory = (tab: Tab, tell: (line: string) => void) => play(chapters, tab, tell);

/**
 * For browsers in which the widget cannot run: checks that no button without a function is shown, and that the page's own link
 * works.
 */
export const leadsOnWithoutButton = (tab: Tab, tell: (line: string) => void) =>
	play(
		{
			async 'shows no button, and the link of the page works'(visitor) {
				await visitor.visit(
					visitor.shop.page({ body: '<a href="/contact" id="talk" data-callback-open>Talk to us</a>' }),
				);
				await tab.evaluate('new Promise((go) => setTimeout(go, 2000))');
				assert.equal(await visitor.inside('root?.childElementCount ?? 0'), 0);
				await visitor.click('#talk', 'document');
				// The page may be gone before the expression returns.
				const place = () => tab.evaluate<string>('location.pathname').catch(() => '');
				await eventually('the page of the link', async () => ((await place()) === '/contact' ? true : null));
			},
		},
		tab,
		tell,
	);
