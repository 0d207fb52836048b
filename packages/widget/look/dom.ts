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

/**
 * Returns a function that sets the text of `element` if it differs from the last one, so that a screen reader does not repeat
 * it. It does not compare with the page: a browser that translates the page has replaced or wrapped the text there.
 */
export function sayIn(element: HTMLElement, text = ''): (text: string) => void {
	let said = text;
	return (next) => {
		if (next !== said) element.textContent = said = next;
	};
}
