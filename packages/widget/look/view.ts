import {
	greets,
	introText,
	launcherText,
	type Model,
	moodOf,
	offersLead,
	showsForm,
	statusText,
	talkedText,
	titleText,
} from '../request/model.ts';
import type { Texts } from '../words.ts';
import { h, say } from './dom.ts';
import { createForm } from './form.ts';
import type { Gestures } from './gestures.ts';
import { createHead } from './head.ts';
import type { Launcher } from './launcher.ts';

const style = new CSSStyleSheet();
style.replaceSync(PANEL_STYLE);

/** Adds the style rules for the widget's panels. */
export function addPanelStyle({ adoptedStyleSheets: sheets }: ShadowRoot): void {
	if (!sheets.includes(style)) sheets.push(style);
}

function button(part: string, onClick: () => void, ...children: (Node | string)[]): HTMLButtonElement {
	const button = h('button', part, { type: 'button' }, ...children);
	button.onclick = onClick;
	return button;
}

/** Shows the seconds of a conversation as they pass. At the end, it shows the true duration. */
function createTimer() {
	const timer = h('span', 'timer', { role: 'timer', translate: 'no' });
	let ticking: ReturnType<typeof setInterval> | undefined;
	return {
		shown: timer,
		show(model: Model): void {
			const text = (): string => talkedText(model, performance.now());
			clearInterval(ticking);
			if (model.state === 'connected') ticking = setInterval(() => say(timer, text()), 1000);
			if (model.state === 'connected' || model.talkedSeconds !== null) say(timer, text());
			timer.hidden = !text() || model.state === 'sending';
		},
	};
}

/**
 * Puts the open panel into the browser's top layer, above any dialog of the page. A panel that is inline has no layer of
 * its own.
 */
function raise(panel: HTMLElement, open: boolean): void {
	if (panel.popover && panel.isConnected) panel.togglePopover(open);
}

/** Removes the previous panel from the frame, and copies what the visitor has typed there into the new panel. */
function replaceFormer(frame: HTMLElement, panel: HTMLElement): void {
	const former = frame.querySelector('section');
	former?.querySelectorAll<HTMLInputElement>('input[id]').forEach(({ id, value }) => {
		const same = panel.querySelector<HTMLInputElement>(`#${id}`);
		if (same) same.value = value;
	});
	former?.remove();
}

/** Builds everything once, next to the launcher. After that, `show` changes only what is different. */
export function createView(
	{ host, frame, button: launcher, say: sayLauncher, wear }: Launcher,
	texts: Texts,
	inline: boolean,
	gestures: Gestures,
) {
	const form = createForm(texts, gestures);
	const steps = texts.steps.map((text) => h('li', 'step', {}, text));
	const progress = h('ol', 'steps', {}, ...steps);
	const close = button('close', gestures.close, '\u00d7');
	const title = h('h2', 'title', { id: 'title' });
	const intro = h('small', '');
	const status = h('p', 'status', { role: 'status' });
	const number = h('bdi', '', { dir: 'ltr', translate: 'no' });
	const lead = button('lead', gestures.later, texts.lead);
	const timer = createTimer();
	const cancel = button('cancel', gestures.cancel, texts.cancel);
	const again = button('again', gestures.again, texts.again);
	const panel = h('section', 'panel', {
		role: inline ? 'group' : 'dialog',
		'aria-labelledby': 'title',
		tabindex: '-1',
		...(!inline && { popover: 'manual' }),
	});
	panel.append(createHead(host), title, close, intro, form.element, h('div', 'orb', {}, h('i', '')));
	panel.append(status, number, timer.shown, progress, cancel, lead, again);
	Object.assign(frame, { lang: texts.lang, dir: texts.dir });
	replaceFormer(frame, panel);
	frame.append(panel);
	close.setAttribute('aria-label', texts.close);
	close.hidden = inline;

	return {
		panel,
		inputs: form.inputs,
		/**
		 * Moves the focus to the form, or to the panel if no form is shown. Called when the panel opens, and when the focus has
		 * to move.
		 */
		focus: (model: Model) => (showsForm(model) ? form.first(model) : panel).focus(),
		show(model: Model): void {
			const { state, step, config } = model;
			const live = moodOf(state) === 'live';
			form.show(model);
			frame.className = `${showsForm(model) ? 'form' : 'call'} ${moodOf(state)} ${state}`;
			launcher.hidden = model.open || inline;
			panel.hidden = !launcher.hidden;
			raise(panel, model.open);
			// While a call is under way, the launcher stays visible, even if the team is closed.
			if (step !== null) launcher.removeAttribute('away');
			const sending = state === 'sending';
			sayLauncher(launcherText(model, texts));
			const greeting = wear(config?.look);
			say(title, (greets(model) && greeting) || titleText(model, texts));
			say(intro, introText(model, texts));
			say(status, statusText(model, texts));
			say(number, model.phone);
			lead.hidden = !offersLead(model);
			again.hidden = live || state === 'lead_sent';
			progress.hidden = step === null || sending;
			cancel.hidden = !model.mayCancel || sending;
			timer.show(model);
			steps.forEach((item, at) => {
				if (at === step) item.setAttribute('aria-current', 'step');
				else item.removeAttribute('aria-current');
			});
		},
	};
}
export type PanelView = ReturnType<typeof createView>;
