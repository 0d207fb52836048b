import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { languages } from '../../shared/domain/workspaces/language.ts';
import { findings } from '../support/browser/axe.ts';
import { misfitsNow } from '../support/browser/misfits.ts';
import { calling } from '../support/browser/scripted-api.ts';
import { soon, suiteStage, type Visit, type VisitOptions } from '../support/browser/stage.ts';
import { spreadOf } from '../support/spread-of.ts';

const stage = suiteStage();

/** Takes a visitor through every state of the widget, and calls `look` in each. */
async function throughEveryState(visit: Visit, look: (state: string) => Promise<void>): Promise<void> {
	const { api, page, submit, lead, again, reach } = visit;
	await visit.launcher.waitFor();
	await look('launcher');
	api.hitch('config', 'hold');
	await visit.launcher.click();
	await soon(() => api.holding() === 1);
	await look('loading');
	api.release();
	await visit.phone.waitFor();
	await look('idle');
	await submit.click();
	await page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
	await look('wrong');
	api.hitch('call', 'hold');
	await visit.send();
	await reach('sending');
	await soon(() => api.holding() === 1);
	await look('sending');
	api.release();
	for (const state of ['requested', 'ringing', 'connected', 'completed'] as const) {
		api.script.status = state;
		await reach(state);
		await look(state);
	}
	for (const state of ['canceled', 'failed'] as const) {
		api.script.status = state;
		await again.click();
		await submit.click();
		await reach(state);
		await look(state);
	}
	await lead.click();
	await visit.note.waitFor();
	await look('later');
	await visit.consent.check();
	await submit.click();
	await reach('lead_sent');
	await look('lead_sent');
	await page.keyboard.press('Escape');
	await visit.launcher.click();
	await visit.phone.waitFor();
	await visit.fill();
	await visit.consent.check();
	api.hitch(
		'call',
		{ code: 'calls_unavailable' },
		{ code: 'outside_business_hours', extra: { next_open_at: '2026-11-23T08:00:00.000Z' } },
	);
	await submit.click();
	await reach('error');
	await look('error');
	await submit.click();
	await reach('closed');
	await look('closed');
}

/**
 * Every element that reaches beyond the left or right edge of the screen, and every button and input that is smaller than a
 * fingertip (44 px).
 */
const MISFITS = `(() => {
	const shown = [...root.querySelectorAll('*')].filter((e) => e.checkVisibility());
	const wide = shown.filter((e) => { const r = e.getBoundingClientRect(); return r.left < 0 || r.right > innerWidth; });
	const small = shown.filter((e) => {
		const { width, height } = (e.closest('label') ?? e).getBoundingClientRect();
		return e.matches('button, input') && (width < 44 || height < 44);
	});
	return [...wide, ...small].map((e) => e.outerHTML.slice(0, 80));
})()`;

const NARROW = { width: 320, height: 640 };
/** A shop in this country. It also calls numbers of the US, because the visitor enters a US number. */
const shopIn = (region: string): Pick<VisitOptions, 'prepare'> => ({
	prepare: ({ script }) => Object.assign(script.config, calling(region, 'US')),
});

const looks: Record<string, VisitOptions> = {
	'in light': {},
	'in German and in the dark, 320 px wide': {
		root: 'lang="de"',
		context: { colorScheme: 'dark', viewport: NARROW },
		...shopIn('DE'),
	},
	'in French, 320 px wide': { root: 'lang="fr"', context: { viewport: NARROW }, ...shopIn('FR') },
	'from right to left, 320 px wide': { root: 'lang="ar" dir="rtl"', context: { viewport: NARROW } },
	'in Spanish and in forced colours, 320 px wide': {
		root: 'lang="es"',
		context: { forcedColors: 'active', viewport: NARROW },
		...shopIn('IT'),
	},
	'in Italian, 320 px wide': { root: 'lang="it"', context: { viewport: NARROW }, ...shopIn('IT') },
	'in Dutch, 320 px wide': { root: 'lang="nl"', context: { viewport: NARROW }, ...shopIn('NL') },
	'in Polish and in the dark, 320 px wide': {
		root: 'lang="pl"',
		context: { colorScheme: 'dark', viewport: NARROW },
		...shopIn('PL'),
	},
	'in Portuguese, 390 px wide': {
		root: 'lang="pt-PT"',
		context: { viewport: { width: 390, height: 844 } },
		...shopIn('PT'),
	},
	'in Turkish, 320 px wide': { root: 'lang="tr"', context: { viewport: NARROW }, ...shopIn('TR') },
};

/**
 * The visits that axe-core checks: in light and dark colours, in a language that is written from right to left, and in forced
 * colours. Other languages need no check, because axe-core does not read words.
 */
const BY_AXE: readonly string[] = [
	'in light',
	'from right to left, 320 px wide',
	'in German and in the dark, 320 px wide',
	'in Spanish and in forced colours, 320 px wide',
];
/** `npm test` runs axe-core in light and dark colours. The other two visits only have to fit. */
const checked = spreadOf(BY_AXE, 2);

const all = Object.entries(looks);
const others = all.filter(([name]) => !BY_AXE.includes(name));

describe.each([...all.filter(([name]) => BY_AXE.includes(name)), ...spreadOf(others, 6)])('%s', (name, options) => {
	const isByAxe = checked.includes(name);
	const alsoByAxe = isByAxe ? ', and axe-core finds nothing' : '';

	it(`nothing is cut off in any state, and every target is large enough${alsoByAxe}`, async () => {
		const visit = await stage.visit({
			...options,
			context: { viewport: { width: 480, height: 700 }, ...options.context },
		});
		const found: string[] = [];
		await throughEveryState(visit, async (state) => {
			const misfits = await visit.inside<string[]>(MISFITS);
			const cut = await misfitsNow(visit.page);
			const faults = isByAxe ? await findings(visit.page) : [];
			found.push(...[...misfits, ...cut, ...faults].map((finding) => `${state}: ${finding}`));
		});
		expect(found).toEqual([]);
		expect(visit.troubles).toEqual([]);
	});
});

/** The font of the test browser, an eighth wider. It is then as wide as Verdana and DejaVu, which many systems use. */
const WIDE_FONT = `<style>
	@font-face { font-family: Wide; src: local('Open Sans Bold'); font-weight: 600; size-adjust: 113% }
	html { font-family: Wide, sans-serif }
</style>`;
/** The space in pixels between the words of neighbouring steps of a call. */
const ROOM = `(() => {
	const words = [...root.querySelectorAll('li')].map((step) => {
		const text = document.createRange();
		text.selectNodeContents(step);
		return text.getBoundingClientRect();
	});
	return words.slice(1).map(({ left, right }, at) => Math.max(left - words[at].right, words[at].left - right));
})()`;

describe('in a wide font', () => {
	it.each(spreadOf(languages, 5))('the steps of a call fit on phones: %s', async (language) => {
		const visit = await stage.visit({ root: `lang="${language}"`, body: WIDE_FONT });
		visit.api.script.status = 'ringing';
		await visit.open();
		await visit.send();
		await visit.reach('ringing');
		const found: string[] = [];
		for (const width of [320, 360, 375, 390, 412]) {
			await visit.page.setViewportSize({ width, height: 844 });
			await visit.page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
			found.push(...(await misfitsNow(visit.page)).map((misfit) => `${width} px: ${misfit}`));
			const room = Math.min(...(await visit.inside<readonly number[]>(ROOM)));
			if (room < 2) found.push(`${width} px: ${room} px between two steps`);
		}
		expect(found).toEqual([]);
	});
});

const ACCENTS = [
	'#1c3d8f',
	'#5b3df5',
	'#0a6c4d',
	'#5bdcaa',
	'#000',
	'#fff',
	'#ffd400',
	'#e60023',
	'#777',
	'#0000ff',
	'#00ff00',
	'hotpink',
	'color(display-p3 1 0.2 0)',
];
/**
 * Parts of the widget, each with the contrast that WCAG requires, and a function that returns its two colours from the shadow
 * root.
 */
const MEASURED = [
	[
		'text on a button',
		4.5,
		`(root, style) => { const b = style('form button'); return [b.color, b.backgroundColor]; }`,
	],
	[
		'text on the launcher',
		4.5,
		`(root, style) => { const b = style('[part=launcher]'); return [b.color, b.backgroundColor]; }`,
	],
	[
		'a step of the call',
		4.5,
		`(root, style) => [style('li', '::after').borderTopColor, style('section').backgroundColor]`,
	],
	[
		'the sign of a conversation',
		3,
		`(root, style) => { const o = style('[part=orb]'); return [o.color, o.backgroundColor]; }`,
	],
	[
		'the outline of the focus',
		3,
		`(root, style) => {
			root.querySelector('[part=close]').focus();
			return [style('[part=close]').outlineColor, style('section').backgroundColor];
		}`,
	],
] as const;
/** Gives the widget this accent colour, and measures the contrast ratio of each part as WCAG 2.2 defines it. */
const CONTRAST = `(accent, parts) => {
	const [old] = document.querySelectorAll('call-back-widget');
	const probe = old.cloneNode();
	probe.setAttribute('accent', accent);
	document.body.append(probe);
	for (const name of ['--callback-accent', '--callback-on-accent', '--ink']) {
		old.style.setProperty(name, probe.style.getPropertyValue(name));
	}
	probe.remove();
	const root = old.shadowRoot;
	const style = (selector, pseudo) => getComputedStyle(root.querySelector(selector), pseudo);
	const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
	const luminance = (color) => {
		canvas.fillStyle = color;
		canvas.fillRect(0, 0, 1, 1);
		const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
		const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => linear(value / 255));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	return parts.map((colorsOf) => {
		const [less, more] = colorsOf(root, style).map(luminance).sort((a, b) => a - b);
		return (more + 0.05) / (less + 0.05);
	});
}`;

describe('the widget in the style of its site', () => {
	it.each([
		['on a page that is dark for this visitor, dark', 'dark', '', 'dark'],
		['on a page that is light, light', 'light', '', 'light'],
		['where the page says light, light', 'dark', 'data-theme="light"', 'light'],
		['where the page says dark, dark', 'light', 'data-theme="dark"', 'dark'],
	] as const)('has the page’s colour scheme: %s', async (_, colorScheme, embed, expected) => {
		const visit = await stage.visit({ context: { colorScheme }, embed });
		await visit.open();
		const background = await visit.inside("getComputedStyle(root.querySelector('section')).backgroundColor");
		expect(background).toBe(expected === 'dark' ? 'rgb(18, 18, 18)' : 'rgb(255, 255, 255)');
	});

	it.each(['light', 'dark'] as const)('keeps every accent readable in %s', async (colorScheme) => {
		const visit = await stage.visit({ context: { colorScheme }, element: '' });
		visit.api.script.status = 'connected';
		await visit.open();
		await visit.send();
		await visit.reach('connected');
		const found: string[] = [];
		const parts = MEASURED.map(([, , colorsOf]) => colorsOf).join(', ');
		for (const accent of ACCENTS) {
			const contrasts = await visit.page.evaluate<readonly number[]>(`(${CONTRAST})('${accent}', [${parts}])`);
			for (const [n, [part, need]] of MEASURED.entries()) {
				const contrast = contrasts[n] ?? 0;
				if (contrast < need) found.push(`${accent} ${part}: ${contrast.toFixed(2)}`);
			}
		}
		expect(found).toEqual([]);
	});

	it.each([
		['the shop saved', {}, 'rgb(28, 61, 143)', 'Ask Ida'],
		['its own attributes name', { embed: 'data-accent="#e60023" data-greeting="Hi"' }, 'rgb(230, 0, 35)', 'Hi'],
		[
			'its own styles name',
			{ body: '<style>call-back-widget { --callback-accent: #e60023 }</style>' },
			'rgb(230, 0, 35)',
			'Ask Ida',
		],
	] as const)(
		'gets its colour and its greeting from the look that %s, without another request',
		async (_, page, colour, title) => {
			const look = { accent: '#1c3d8f', greeting: 'Ask Ida' };
			const visit = await stage.visit({ ...page, prepare: ({ script }) => Object.assign(script.config, { look }) });
			expect(visit.api.seen('config')).toEqual([]);
			await visit.open();
			expect(await visit.inside("getComputedStyle(root.querySelector('form button')).backgroundColor")).toBe(colour);
			expect(await visit.inside("getComputedStyle(root.querySelector('[part=launcher]')).backgroundColor")).toBe(
				colour,
			);
			expect(await visit.inside("root.querySelector('h2').textContent")).toBe(title);
			expect(visit.api.seen('config').length).toBe(1);
		},
	);

	it('has the colour that the shop saved, also if the launcher is hidden outside the opening hours', async () => {
		const look = { accent: '#1c3d8f', greeting: null };
		const prepare: VisitOptions['prepare'] = ({ script }) => Object.assign(script.config, { look });
		const visit = await stage.visit({ embed: 'data-when-closed="hide"', prepare });
		await visit.launcher.waitFor();
		expect(await visit.inside("getComputedStyle(root.querySelector('[part=launcher]')).backgroundColor")).toBe(
			'rgb(28, 61, 143)',
		);
	});

	it('reserves no space for texts that are absent, and its close button has no border in forced colours', async () => {
		const visit = await stage.visit({ context: { forcedColors: 'active' } });
		await visit.open();
		const gap = `root.querySelector('[part=submit]').getBoundingClientRect().top
			- root.querySelector('[part=consent]').getBoundingClientRect().bottom`;
		expect(await visit.inside(gap)).toBeLessThanOrEqual(16);
		expect(await visit.inside("getComputedStyle(root.querySelector('[part=close]')).borderStyle")).toBe('none');
	});

	it('removes the error once the visitor has changed the field', async () => {
		const visit = await stage.visit();
		await visit.open();
		await visit.submit.click();
		const said = () => visit.page.getByRole('alert').filter({ hasText: /\S/ }).allTextContents();
		expect(await said()).toEqual(['Please enter your phone number.', 'Please tick this box first.']);
		await visit.phone.fill('2');
		expect(await said()).toEqual(['Please tick this box first.']);
		await visit.consent.check();
		expect(await said()).toEqual([]);
		expect(await visit.inside("root.querySelectorAll('[aria-invalid=true]').length")).toBe(0);
	});

	it('outlines an invalid field in the error colour', async () => {
		const visit = await stage.visit();
		await visit.open();
		await visit.submit.click();
		await visit.page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
		const color = (selector: string, property: string) =>
			visit.inside(`getComputedStyle(root.querySelector('${selector}')).${property}`);
		expect(await color('#tel', 'outlineColor')).toBe(await color('[role=alert]', 'color'));
	});

	it('can be styled by the page in the parts that docs/widget-reference.md names', async () => {
		const [, sentence = ''] =
			/^You can style five parts: (.*)\. Other/m.exec(readFileSync('docs/widget-reference.md', 'utf8')) ?? [];
		const parts = [...sentence.matchAll(/`(\w+)`/g)].map(([, part = '']) => part);
		expect(parts).toHaveLength(5);
		const rules = parts.map((part) => `call-back-widget::part(${part}) { outline-offset: 7px }`);
		const visit = await stage.visit({ body: `<style>${rules.join('\n')}</style>` });
		await visit.open();
		for (const part of parts) {
			const offset = await visit.inside(`getComputedStyle(root.querySelector('[part=${part}]')).outlineOffset`);
			expect([part, offset]).toEqual([part, '7px']);
		}
	});

	it('uses the page’s colours, corners and font, and no style of the page reaches it otherwise', async () => {
		const visit = await stage.visit({
			body: `<style>
				call-back-widget { --callback-accent: rgb(1, 2, 3); --callback-radius: 3px; font-family: monospace }
				call-back-widget::part(submit) { text-transform: uppercase }
				* { color: red !important; margin: 40px } button { display: none }
			</style>`,
		});
		await visit.open();
		const style = (property: string) => visit.inside(`getComputedStyle(root.querySelector('form button')).${property}`);
		expect(await style('backgroundColor')).toBe('rgb(1, 2, 3)');
		expect(await style('borderRadius')).toBe('3px');
		expect(await style('fontFamily')).toBe('monospace');
		expect(await style('textTransform')).toBe('uppercase');
		expect(await style('color')).toBe('rgb(255, 255, 255)');
	});

	it.each(['html', 'body'])('fits the screen of a phone on a page that zooms its %s', async (zoomed) => {
		const visit = await stage.visit({
			context: { viewport: { width: 390, height: 700 } },
			body: `<style>${zoomed} { zoom: 1.25 }</style>`,
		});
		await visit.open();
		const [left, top, right, bottom] = await visit.inside<[number, number, number, number]>(
			"(({ left, top, right, bottom }) => [left, top, right, bottom])(root.querySelector('section').getBoundingClientRect())",
		);
		expect([left >= 0, top >= 0, right <= 390, bottom <= 700]).toEqual([true, true, true, true]);
		await visit.send();
		await visit.reach('requested');
	});

	it('keeps its text size, spacing and line breaks if the page styles every element', async () => {
		const visit = await stage.visit({
			body: '<style>* { font-size: 11px; white-space: nowrap; letter-spacing: 3px; text-transform: uppercase }</style>',
		});
		await visit.open();
		const style = (property: string) => visit.inside(`getComputedStyle(root.querySelector('h2')).${property}`);
		expect(await style('fontSize')).toBe('20px');
		expect(await style('whiteSpace')).toBe('normal');
		expect(await style('letterSpacing')).toBe('normal');
		expect(await style('textTransform')).toBe('none');
	});

	it('does not animate for visitors who prefer reduced motion, and animates for others', async () => {
		for (const [reducedMotion, moves] of [
			['reduce', false],
			['no-preference', true],
		] as const) {
			const visit = await stage.visit({ context: { reducedMotion } });
			visit.api.script.status = 'ringing';
			await visit.open();
			await visit.send();
			await visit.reach('ringing');
			const running = await visit.inside('root.getAnimations().length');
			expect(running !== 0).toBe(moves);
		}
	});
});

describe('in the language of the page', () => {
	it.each(
		spreadOf(
			[
				['lang="es"', '', 'Le llamamos ahora mismo', 'ltr'],
				['lang="fr-CA"', '', 'Nous vous appelons tout de suite', 'ltr'],
				['lang="es"', 'data-lang="de"', 'Wir rufen Sie sofort an', 'ltr'],
				['lang="de_DE"', '', 'Wir rufen Sie sofort an', 'ltr'],
				['lang=" PT_br.UTF-8"', '', 'Ligamos para você agora mesmo', 'ltr'],
				['lang="fra"', '', 'Nous vous appelons tout de suite', 'ltr'],
				['lang="x"', 'data-lang="es_419"', 'Le llamamos ahora mismo', 'ltr'],
				['lang="ar"', '', 'نتصل بك الآن', 'rtl'],
				['lang="tlh"', '', "We'll call you right now", 'ltr'],
				['', '', "We'll call you right now", 'ltr'],
			] as const,
			2,
		),
	)('<html %s> and the embed %s give "%s"', async (root, embed, title, direction) => {
		const visit = await stage.visit({ root, embed });
		await visit.open();
		await visit.page.getByRole('heading', { name: title }).waitFor();
		expect(await visit.inside("root.querySelector('section').matches(':dir(rtl)')")).toBe(direction === 'rtl');
		expect(await visit.inside("root.querySelector('[type=tel]').matches(':dir(rtl)')")).toBe(false);
	});

	it('a name is shown in its own direction, at the side where the form begins', async () => {
		for (const [lang, side] of [
			['ar', 'right'],
			['en', 'start'],
		]) {
			const visit = await stage.visit({ root: `lang="${lang}"` });
			await visit.open();
			for (const [name, direction] of [
				['Ada Lovelace, Ph.D.', 'ltr'],
				['د. هدى (القاهرة)', 'rtl'],
			] as const) {
				await visit.page.locator('#name').fill(name);
				const [reads, stands] = await visit.inside<[boolean, string]>(
					"(input => [input.matches(':dir(ltr)'), getComputedStyle(input).textAlign])(root.querySelector('#name'))",
				);
				expect([lang, name, reads ? 'ltr' : 'rtl', stands]).toEqual([lang, name, direction, side]);
			}
			await visit.page.close();
		}
	});

	it('the widget stays English when the texts cannot be loaded', async () => {
		const visit = await stage.visit({
			root: 'lang="de"',
			csp: ({ cdn, api }) => `script-src ${cdn}; connect-src ${api}`,
		});
		await visit.open();
		await visit.page.getByRole('heading', { name: "We'll call you right now" }).waitFor();
	});
});

describe('under a strict Content-Security-Policy', () => {
	it('a whole call succeeds without a policy violation', async () => {
		const visit = await stage.visit({
			csp: ({ cdn, api }) =>
				`default-src 'none'; script-src ${cdn}; connect-src ${api}; require-trusted-types-for 'script'; trusted-types 'none'`,
			embed: `integrity="${stage.manifest.integrity}" crossorigin="anonymous" data-accent="#1c3d8f" data-avatar="Ida"`,
		});
		await throughEveryState(visit, async () => {});
		expect(await visit.inside("getComputedStyle(root.querySelector('[part=launcher]')).backgroundColor")).toBe(
			'rgb(28, 61, 143)',
		);
		expect(await visit.page.evaluate('violations')).toEqual([]);
		expect(visit.troubles).toEqual([]);
	});
});
