import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { viewOf } from '../../../shared/http/desk/kit/view.ts';
import { sitePage } from '../../../shared/http/desk/site/site-page.ts';
import { enterDesk } from '../../../shared/use-cases/desk/enter-desk.ts';
import { changeWorkspace } from '../../../shared/use-cases/workspaces/change-workspace.ts';
import { deskInMemory } from '../../support/stack/desk-in-memory.ts';
import { formsIn } from '../../support/stack/forms-in-page.ts';
import { unescaped } from '../../support/unescaped.ts';
import { always, put } from '../../support/writes.ts';

const { newShop, pageAt, send, signIn, post, deps, now } = deskInMemory();

const formNames = (html: string) => formsIn(html).flatMap(({ action }) => (action === 'signed_out' ? [] : action));
const currentTab = (html: string) => /<nav class="tabs".*?<a href="([^"]+)" aria-current="page">/s.exec(html)?.[1];
/** The address of the current part in the menu, which lists the parts on a wide screen. */
const currentPart = (html: string) =>
	/<nav id="menu".*<ul>.*<a href="([^"]+)" aria-current="page">/s.exec(html.split('<main')[0] ?? '')?.[1];

it.each([
	['site', 'site', 'site', 'Website'],
	['site?look', 'site?look', 'look', 'Look'],
	['site?look&saved', 'site?look', 'look', 'Look'],
	['site?consent', 'site?consent', 'consent', 'Consent'],
	['site?consent=ar', 'site?consent', 'consent', 'Consent'],
	['site?consent=tlh&saved', 'site?consent', 'consent', 'Consent'],
	['site?part=look', 'site', 'site', 'Website'],
])(
	'%s shows one part of the site’s settings under its name, and marks its link',
	async (address, tab, action, name) => {
		const shop = await newShop();
		const { html, status } = await send(pageAt(address), await signIn(shop.owner, shop.id));
		expect([status, currentTab(html), formNames(html)]).toEqual([200, tab, [action]]);
		expect(currentPart(html)).toBe(tab);
		expect([/<h1>([^<]*)/.exec(html)?.[1], /<title>([^<]*)/.exec(html)?.[1]]).toEqual([name, name]);
	},
);

it('each form of an older page, which had all three parts, is saved and leads to the page of its part', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const open = await Promise.all(
		['site', 'site?look', 'site?consent=fr'].map(async (page) => formsIn((await send(pageAt(page), ida)).html)),
	);
	const where = [];
	for (const form of open.flat().filter(({ action }) => action !== 'signed_out')) {
		const { status, headers } = await post(ida, 'site', form);
		where.push([form['action'], status, headers.get('location')]);
	}
	expect(where).toEqual([
		['site', 303, 'site?saved=site#said'],
		['look', 303, 'site?look&saved=look#said'],
		['consent', 303, 'site?consent=fr&saved=consent#said'],
	]);
});

it.each([
	['look', { accent: 'green' }],
	['consent', { language: 'en', privacy_links: 'ours' }],
	['site', { name: '', origins: 'shop', language: 'en' }],
] as const)('a refused form of an older page is shown with its own part: %s', async (action, typed) => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const { status, html } = await post(ida, 'site', { action, seen: 'before', ...typed });
	expect([status >= 400, formNames(html)]).toEqual([true, [action]]);
});

it('a refused form of the site’s addresses stands beside the snippet, as before', async () => {
	const shop = await newShop();
	const ida = await signIn(shop.owner, shop.id);
	const cardIn = (html: string) => /<section class="card" aria-labelledby="add">.*?<\/section>/s.exec(html)?.[0];
	const { html } = await send(pageAt('site'), ida);
	const form = formsIn(html).find(({ action }) => action === 'site');
	const { status, html: refused } = await post(ida, 'site', { ...form, origins: 'no site' });
	expect([status, cardIn(refused)]).toEqual([422, cardIn(html)]);
	expect(cardIn(html)).toContain('id="snippet"');
});

async function siteOf(name: string, docs_url?: string) {
	const shop = await newShop();
	await changeWorkspace(shop.id, { name }, deps);
	const { cookie } = await signIn(shop.owner, shop.id);
	const at = await enterDesk([cookie], deps);
	if (at === null) throw new Error('the session does not live');
	const { markup } = await sitePage(viewOf(at, 0), { ...deps, ...(docs_url !== undefined && { docs_url }) });
	return { markup, key: at.workspace.workspace_key };
}
const DOCS = 'https://docs.example/call-back';

it.each(['Shop', 'Wells & Berg?subject=x', '"><b>\r\nBcc: all@evil.example', 'متجر 100%', 'ß'.repeat(100)])(
	'the mail to a developer of %j has the snippet and a subject, and names no recipient',
	async (name) => {
		const { markup, key } = await siteOf(name, DOCS);
		const mail = new URL(unescaped(/href="(mailto:[^"]+)"/.exec(markup)?.[1] ?? ''));
		expect([mail.protocol, mail.pathname, [...mail.searchParams.keys()]]).toEqual(['mailto:', '', ['subject', 'body']]);
		const body = mail.searchParams.get('body') ?? '';
		const line = body
			.split('\r\n\r\n')
			.find((each) => each.startsWith('<script'))
			?.replaceAll('\r\n', '\n');
		expect(line).toContain(`\n  data-workspace-key="${key}"\n`);
		expect(line).toBe(unescaped(/<pre[^>]*>([^<]*)<\/pre>/.exec(markup)?.[1] ?? ''));
		expect(body).toContain(`${DOCS}/getting-started`);
		expect(mail.searchParams.get('subject')).not.toMatch(/[\r\n]/);
	},
);

it('each link to the documentation leads to one of its headings; without documentation there is no link', async () => {
	const { markup } = await siteOf('Shop', DOCS);
	const page = readFileSync('docs/getting-started.md', 'utf8');
	const headings = [...page.matchAll(/^#{2,3} (.+)$/gm)].map(([, text = '']) =>
		text.toLowerCase().replaceAll(' ', '-'),
	);
	const links = [...markup.matchAll(/href="https:\/\/docs\.example\/call-back\/getting-started#([^"]+)"/g)];
	expect(links.length).toBeGreaterThan(5);
	for (const [, section] of links) expect(headings).toContain(section);
	const without = await siteOf('Shop');
	expect(without.markup).not.toContain('getting-started');
});

it('the steps for a tag manager have the code of the documentation, with the key and the addresses of the shop', async () => {
	const { markup, key } = await siteOf('Shop');
	const [, code = ''] = /<pre[^>]* id="tag">([^<]*)<\/pre>/.exec(markup) ?? [];
	const page = readFileSync('docs/getting-started.md', 'utf8');
	const [, documented = ''] = /### A tag manager.*?```html\n(.*?)\n```/s.exec(page) ?? [];
	const { widget_script, base_url } = deps.addresses;
	const expected = documented
		.replace('wk_…', key)
		.replace('https://<your API>/v1', base_url)
		.replace('https://<widget address>/widget.js', widget_script);
	expect(unescaped(code)).toBe(expected);
});

it('the Website page begins with the snippet and with what is known about the widget on each site', async () => {
	const origins = ['https://shop.example', 'https://old.shop.example', 'https://www.shop.example'];
	const shop = await newShop('US', { origins });
	const seen = async (origin: string, days: number) => {
		const seen_at = new Date(now.ms - days * 24 * 3_600_000).toISOString();
		const use = { workspace_id: shop.id, origin, seen_at, expires_at_epoch_s: 2e9 };
		await deps.store.commit([put('site_use', use, always)]);
	};
	await seen('https://shop.example', 1);
	await seen('https://old.shop.example', 9);
	const { html } = await send(pageAt('site'), await signIn(shop.owner, shop.id));
	const [snippet, ...lines] = html.slice(0, html.indexOf('<form method="post" class="card"')).split('<p class="seen">');
	expect(snippet).toContain('<pre dir="ltr" tabindex="0" id="snippet">');
	expect(lines.map((line) => line.split('</p>')[0]?.replace(/[ \d]+:\d\d [AP]M/, ' …'))).toEqual([
		'<span class="dot on"></span>The widget is live on shop.example. Opened there: Yesterday, …',
		'<span class="dot"></span>Not opened on old.shop.example for a week or longer. Opened before: Thu, Nov 12, …. Open the widget there to check it.',
		'<span class="dot"></span>Not opened on www.shop.example yet. Once the line is in your pages, open the widget there.',
	]);
});

it('the page of the look names no attribute of the snippet; the page of the snippet names it, with the shop’s colour', async () => {
	const shop = await newShop();
	await changeWorkspace(shop.id, { look: { accent: '#5b3df5', greeting: null } }, deps);
	const ida = await signIn(shop.owner, shop.id);
	const look = (await send(pageAt('site?look'), ida)).html;
	expect(look).not.toContain('data-accent');
	expect(look).toContain('how is under <a href="site">Setup</a>.');
	expect((await send(pageAt('site'), ida)).html).toContain('<code dir="ltr">data-accent=&quot;#5b3df5&quot;</code>');
});
