import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallStatus, FailureReason } from '../../../shared/domain/calls/call.ts';
import { browserProgram } from '../../support/browser/installed.ts';
import { calling, type Script } from '../../support/browser/scripted-api.ts';
import { eventually } from '../../support/stack/api.ts';
import type { Tab } from './engine.ts';
import { openShop, type Page } from './shop.ts';
import { type Visitor, visitorOf } from './visitor.ts';

/**
 * The measurements of a state. `boxes`: the positions and sizes of the widget's parts. `contrast`: the contrast between each
 * text and its background.
 */
export type Measured = {
	/** How many pixels the panel can be scrolled sideways. */
	readonly sideways: number;
	readonly boxes: Readonly<Record<string, readonly [left: number, top: number, width: number, height: number]>>;
	readonly contrast: Readonly<Record<string, number>>;
};
export type Shot = { readonly name: string; readonly picture: Buffer; readonly measured: Measured };

/** A shop that is closed until a Monday. */
const CLOSED = {
	open: false,
	next_open_at: '2027-01-04T08:00:00.000Z',
	privacy_url: 'https://acme.example/privacy',
};

/** The pages and screens on which the widget is tested. */
const places: Readonly<Record<string, { readonly page: Page; readonly phone?: number }>> = {
	desktop: { page: {} },
	// Firefox places text at whole pixels, so it may break a line that just fits in other engines. At this width, no line just
	// fits.
	phone: { page: { embed: 'data-avatar="Ida Wells"' }, phone: 412 },
	'small phone, right to left': { page: { root: 'lang="ar" dir="rtl"', embed: 'data-avatar="Ida Wells"' }, phone: 320 },
	'right to left': { page: { root: 'lang="ar" dir="rtl"' } },
	inline: { page: { element: 'inline' } },
	'inline on a phone': { page: { element: 'inline', root: 'lang="pt"' }, phone: 412 },
	zoomed: { page: { head: '<style>body { zoom: 1.25 }</style>', embed: 'data-accent="#ffd400"' } },
};

/** Makes all engines use the same fonts: Chromium's packed font, and for Arabic a font that most systems have. */
async function fontStyle(): Promise<string> {
	const { executablePath } = await browserProgram();
	const fonts = join(executablePath, '../fonts/fonts/Open_Sans');
	const face = (file: string, weight: string) =>
		`@font-face { font-family: Shop; font-weight: ${weight}; src: url(data:font/ttf;base64,${readFileSync(join(fonts, file), 'base64')}) }`;
	return `<style>${face('OpenSans-Regular.ttf', '400')}${face('OpenSans-Bold.ttf', '600')}
		@font-face { font-family: Arabic; font-weight: 400; src: local('DejaVu Sans') }
		@font-face { font-family: Arabic; font-weight: 600; src: local('DejaVu Sans Bold') }
		html { font-family: Shop, Arabic } call-back-widget { font-family: Shop, Arabic }</style>`;
}

/**
 * A script for the page. It measures each visible part with a name, the contrast between each text and its background, and how
 * far the panel scrolls sideways.
 */
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
	const panel = root.querySelector('section');
	let sideways = 0;
	// Tries to scroll, because the widths in whole pixels may differ by 1 although nothing can be scrolled.
	for (const to of panel ? [99, -99] : []) {
		panel.scrollLeft = to;
		sideways ||= Math.abs(Math.round(panel.scrollLeft));
		panel.scrollLeft = 0;
	}
	return { boxes, contrast, sideways };
})()`;

/** Takes a visitor through the states of the widget, and calls `look` in each. */
async function throughStates(visitor: Visitor, isInline: boolean, look: Look): Promise<void> {
	const { shop, click, reach, soon, hasForm } = visitor;
	const { script, hitch, holding, release } = shop.api;
	const held = () => eventually('a request that waits', async () => (holding() > 0 ? true : null));
	/** Makes the service report this status, waits until the widget shows it, and calls `look`. */
	async function see(status: CallStatus, failure_reason: FailureReason | null = null): Promise<void> {
		Object.assign(script, { status, failure_reason });
		await reach(status);
		await look(status);
	}
	if (!isInline) {
		await soon('the launcher', `root?.querySelector('[part=launcher]')?.getClientRects().length`);
		await look('launcher');
		hitch('config', 'hold');
		await click('[part=launcher]');
		await held();
		await look('loading');
		release();
	}
	await hasForm();
	await look('form');
	await click('[part=submit]');
	await soon('the errors', `root.querySelector('[role=alert]').textContent`);
	await look('errors');
	await visitor.fill();
	hitch('call', 'hold');
	await click('[part=submit]');
	await held();
	await look('sending');
	release();
	await see('requested');
	await see('ringing');
	script.visitor_phone_rings = true;
	await soon('the own phone', `root.querySelector('[role=status]').textContent.includes('0101')`);
	await look('the own phone rings');
	await see('connected');
	Object.assign(script, { duration_seconds: 42 });
	await see('completed');
	await click('[part=again]');
	await hasForm();
	script.visitor_phone_rings = false;
	script.status = 'canceled';
	await click('[part=submit]');
	await see('canceled', 'canceled');
	await click('[part=again]');
	await hasForm();
	Object.assign(script, { status: 'failed', failure_reason: 'visitor_busy', duration_seconds: null });
	await click('[part=submit]');
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

type Look = (state: string) => Promise<void>;
/** Further visits, with other settings of the page and the service. `play`: what the visitor does. */
const others: readonly {
	readonly keys?: string;
	readonly prepare: (script: Script) => void;
	readonly play: (visitor: Visitor, look: Look) => Promise<void>;
}[] = [
	{
		prepare: ({ config }) => Object.assign(config, CLOSED, calling('US', 'DE', 'FR')),
		async play({ click, soon, hasForm, fill }, look) {
			await hasForm();
			await look('closed');
			await fill('030901820');
			await click('[part=submit]');
			await soon('the choice of a country', `root.querySelector('select').getClientRects().length`);
			await look('choice of a country');
		},
	},
	{
		keys: 'wk_a wk_b',
		prepare: (script) => {
			script.workspaces = { wk_a: { name: 'Sales', open: true }, wk_b: { name: 'Support', ...CLOSED } };
		},
		async play({ click, soon, hasForm }, look) {
			await soon('the question', `root?.querySelectorAll('[part=choice]').length === 2`);
			await look('question');
			await click('[part=choice]');
			await hasForm();
			await soon('whose form it is', `root.querySelector('[part=back] + [part=name]').textContent`);
			await look('form of one of several');
		},
	},
];

/** Takes a screenshot and the measurements of every state in every place. */
export async function takePictures(tab: Tab, tell: (line: string) => void): Promise<readonly Shot[]> {
	const head = await fontStyle();
	const shots: Shot[] = [];
	for (const [place, { page, phone }] of Object.entries(places)) {
		const shop = await openShop();
		const visitor = visitorOf(tab, shop, phone);
		try {
			await visitor.visit(shop.page({ ...page, head: head + (page.head ?? '') }));
			const isInline = page.element !== undefined;
			const look = async (state: string) => {
				await tab.evaluate(`new Promise((go) => setTimeout(go, 100))`);
				const measured = await visitor.inside<Measured>(MEASURE);
				shots.push({ name: `${place}: ${state}`, measured, picture: await tab.picture() });
			};
			await throughStates(visitor, isInline, look);
			for (const { keys = 'wk', prepare, play } of others) {
				// Removes the calls that this tab remembers, so that it is like a new tab.
				await visitor.inside('void page.sessionStorage.clear()');
				prepare(shop.api.script);
				await visitor.visit(shop.page({ ...page, keys, head: head + (page.head ?? '') }));
				if (!isInline) await visitor.click('[part=launcher]');
				await play(visitor, look);
			}
		} catch (failure) {
			tell(`FAILED  ${place}: ${failure instanceof Error ? failure.message : failure}`);
		} finally {
			await shop.close();
		}
	}
	return shots;
}

/** Differences that a visitor would see: a part that is missing, is added, or has moved, and a panel that scrolls sideways. */
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
		if (other.sideways > 0) found.push(`${name}: the panel scrolls ${other.sideways} px to the side`);
		for (const part of Object.keys(other.boxes)) if (!(part in measured.boxes)) found.push(`${name}: ${part} is shown`);
	}
	return found;
}

/**
 * How far a part may be from its place in Chromium. Native form fields differ in size by some pixels between engines, and each
 * field moves everything below it.
 */
const MOST_PX = 12;
const LEAST_CONTRAST = 4.5;

/** Texts with too little contrast by WCAG. */
export const pale = (shots: readonly Shot[]): readonly string[] =>
	shots.flatMap(({ name, measured }) =>
		Object.entries(measured.contrast)
			.filter(([, ratio]) => ratio < LEAST_CONTRAST)
			.map(([part, ratio]) => `${name}: ${part} has a contrast of ${ratio}`),
	);
