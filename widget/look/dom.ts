/**
 * An element with the `part` that a page styles it by. No markup is ever parsed, so a page's Trusted Types have nothing
 * to refuse.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
	tag: K,
	part: string,
	attributes: Readonly<Record<string, string>> = {},
	...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
	const element = document.createElement(tag);
	element.setAttribute('part', part);
	for (const name in attributes) element.setAttribute(name, attributes[name] ?? '');
	element.append(...children);
	return element;
}

/** Sets a text only when it differs, so that a screen reader does not say the same again. */
export function say(element: HTMLElement, text: string): void {
	if (element.textContent !== text) element.textContent = text;
}
