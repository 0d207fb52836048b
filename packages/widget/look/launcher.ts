import type { Config } from '../config.ts';
import { languageOf } from '../language.ts';
import { createMemory } from '../request/memory.ts';
import { type Request, request } from '../request/request.ts';
import { scriptUrl } from '../script.ts';
import { guard } from '../tell.ts';
import { workspaceKeysOf } from '../workspace-key.ts';
import { applyAccent } from './accent.ts';
import { h, say } from './dom.ts';

/** The parts that exist from the start: the frame for the panel, and the button that opens it. */
export type Launcher = {
	readonly host: HTMLElement;
	readonly root: ShadowRoot;
	readonly frame: HTMLElement;
	/** The attribute `away` hides the button while the team is not known to be open (see away.ts). */
	readonly button: HTMLButtonElement;
	/**
	 * Sets the text of the button. The launcher and the panel both use this function: they are in two files, and each knows
	 * only the texts that it has set itself.
	 */
	readonly say: (text: string) => void;
	/** The address of the API, ending in /v1. By default, it is on the same host as the script. */
	readonly baseUrl: string;
	/** The address of the script. The other files are next to it. */
	readonly scriptUrl: string;
	readonly language: string;
	/** The keys of the workspaces. If there are several, the visitor chooses a workspace. */
	readonly keys: readonly string[];
	/** Returns the memory of the call that this tab has requested with a key. */
	readonly memoryOf: typeof createMemory;
	/** The function that sends requests. The panel uses it, too. */
	readonly request: Request;
	/** Reads the attributes of the element. */
	read(): void;
	/** Puts the button into the browser's top layer, where no style of the page can move or cover it. */
	raise(): void;
	/**
	 * Applies the shop's look and returns its greeting. The page's own look and greeting, in the element's attributes or in
	 * styles for the element, are used instead of the shop's.
	 */
	wear(look: Config['look']): string | null | undefined;
	/** Shows that the panel could not be loaded. The next click tries again. */
	fail(): void;
};

/**
 * Builds the frame in `host`. Calls `onInterest` when a visitor comes near the button, and `onOpen` when the visitor clicks
 * it.
 */
export function createLauncher(
	host: HTMLElement,
	onOpen: () => void,
	onInterest: (scriptUrl: string) => void,
): Launcher {
	const label = h('span', '');
	const button = h(
		'button',
		'launcher',
		{ type: 'button', popover: 'manual', 'aria-haspopup': 'dialog' },
		h('i', ''),
		label,
	);
	const frame = h('div', '', {}, button);
	const root = host.attachShadow({ mode: 'open' });
	// The style sheets are made here and not when the file is loaded. In a browser that cannot construct a style sheet, `new
	// CSSStyleSheet()` throws. If a page bundles the widget, an error at loading would stop the page's own script.
	const style = new CSSStyleSheet();
	const shopLook = new CSSStyleSheet();
	style.replaceSync(STYLE);
	const launcher: Launcher = {
		host,
		root,
		frame,
		button,
		say: (text) => say(label, text),
		get language() {
			return languageOf(host.lang || document.documentElement.lang, Object.keys(LAUNCHER_TEXTS));
		},
		get keys() {
			return workspaceKeysOf(host);
		},
		memoryOf: createMemory,
		request,
		get scriptUrl() {
			return host.getAttribute('script-url') || scriptUrl;
		},
		get baseUrl() {
			const ownHost = `${/^\w+:\/\/[^/]*/.exec(launcher.scriptUrl)}/v1`;
			return (host.getAttribute('base-url') ?? ownHost).replace(/^[^\w/]+|\W+$/g, '');
		},
		read() {
			const { language } = launcher;
			Object.assign(frame, { lang: language, dir: LAUNCHER_TEXTS[language]?.dir });
			launcher.say(LAUNCHER_TEXTS[language]?.launcher ?? '');
			applyAccent(host.style, host.getAttribute('accent'));
			button.hidden = host.hasAttribute('inline');
			button.toggleAttribute('away', !button.hidden && host.getAttribute('when-closed') === 'hide');
		},
		raise: () => void button.togglePopover?.(true),
		wear(look) {
			shopLook.replaceSync(':host{}');
			const [rule] = shopLook.cssRules;
			if (rule instanceof CSSStyleRule) applyAccent(rule.style, look?.accent);
			return host.getAttribute('greeting') || look?.greeting;
		},
		fail: () => launcher.say(LAUNCHER_TEXTS[launcher.language]?.unreachable ?? ''),
	};
	button.onclick = onOpen;
	button.onpointerenter = button.onfocus = () => guard(() => onInterest(launcher.scriptUrl));
	root.adoptedStyleSheets.push(style, shopLook);
	root.append(frame);
	launcher.read();
	return launcher;
}
