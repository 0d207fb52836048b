import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { browserProgram } from '../../support/browser/installed.ts';
import type { Tab } from './engine.ts';
import { openShop, type Page } from './shop.ts';
import { type Visitor, visitorOf } from './visitor.ts';

/** What is measured of a state: the boxes of the widget's parts within the viewport, and the contrast of its texts. */
export type Measured = {
	readonly boxes: Readonly<Record<string, readonly [left: number, top: number, width: number, height: number]>>;
	readonly contrast: Readonly<Record<string, number>>;
};
export type Shot = { readonly name: string; readonly picture: Buffer; readonly measured: Measured };

/** Where the widget is looked at. */
const places: Readonly<Record<string, { readonly page: Page; readonly phone?: number }>> = {
	desktop: { page: {} },
	phone: { page: { embed: 'data-avatar="Ida Wells"' }, phone: 390 },
	'small phone, right to left': { page: { root: 'lang="ar" dir="rtl"', embed: 'data-avatar="Ida Wells"' }, phone: 320 },
	inline: { page: { element: 'inline' } },
	zoomed: { page: { head: '<style>body { zoom: 1.25 }</style>', embed: 'data-accent="#ffd400"' } },
};

/** All engines write with one font: the packed one of Chromium. */
async function fontStyle(): Promise<string> {
	const { executablePath } = await browserProgram();
	const fonts = join(executablePath, '../fonts/fonts/Open_Sans');
	const face = (file: string, weight: string) =>
		`@font-face { font-family: Shop; font-weight: ${weight}; src: url(data:font/ttf;base64,${readFileSync(join(fonts, file), 'base64')}) }`;
	return `<style>${face('OpenSans-Regular.ttf', '400')}${face('OpenSans-Bold.ttf', '600')}
		html { font-family: Shop } call-back-widget { font-family: Shop }</style>`;
}

/** Measured in the page: each shown part that has a name, and texts against what is behind them. */
const MEASURE = `(() => {
	const boxes = {}, contrast = {};
	const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
	const over = (colors) => {
		canvas.clearRect(0, 0, 1, 1);
		for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); }
		return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
	};
	const luminance = (rgb) => {
		const [r, g, b] = rgb.map((value) => value / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const behind = (element) => {
		const colors = [];
		for (let at = element; at; at = at.parentElement) colors.unshift(page.getComputedStyle(at).backgroundColor);
		return colors;
	};
	for (const element of root.querySelectorAll('[part]')) {
		const box = boxOf(element);
		const name = element.id || element.part.value;
		if (!name || !box[2] || element.closest('.form [role=status]')) continue;
		const style = page.getComputedStyle(element);
		if (!(name in boxes)) boxes[name] = box.map(Math.round);
		if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
		const back = behind(element), paper = ['Canvas', ...back];
		const [less, more] = [luminance(over(paper)), luminance(over([...paper, style.color]))].sort((a, b) => a - b);
		contrast[name] = Math.round((more + 0.05) / (less + 0.05) * 10) / 10;
	}
	return { boxes, contrast };
})()`;

/** Leads a visitor through the states of the widget, and stops at each. */
async function throughStates(
	visitor: Visitor,
	isInline: boolean,
	look: (state: string) => Promise<void>,
): Promise<void> {
	const { shop, click, reach, soon, hasForm } = visitor;
	if (!isInline) {
		await soon('the launcher', `root?.querySelector('[part=launcher]')?.getClientRects().length`);
		await look('launcher');
		await click('[part=launcher]');
	}
	await hasForm();
	await look('form');
	await click('[part=submit]');
	await soon('the errors', `root.querySelector('[role=alert]').textContent`);
	await look('errors');
	await visitor.fill();
	await click('[part=submit]');
	for (const status of ['requested', 'ringing', 'connected'] as const) {
		shop.api.script.status = status;
		await reach(status);
		await look(status);
	}
	Object.assign(shop.api.script, { status: 'failed', failure_reason: 'visitor_busy' });
	await reach('failed');
	await look('failed');
	await click('[part=lead]');
	await soon('the note', `root.querySelector('#note').getClientRects().length`);
	await look('callback');
	await click('[type=checkbox]');
	await click('[part=submit]');
	await reach('lead_sent');
	await look('sent');
}

/** Pictures and measures of every state in every place. */
export async function takePictures(tab: Tab, tell: (line: string) => void): Promise<readonly Shot[]> {
	const head = await fontStyle();
	const shots: Shot[] = [];
	for (const [place, { page, phone }] of Object.entries(places)) {
		const shop = await openShop();
		const visitor = visitorOf(tab, shop, phone);
		try {
			await visitor.visit(shop.page({ ...page, head: head + (page.head ?? '') }));
			await throughStates(visitor, page.element !== undefined, async (state) => {
				await tab.evaluate(`new Promise((go) => setTimeout(go, 400))`);
				shots.push({
					name: `${place}: ${state}`,
					measured: await visitor.inside<Measured>(MEASURE),
					picture: await tab.picture(),
				});
			});
		} catch (failure) {
			tell(`FAILED  ${place}: ${failure instanceof Error ? failure.message : failure}`);
		} finally {
			await shop.close();
		}
	}
	return shots;
}

/** What a visitor would see as different: a box elsewhere or of another size, or a text that is harder to read. */
export function differences(of: readonly Shot[], reference: readonly Shot[]): readonly string[] {
	const found: string[] = [];
	for (const { name, measured } of reference) {
		const other = of.find((shot) => shot.name === name)?.measured;
		if (other === undefined) {
			found.push(`${name}: no picture`);
			continue;
		}
		for (const [part, box] of Object.entries(measured.boxes)) {
			const there = other.boxes[part];
			if (there === undefined) found.push(`${name}: no ${part}`);
			else if (box.some((value, at) => Math.abs(value - (there[at] ?? 0)) > MOST_PX))
				found.push(`${name}: ${part} is at ${there}, not ${box}`);
		}
		for (const part of Object.keys(other.boxes)) if (!(part in measured.boxes)) found.push(`${name}: ${part} is shown`);
	}
	return found;
}

/** Native fields differ by some pixels between engines, and each moves what is below it. */
const MOST_PX = 12;
const LEAST_CONTRAST = 4.5;

/** Texts that are too pale, by WCAG. */
export const pale = (shots: readonly Shot[]): readonly string[] =>
	shots.flatMap(({ name, measured }) =>
		Object.entries(measured.contrast)
			.filter(([, ratio]) => ratio < LEAST_CONTRAST)
			.map(([part, ratio]) => `${name}: ${part} has a contrast of ${ratio}`),
	);
