/**
 * Creates an element with a `part`, which the page's styles can address. No HTML is parsed, so this works under Trusted
 * Types.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
	tag: K,
	part: string,
	attributes: Readonly<Record<string, string>> = {},
	...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
	const element = document.createElement(tag);
	element.setAttribute('part', part);
	// A page may have added properties to Object.prototype.
	for (const name in attributes)
		if (Object.hasOwn(attributes, name)) element.setAttribute(name, attributes[name] ?? '');
	element.append(...children);
	return element;
}

/**
 * The text that each element was last given. The page may show another text: a browser that translates the page has replaced
 * or wrapped the text.
 */
const lastTexts = new WeakMap<Element, string>();

/** Sets a text only if it differs from the last text that was set. Otherwise a screen reader would repeat the same text. */
export function say(element: HTMLElement, text: string): void {
	if (lastTexts.get(element) === text) return;
	lastTexts.set(element, text);
	element.textContent = text;
}

/** Whether an element is visible. `checkVisibility` is newer than some browsers that docs/widget-reference.md names. */
export const isShown = (element: Element): boolean => element.getClientRects().length > 0;
