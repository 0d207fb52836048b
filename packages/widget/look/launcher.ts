import type { Config } from '../config.ts';
import { languageOf } from '../language.ts';
import { scriptUrl } from '../script.ts';
import { applyAccent } from './accent.ts';
import { h, say } from './dom.ts';

const style = new CSSStyleSheet();
style.replaceSync(STYLE);

/** The parts that exist from the start: the frame for the panel, and the button that opens it. */
export type Launcher = {
	readonly host: HTMLElement;
	readonly root: ShadowRoot;
	readonly frame: HTMLElement;
	/** The attribute `away` hides it until the team is known to be there. */
	readonly button: HTMLButtonElement;
	readonly label: HTMLElement;
	/** The API, ending in /v1; by default on the script's own host. */
	readonly baseUrl: string;
	readonly language: string;
	/** Applies the shop's look and returns the greeting. The page's own wins: its attributes, and its styles for the element. */
	wear(look: Config['look']): string | null | undefined;
	/** Shows that the panel could not be loaded; the next click tries again. */
	fail(): void;
};

/** Builds the frame in `host`. Calls `onInterest` when a visitor approaches the button, `onOpen` at a click. */
export function createLauncher(host: HTMLElement, onOpen: () => void, onInterest: () => void): Launcher {
	const language = languageOf(host.lang || document.documentElement.lang, Object.keys(LAUNCHER_TEXTS));
	const { launcher = '', unreachable = '', dir = '' } = LAUNCHER_TEXTS[language] ?? {};
	const label = h('span', '', {}, launcher);
	const button = h('button', 'launcher', { type: 'button' }, h('i', ''), label);
	const frame = h('div', '', { lang: language, dir }, button);
	const root = host.attachShadow({ mode: 'open' });
	const shopLook = new CSSStyleSheet();
	applyAccent(host.style, host.getAttribute('accent'));
	button.ariaHasPopup = 'dialog';
	button.hidden = host.hasAttribute('inline');
	button.toggleAttribute('away', !button.hidden && host.getAttribute('when-closed') === 'hide');
	button.onclick = onOpen;
	button.onpointerenter = button.onfocus = onInterest;
	root.adoptedStyleSheets = [style, shopLook];
	root.append(frame);
	return {
		host,
		root,
		frame,
		button,
		label,
		language,
		baseUrl: (host.getAttribute('base-url') ?? `${scriptUrl.origin}/v1`).replace(/\/+$/, ''),
		wear(look) {
			shopLook.replaceSync(':host{}');
			const [rule] = shopLook.cssRules;
			if (rule instanceof CSSStyleRule) applyAccent(rule.style, look?.accent);
			return host.getAttribute('greeting') || look?.greeting;
		},
		fail: () => say(label, unreachable),
	};
}
