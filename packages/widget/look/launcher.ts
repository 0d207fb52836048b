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
	/** The attribute `away` hides it until the team is known to be there. */
	readonly button: HTMLButtonElement;
	/** Sets the button's text: the launcher and the panel are two files, of which each knows only what it has said. */
	readonly say: (text: string) => void;
	/** The API, ending in /v1; by default on the script's own host. */
	readonly baseUrl: string;
	/** The address of the script that the other files are beside. */
	readonly scriptUrl: string;
	readonly language: string;
	/** Of the workspaces: if there are several, the visitor chooses one. */
	readonly keys: readonly string[];
	/** The call that this tab has requested with a key. */
	readonly memoryOf: typeof createMemory;
	/** `fetch`, for the panel, too. */
	readonly request: Request;
	/** Reads the element's attributes. */
	read(): void;
	/** Puts the button into the browser's top layer: no style of the page moves or covers it there. */
	raise(): void;
	/** Applies the shop's look and returns the greeting. The page's own wins: its attributes, and its styles for the element. */
	wear(look: Config['look']): string | null | undefined;
	/** Shows that the panel could not be loaded; the next click tries again. */
	fail(): void;
};

/** Builds the frame in `host`. Calls `onInterest` when a visitor approaches the button, `onOpen` at a click. */
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
	// Not at the import, which would end the script of a page that bundles the widget in a browser that constructs none.
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
