import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { findings } from './support/axe.ts';
import { openStage, type VisitOptions } from './support/stage.ts';

let stage: Awaited<ReturnType<typeof openStage>>;
beforeAll(async () => {
	stage = await openStage();
});
afterEach(() => stage.clear());
afterAll(() => stage.close());

const LOGO = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30"/>')}`;
const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

describe.each<[string, VisitOptions['context']]>([
	['on a phone', PHONE],
	['in the dark', { colorScheme: 'dark' }],
])('%s', (_, context = {}) => {
	it.each([
		['a dark', '#1c3d8f', 'rgb(28, 61, 143)', [1, 1, 1]],
		['a light', 'gold', 'rgb(255, 215, 0)', [0, 0, 0]],
	] as const)(
		'%s accent colours launcher and button, and the text on it can be read',
		async (_name, accent, colour, on) => {
			const visit = await stage.visit({ context, embed: `data-accent="${accent}"` });
			const style = (selector: string, property: string) =>
				visit.inside<string>(`getComputedStyle(root.querySelector('${selector}')).${property}`);
			expect(await style('[part=launcher]', 'backgroundColor')).toBe(colour);
			await visit.open();
			expect(await style('[part=submit]', 'backgroundColor')).toBe(colour);
			// As pixels: the browser names the colour in the space that it was calculated in.
			const pixel = await visit.page.evaluate(
				`(() => { const c = new OffscreenCanvas(1, 1).getContext('2d'); c.fillStyle = ${JSON.stringify(await style('[part=submit]', 'color'))};
				c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data].slice(0, 3).map((v) => Math.round(v / 255)); })()`,
			);
			expect(pixel).toEqual(on);
			expect(await findings(visit.page)).toEqual([]);
		},
	);

	it('logo, greeting and initials stand above the form, fit, and leave nothing for axe-core', async () => {
		const looks = `data-logo="${LOGO}" data-greeting="Hi, we are Ilex. Shall we ring you?" data-avatar="Ida Wells"`;
		const visit = await stage.visit({ context, embed: looks });
		await visit.open();
		await visit.page.getByRole('heading', { name: 'Hi, we are Ilex. Shall we ring you?' }).waitFor();
		expect(await visit.inside("root.querySelector('[part=avatar]').textContent")).toBe('IW');
		expect(await visit.inside("root.querySelector('[part=name]').textContent")).toBe('Ida Wells');
		expect(await visit.inside("root.querySelector('[part=logo]').getBoundingClientRect().height")).toBe(32);
		const overlap = `(() => { const a = root.querySelector('[part=head]').lastChild.getBoundingClientRect();
			const b = root.querySelector('[part=close]').getBoundingClientRect(); return a.right > b.left && a.top < b.bottom; })()`;
		expect(await visit.inside(overlap)).toBe(false);
		expect(await findings(visit.page)).toEqual([]);
		expect(await visit.page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
		expect(visit.troubles).toEqual([]);
	});
});

describe('an avatar', () => {
	it('with an address is an image', async () => {
		const visit = await stage.visit({ embed: `data-avatar="${LOGO}"` });
		await visit.open();
		expect(await visit.inside("root.querySelector('img[part=avatar]').alt")).toBe('');
	});

	it('with a long name leaves room for the name, the logo and the close button', async () => {
		const name = 'Maximiliane-Alexandra von Hohenlohe-Langenburg';
		const visit = await stage.visit({
			embed: `data-avatar="${name}" data-logo="${LOGO}"`,
			context: { viewport: { width: 320, height: 640 } },
		});
		await visit.open();
		const cut = `[...root.querySelectorAll('[part=head] *')].filter((e) => e.scrollWidth > e.clientWidth + 1
			|| e.getBoundingClientRect().right > root.querySelector('[part=close]').getBoundingClientRect().left
				&& e.getBoundingClientRect().top < root.querySelector('[part=close]').getBoundingClientRect().bottom).length`;
		expect(await visit.inside(cut)).toBe(0);
		await visit.page.getByText(name).waitFor();
	});
});
