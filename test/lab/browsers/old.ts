import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { engineOf } from './chromium.ts';
import { openShop } from './shop.ts';
import { leadsOnWithoutButton, playStory } from './story.ts';
import { visitorOf } from './visitor.ts';

// `npm run lab -- old-browsers` plays the widget's story in old browsers. In a browser where the widget does not work, the page
// must show no button, and the page's own link must work.

const root = join(import.meta.dirname, '../../..');
/** The folder is inside node_modules, so that `npm ci` removes it. */
const unpacked = join(root, 'node_modules/.cache/old-browsers');
/** The oldest Chrome in which, by docs/widget-reference.md, everything works. */
const PROMISED = 105;

/** Unpacks a browser and the libraries that it needs, once. Returns its folder. */
function unpack(version: string): string {
	const folder = join(unpacked, version);
	if (existsSync(folder)) return folder;
	const draft = `${folder}.${process.pid}`;
	mkdirSync(draft, { recursive: true });
	for (const file of globSync(join(root, 'tools/old-browsers/node_modules', `chromium-${version}`, 'bin/*.br'))) {
		const name = join(draft, basename(file, '.br'));
		writeFileSync(name, brotliDecompressSync(readFileSync(file)));
		if (!name.endsWith('.tar')) continue;
		execFileSync('tar', ['xf', name], { cwd: draft });
		rmSync(name);
	}
	chmodSync(join(draft, 'chromium'), 0o755);
	renameSync(draft, folder);
	return folder;
}

/** Whether the page in this tab shows the launcher two seconds after it was loaded. */
async function showsLauncher(tab: Awaited<ReturnType<typeof engineOf>>['tab']): Promise<boolean> {
	const shop = await openShop();
	try {
		const visitor = visitorOf(tab, shop);
		await visitor.visit(shop.page());
		await tab.evaluate('new Promise((go) => setTimeout(go, 2000))');
		return await visitor.inside(`!!root?.querySelector('[part=launcher]')?.getClientRects().length`);
	} finally {
		await shop.close();
	}
}

let failed = false;
for (const version of ['92', '103', '109']) {
	const folder = unpack(version);
	const browser = await chromium
		.launch({
			executablePath: join(folder, 'chromium'),
			env: { ...process.env, LD_LIBRARY_PATH: join(folder, 'lib') },
			args: ['--no-sandbox', '--disable-gpu'],
		})
		.catch((error: unknown) => console.log(`Chromium ${version}: skipped: ${String(error).split('\n')[0]}`));
	if (!browser) continue;
	const engine = await engineOf(browser, { scheme: 'light' });
	const tell = (line: string) => console.log(`${engine.version}: ${line}`);
	const works = Number(version) >= PROMISED || (await showsLauncher(engine.tab));
	const wrong = works ? await playStory(engine.tab, tell) : await leadsOnWithoutButton(engine.tab, tell);
	console.log(`${engine.version}: ${wrong.length === 0 ? 'passed' : `${wrong.length} findings`}\n`);
	failed ||= wrong.length > 0;
	await engine.close();
}
if (failed) process.exitCode = 1;
