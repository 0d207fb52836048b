type Child = Node | string;
type Attributes = Readonly<Record<string, string>>;

/** Creates an element with attributes and children. A text is never read as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
	tag: K,
	attributes: Attributes = {},
	...children: readonly Child[]
): HTMLElementTagNameMap[K] {
	const node = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
	node.append(...children);
	return node;
}

/** A title in which a number is never divided between two lines. */
export function titleOf(text: string): HTMLElement {
	const parts = text.split(/(\+\d[\d• ]*[\d•])/);
	return element('h3', {}, ...parts.map((part, at) => (at % 2 ? element('span', { class: 'number' }, part) : part)));
}

export function elementById(id: string): HTMLElement {
	const node = document.getElementById(id);
	if (node === null) throw new Error(`the page has no #${id}`);
	return node;
}

/**
 * Sets a text, but only if it has changed. Otherwise a selection would be lost, and a screen reader would repeat the text.
 */
export function say(place: Element, text: string): void {
	if (place.textContent !== text) place.textContent = text;
}

const SAID_MS = 2000;

/** A button that runs an action and then shows the result for a moment. While the action runs, further clicks are ignored. */
export function actionButton(label: string, act: () => Promise<string>): HTMLButtonElement {
	const button = element('button', { type: 'button', class: 'quiet' }, label);
	let busy = false;
	button.addEventListener('click', () => {
		if (busy) return;
		busy = true;
		const showOutcome = (outcome: string): void => {
			button.textContent = outcome;
			setTimeout(() => {
				busy = false;
				button.textContent = label;
			}, SAID_MS);
		};
		act().then(showOutcome, () => showOutcome('Did not work'));
	});
	return button;
}

export function copyButton(text: string, label: string): HTMLButtonElement {
	return actionButton(label, async () => {
		await navigator.clipboard.writeText(text);
		return 'Copied';
	});
}

export type KeyedElement<T> = { readonly element: HTMLElement; update(item: T): void };

/**
 * Keeps one element in `parent` for each item, in the order of the items. `keyOf` tells which element belongs to which item.
 * An element that exists is updated in place, so that focus, selection, open details and running transitions stay.
 */
export function keyedList<T>(parent: HTMLElement, keyOf: (item: T) => string, make: (item: T) => KeyedElement<T>) {
	let entries = new Map<string, KeyedElement<T>>();
	return (items: readonly T[]): void => {
		const next = new Map<string, KeyedElement<T>>();
		for (const item of items) {
			const entry = entries.get(keyOf(item)) ?? make(item);
			entry.update(item);
			next.set(keyOf(item), entry);
		}
		entries = next;
		arrange(
			parent,
			[...next.values()].map((item) => item.element),
		);
	};
}

/** Sets the children. A child that is already in its place is not moved. */
function arrange(parent: HTMLElement, children: readonly HTMLElement[]): void {
	const next = new Set<Element>(children);
	for (const child of [...parent.children]) if (!next.has(child)) child.remove();
	for (const [at, child] of children.entries()) {
		if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
	}
}

/** Makes an element for an item that never changes. */
export function unchanging<T>(make: (item: T) => HTMLElement): (item: T) => KeyedElement<T> {
	return (item) => ({ element: make(item), update: () => undefined });
}
