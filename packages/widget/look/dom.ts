/** Creates an element with a `part` for the page's styles. It parses no markup, so it works under Trusted Types. */
export function h<K extends keyof HTMLElementTagNameMap>(
	tag: K,
	part: string,
	attributes: Readonly<Record<string, string>> = {},
	...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
	const element = document.createElement(tag);
	element.setAttribute('part', part);
	// A page may have extended Object.prototype.
	for (const name in attributes)
		if (Object.hasOwn(attributes, name)) element.setAttribute(name, attributes[name] ?? '');
	element.append(...children);
	return element;
}

/** The last text of each element. The page itself may differ: a browser that translates it has replaced or wrapped the text. */
const lastTexts = new WeakMap<Element, string>();

/** Sets a text only if it differs from the last one, so that a screen reader does not repeat it. */
export function say(element: HTMLElement, text: string): void {
	if (lastTexts.get(element) === text) return;
	lastTexts.set(element, text);
	element.textContent = text;
}

/** Whether an element has a box. `checkVisibility` is younger than the browsers that docs/widget-reference.md names. */
export const isShown = (element: Element): boolean => element.getClientRects().length > 0;
