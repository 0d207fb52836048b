import assert from 'node:assert/strict';
import { formsIn } from '../../../support/stack/forms-in-page.ts';
import {
	COUNTRIES,
	type Country,
	SETTINGS,
	settingsOf,
	widestSettings,
} from '../../../upgrade/fill/extreme-settings.ts';
import type { Site } from '../around/site.ts';
import { type Held, holds, type NewKind } from './held.ts';

// Checks shops with extreme settings: in each language, and with every setting as long as possible. Each filling adds two more
// countries.

const EACH_TIME = 2;
/**
 * The pause has an end, because release 28086779 responds with 500 to a request for the widget's configuration if a pause has
 * no end. The samples contain a shop with a pause that has no end.
 */
const PAUSED_UNTIL = '2029-12-31T23:59:59Z';
const PAGES = ['hours', 'team', 'site', 'site?look', 'site?consent', 'notices', 'people', 'numbers'];

/** Opens a shop with an operator command and the mail to its owner. The forms for its settings are then open at the desk. */
async function openShop(site: Site, name: string, language: string, settings: readonly string[]): Promise<Held> {
	const origin = `https://${name}.example`;
	const owner = `owner@${name}.example`;
	const { ops } = site.stack();
	const about = ['--name', `Shop ${name}`, '--origin', origin, '--owner', owner];
	const { id, workspace_key } = await ops('workspace', 'create', ...about, ...settings);
	const session = await site.signIn(owner, id);
	const page = async (path: string): Promise<string> => {
		const { status, html } = await site.send(site.pageAt(path), session);
		assert.equal(status, 200, `the page ${path} of ${name} answered ${status}`);
		return html;
	};
	/** What the widget shows in the shop's language. Whether the shop is open is left out, because it depends on the hour. */
	const shown = async () => {
		const path = `/widget/config?workspace_key=${workspace_key}&language=${language}`;
		const { status, json, text } = await site.api(path, { headers: { origin } });
		assert.equal(status, 200, text);
		const { consent_texts, language: spoken, look } = json.data;
		return { consent_texts, spoken, look };
	};
	const show = () => site.stack().ops('workspace', 'show', '--workspace', id);
	const pages = await Promise.all(PAGES.map(async (path) => ({ path, forms: formsIn(await page(path)) })));
	const open = pages.flatMap(({ path, forms }) =>
		forms.filter(({ action = '' }) => SETTINGS.includes(action)).map((fields) => ({ path, fields })),
	);
	const before = { workspace: await show(), widget: await shown() };
	return holds(name.split('-')[0] ?? name, async () => {
		assert.deepEqual(await shown(), before.widget);
		const now = await site.stack().ops('workspace', 'show', '--workspace', id);
		for (const [member, value] of Object.entries(before.workspace))
			assert.deepEqual([member, now[member]], [member, value]);
		await Promise.all(PAGES.map(page));
		for (const { path, fields } of open) {
			const { status, html } = await site.post(session, path, fields);
			assert.equal(
				status,
				303,
				`${name}: the form ${fields['action']} answered ${status} ${site.codeOf({ html }) ?? ''}`,
			);
		}
	});
}

export const extremes: NewKind = (site, _shop, _quiet, { nth }) => ({
	name: 'shops at extremes',
	early: () => {
		const unique = `${nth}-${process.pid}`;
		const countries = Array.from({ length: EACH_TIME }, (_, n) => (nth * EACH_TIME + n) % COUNTRIES.length);
		return Promise.all([
			...countries.map((n) => {
				const country: Country = COUNTRIES[n] ?? COUNTRIES[0];
				const name = `${country[0]}-${unique}`;
				return openShop(site, name, country[0], settingsOf(country, `https://${name}.example`, n));
			}),
			openShop(site, `widest-${unique}`, 'en', widestSettings(PAUSED_UNTIL)),
		]);
	},
});
