import { describe, expect, it } from '@jest/globals';
import { findings } from '../support/browser/axe.ts';
import { soon, suiteStage, type Visit } from '../support/browser/stage.ts';

const stage = suiteStage();

const OPENER = '<button id="opener" data-callback-open>Call me</button>';
const OVERLAY =
	'style="position: fixed; inset: 0; z-index: 2147483647; background: #fff; transform: translateX(0); overflow: hidden"';
/** Takes the focus back after another element has received it, as Bootstrap does. */
const BOOTSTRAP = `document.addEventListener('focusin', ({ target }) => {
	if (!modal.contains(target)) document.querySelector('#opener').focus();
});`;
/** Takes the focus back before any other listener runs, and stops clicks outside of the modal, as focus-trap does. */
const FOCUS_TRAP = `document.addEventListener('focusin', (event) => {
		if (modal.contains(event.target)) return;
		event.stopImmediatePropagation();
		document.querySelector('#opener').focus();
	}, true);
	for (const type of ['mousedown', 'touchstart', 'click']) document.addEventListener(type, (event) => {
		if (modal.contains(event.target)) return;
		event.preventDefault();
		if (type === 'click') event.stopImmediatePropagation();
	}, { capture: true, passive: false });`;
const INERT = `for (const other of document.body.children) other.inert = !other.contains(modal);`;

/** Pages, each with its HTML and with the script that makes one element of the page (`modal`) modal. */
const modals = [
	['dialog.showModal()', `<dialog id="modal">${OPENER}</dialog>`, 'modal.showModal()'],
	[
		'a dialog in a dialog',
		`<dialog id="outer"><dialog id="modal">${OPENER}</dialog></dialog>`,
		'outer.showModal(); modal.showModal()',
	],
	[
		'the shadow root of a component',
		`<x-modal id="modal">${OPENER}</x-modal>`,
		`
		const root = modal.attachShadow({ mode: 'open' });
		const dialog = root.appendChild(document.createElement('dialog'));
		dialog.append(document.createElement('slot'));
		dialog.showModal();`,
	],
	[
		'an overlay with the rest inert',
		`<div id="modal" ${OVERLAY}>${OPENER}</div>`,
		`document.body.append(modal); ${INERT}`,
	],
	[
		"bootstrap's modal",
		`<div id="modal" role="dialog" aria-modal="true" aria-label="Offer" ${OVERLAY}>${OPENER}</div>`,
		BOOTSTRAP,
	],
	[
		'focus-trap, the rest inert',
		`<div id="modal" role="dialog" aria-modal="true" aria-label="Offer" ${OVERLAY}>${OPENER}</div>`,
		`document.body.append(modal); ${INERT} ${FOCUS_TRAP}`,
	],
	['a popover', `<div id="modal" popover>${OPENER}</div>`, 'modal.showPopover()'],
	['an element in full screen', `<div id="modal">${OPENER}</div>`, ''],
] as const;

async function inModal(body: string, script: string): Promise<Visit> {
	const visit = await stage.visit({ body });
	await visit.page.evaluate(
		`{ const modal = document.querySelector('#modal'); const outer = document.querySelector('#outer'); ${script} }`,
	);
	return visit;
}

describe.each(modals)('opened within %s', (name, body, script) => {
	it('the panel is in front, gets keys and clicks, and returns the focus when it closes', async () => {
		const visit = await inModal(body, script);
		if (name.includes('full screen'))
			await visit.page.evaluate(`document.querySelector('#modal').requestFullscreen().catch(() => {})`);
		await visit.page.locator('#opener').click();
		await visit.phone.waitFor();
		// A click at this place would reach the field, so nothing covers it.
		await visit.phone.click({ trial: true });
		expect(await visit.page.locator('[part=panel]:popover-open').count()).toBe(1);
		await visit.page.keyboard.type('+1 202 555 0101');
		expect(await visit.phone.inputValue()).toBe('+1 202 555 0101');
		await visit.name.click();
		await visit.page.keyboard.type('Ann Pin');
		expect(await visit.name.inputValue()).toBe('Ann Pin');
		await visit.page.keyboard.press('Tab');
		await visit.page.keyboard.press('Space');
		expect(await visit.consent.isChecked()).toBe(true);
		await visit.page.keyboard.press('Escape');
		await visit.panel.waitFor({ state: 'hidden' });
		expect(await visit.page.locator('#opener').isVisible()).toBe(true);
		expect(await visit.page.evaluate('document.activeElement.id')).toBe('opener');
		await visit.page.locator('#opener').click();
		expect(await visit.phone.inputValue()).toBe('+1 202 555 0101');
		Object.assign(visit.api.script, { status: 'ringing' });
		await visit.submit.click();
		await visit.reach('ringing');
		expect(visit.api.seen('call').map(({ body }) => body?.name)).toEqual(['Ann Pin']);
	});
});

describe('a live call in a dialog', () => {
	it.each([
		['closes', 'modal.close()'],
		['is removed', 'modal.remove()'],
		['goes with the whole body', `document.body.replaceWith(document.createElement('body'))`],
	])('stays on the page when the dialog %s', async (_, end) => {
		const visit = await inModal(`<dialog id="modal">${OPENER}</dialog>`, 'modal.showModal()');
		Object.assign(visit.api.script, { status: 'ringing' });
		await visit.page.locator('#opener').click();
		await visit.send();
		await visit.reach('ringing');
		await visit.page.evaluate(`{ const modal = document.querySelector('#modal'); ${end} }`);
		await visit.status.waitFor();
		await soon(
			async () =>
				(await visit.page.evaluate(`document.querySelector('call-back-widget').parentElement.localName`)) === 'body',
		);
		visit.api.script.status = 'connected';
		await visit.reach('connected');
		expect(await visit.panel.isVisible()).toBe(true);
		expect(await visit.page.locator('call-back-widget').count()).toBe(1);
		expect(await findings(visit.page)).toEqual([]);
	});

	it('can be opened again by the launcher on the page after the panel was closed', async () => {
		const visit = await inModal(`<dialog id="modal">${OPENER}</dialog>`, 'modal.showModal()');
		await visit.page.locator('#opener').click();
		await visit.phone.waitFor();
		expect(await visit.page.evaluate(`document.querySelector('call-back-widget').closest('dialog')?.id`)).toBe('modal');
		await visit.page.keyboard.press('Escape');
		await soon(
			async () =>
				(await visit.page.evaluate(`document.querySelector('call-back-widget').parentElement.localName`)) === 'body',
		);
		await visit.page.keyboard.press('Escape');
		await visit.launcher.click();
		await visit.phone.waitFor();
	});
});

const IS_FIELD = `({ tagName, isContentEditable }) => isContentEditable || ['INPUT', 'SELECT', 'TEXTAREA'].includes(tagName)`;
const shortcuts = (target: string, type: string, capture: boolean, condition: string) =>
	`${target}.addEventListener('${type}', (event) => { if (${condition}) { keys.push(event.key); event.preventDefault(); } }, ${capture})`;

describe('a page with its own keyboard shortcuts', () => {
	it('does not receive what is typed in the panel', async () => {
		// All of these listen on one page, and none of them may receive an event.
		const listen = [
			shortcuts('document', 'keydown', false, `!(${IS_FIELD})(document.activeElement)`),
			shortcuts('document', 'keydown', true, `!(${IS_FIELD})(event.target)`),
			shortcuts('document', 'keydown', true, 'true'),
			shortcuts('document.body', 'keypress', true, 'true'),
			shortcuts('window', 'keydown', true, 'true'),
			shortcuts('document', 'paste', true, 'true'),
			shortcuts('document', 'beforeinput', true, 'true'),
		].join(';');
		const visit = await stage.visit({ body: '<main tabindex="0" id="main">Text</main>' });
		await visit.page.evaluate(`globalThis.keys = []; ${listen}`);
		await visit.open();
		await visit.name.focus();
		await visit.page.keyboard.type('Ann Pin /?');
		expect(await visit.name.inputValue()).toBe('Ann Pin /?');
		await visit.page.keyboard.press('Control+a');
		await visit.page.keyboard.press('Control+c');
		await visit.page.keyboard.press('End');
		await visit.page.keyboard.press('Control+v');
		expect(await visit.name.inputValue()).toBe('Ann Pin /?Ann Pin /?');
		expect(await visit.page.evaluate('keys')).toEqual([]);
	});

	it('can use its shortcuts outside the panel, also on the launcher', async () => {
		const visit = await stage.visit({ body: '<input id="search">' });
		await visit.page.evaluate(`globalThis.keys = []; ${shortcuts('document', 'keydown', false, `event.key === '/'`)}`);
		await visit.open();
		await visit.page.keyboard.press('Escape');
		expect(await visit.focused()).toBe('launcher');
		await visit.page.keyboard.press('/');
		await visit.page.locator('#search').focus();
		await visit.page.keyboard.press('/');
		expect(await visit.page.evaluate('keys')).toEqual(['/', '/']);
	});

	it('does not disturb the panel, even if its library gets each key first and ignores only keys in a text field', async () => {
		const listen = shortcuts('window', 'keydown', true, `!(${IS_FIELD})(event.target)`);
		const pages = (widget: string) => ({
			'': `<!doctype html><html lang="en"><title>Acme</title><script>globalThis.keys = []; ${listen}</script><h1>Acme</h1>${widget}`,
		});
		const visit = await stage.visit({ pages });
		await visit.open();
		await visit.name.focus();
		await visit.page.keyboard.type('Ann Pin');
		expect(await visit.name.inputValue()).toBe('Ann Pin');
	});
});

describe('on paper', () => {
	it.each([
		['the launcher', { embed: '' }],
		['the panel', { embed: '' }],
		['the inline form', { element: 'inline' }],
	])('%s is not printed', async (what, options) => {
		const visit = await stage.visit(options);
		if (what === 'the panel') await visit.open();
		if (what === 'the inline form') await visit.phone.waitFor();
		await visit.page.addStyleTag({ content: 'call-back-widget { display: block }' });
		await visit.page.emulateMedia({ media: 'print' });
		expect([
			await visit.launcher.isVisible(),
			(await visit.panel.count()) > 0 && (await visit.panel.isVisible()),
		]).toEqual([false, false]);
		await visit.page.emulateMedia({ media: 'screen' });
		expect(await (what === 'the launcher' ? visit.launcher : visit.panel).isVisible()).toBe(true);
	});
});
