import type { Department } from '../request/departments.ts';
import { isClosed, opensText } from '../request/model.ts';
import type { Texts } from '../words.ts';
import { h, say } from './dom.ts';
import { createHead } from './head.ts';
import type { Launcher } from './launcher.ts';

const style = new CSSStyleSheet();
style.replaceSync(CHOICE_STYLE);

/** The button of one workspace: its name, what a visitor gets there now, and when it opens. */
function createOption(department: Department, texts: Texts, onChoose: () => void) {
	const name = h('span', 'name', { dir: 'auto', translate: 'no' });
	const offer = h('small', '');
	const opens = h('small', '');
	const button = h('button', 'choice', { type: 'button' }, name, offer, opens);
	button.onclick = onChoose;
	return {
		button,
		show({ key, config }: Department): void {
			const closed = isClosed(config);
			say(name, config.name ?? key);
			say(offer, closed ? texts.lead : texts.submit);
			say(opens, closed ? opensText(config, texts) : '');
		},
		key: department.key,
	};
}
type Option = ReturnType<typeof createOption>;

/** The panel that asks which workspace the visitor wants. It stays in the launcher's frame until the visitor has chosen. */
export function createQuestion(
	{ host, root, frame, button: launcher, wear }: Launcher,
	texts: Texts,
	gestures: { readonly close: () => void; readonly choose: (key: string) => void },
) {
	const inline = host.hasAttribute('inline');
	const close = h('button', 'close', { type: 'button', 'aria-label': texts.close }, '\u00d7');
	const status = h('p', 'status', { role: 'status' });
	const list = h('div', 'choices');
	const panel = h(
		'section',
		'panel',
		{
			role: inline ? 'group' : 'dialog',
			'aria-labelledby': 'title',
			tabindex: '-1',
			...(!inline && { popover: 'manual' }),
		},
		createHead(host),
		h('h2', 'title', { id: 'title' }, texts.who),
		close,
		status,
		list,
	);
	let options: readonly Option[] = [];
	close.onclick = gestures.close;
	close.hidden = inline;
	if (!root.adoptedStyleSheets.includes(style)) root.adoptedStyleSheets.push(style);

	return {
		panel,
		focus: () => (options[0]?.button ?? panel).focus(),
		/** Shows the question in the frame, in place of what is there, or hides it. */
		raise(open: boolean): void {
			if (!panel.isConnected) {
				frame.querySelector('section')?.remove();
				Object.assign(frame, { className: 'choice', lang: texts.lang, dir: texts.dir }).append(panel);
			}
			launcher.hidden = open || inline;
			panel.hidden = !launcher.hidden;
			if (panel.popover) panel.togglePopover(open);
		},
		/**
		 * Shows the workspaces that have answered. `departments` is null as long as none has answered. The focus does not move.
		 */
		show(departments: readonly Department[] | null): void {
			say(status, departments ? '' : texts.idle);
			const shown = departments ?? [];
			if (shown[0]) wear(shown[0].config.look);
			const before = options;
			options = shown.map(
				(one) => before.find(({ key }) => key === one.key) ?? createOption(one, texts, () => gestures.choose(one.key)),
			);
			options.forEach((option, at) => {
				const one = shown[at];
				if (one) option.show(one);
			});
			if (`${options.map(({ key }) => key)}` === `${before.map(({ key }) => key)}`) return;
			const had = root.activeElement;
			list.replaceChildren(...options.map(({ button }) => button));
			if (had?.isConnected && list.contains(had) && had instanceof HTMLElement) had.focus();
			else if (had && (had === panel || !had.isConnected)) this.focus();
		},
	};
}

/**
 * The row above the panel of a workspace. It has a button that leads back to the question, and the name of the workspace.
 */
export function createBackRow(texts: Texts, onBack: () => void) {
	const back = h('button', 'back', { type: 'button' }, texts.back);
	const name = h('span', 'name', { dir: 'auto', translate: 'no' });
	back.onclick = onBack;
	return { row: h('div', 'head', {}, back, name), say: (text: string) => say(name, text) };
}
