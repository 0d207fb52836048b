/** Creates an element with a `part` for the page's styles. It parses no markup, so it works under Trusted Types. */
export function h<K extends keyof HTMLElementTagNameMap>(
	tag: K,
	part: string,
	attributes: Readonly<Record<string, string>> = {},
	...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
	const element = document.createElement(tag);
	element.setAttribute('part', part);
	// A page may have added to every object.
	for (const name in attributes)
		if (Object.hasOwn(attributes, name)) element.setAttribute(name, attributes[name] ?? '');
	element.append(...children);
	return element;
}

/** Sets a text only if it differs, so that a screen reader does not repeat it. */
export function say(element: HTMLElement, text: string): void {
	if (element.textContent !== text) element.textContent = text;
}
