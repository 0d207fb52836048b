type Child = Node | string;
type Attributes = Readonly<Record<string, string>>;

/** Creates an element with attributes and children. Text is never parsed as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
	tag: K,
	attributes: Attributes = {},
	...children: readonly Child[]
): HTMLElementTagNameMap[K] {
	const made = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
	made.append(...children);
	return made;
}

/** A title in which no number is broken between two lines. */
export function titleOf(text: string): HTMLElement {
	const parts = text.split(/(\+\d[\d• ]*[\d•])/);
	return element('h3', {}, ...parts.map((part, at) => (at % 2 ? element('span', { class: 'number' }, part) : part)));
}

/** Returns the page's element with this id. */
export function byId(id: string): HTMLElement {
	const found = document.getElementById(id);
	if (found === null) throw new Error(`the page has no #${id}`);
	return found;
}

/** Sets a text only if it differs, so that a selection stays and a screen reader does not repeat it. */
export function say(place: Element, text: string): void {
	if (place.textContent !== text) place.textContent = text;
}

/** How long a button shows the result of a click. */
const SAID_MS = 2000;

/** A button that runs one action at a time, ignores further clicks meanwhile, and then shows the result for a moment. */
export function actionButton(label: string, act: () => Promise<string>, question?: string): HTMLButtonElement {
	const button = element('button', { type: 'button', class: 'quiet' }, label);
	let busy = false;
	button.addEventListener('click', () => {
		if (busy || (question !== undefined && !confirm(question))) return;
		busy = true;
		const done = (said: string): void => {
			button.textContent = said;
			setTimeout(() => {
				busy = false;
				button.textContent = label;
			}, SAID_MS);
		};
		act().then(done, () => done('Did not work'));
	});
	return button;
}

/** A button that copies `text` and confirms it. */
export function copyButton(text: string, label = 'Copy'): HTMLButtonElement {
	return actionButton(label, async () => {
		await navigator.clipboard.writeText(text);
		return 'Copied';
	});
}

/** An element on the page, and a function that updates it from its item. */
export type Kept<T> = { readonly shown: HTMLElement; update(item: T): void };

/**
 * Keeps a list of elements in `parent`, one for each key, in the order of the items. It updates existing elements in place,
 * so that focus, selection, open details and running transitions stay.
 */
export function keyedList<T>(parent: HTMLElement, keyOf: (item: T) => string, make: (item: T) => Kept<T>) {
	let known = new Map<string, Kept<T>>();
	return (items: readonly T[]): void => {
		const next = new Map<string, Kept<T>>();
		for (const item of items) {
			const kept = known.get(keyOf(item)) ?? make(item);
			kept.update(item);
			next.set(keyOf(item), kept);
		}
		known = next;
		arrange(
			parent,
			[...next.values()].map(({ shown }) => shown),
		);
	};
}

/** Sets the children, without moving those that are already in place. */
function arrange(parent: HTMLElement, children: readonly HTMLElement[]): void {
	const wanted = new Set<Element>(children);
	for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
	for (const [at, child] of children.entries()) {
		if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
	}
}

/** Parts of the page that a view fills, by their use. */
export type Places<K extends string> = Readonly<Record<K, HTMLElement>>;

/** An element for an item that never changes. */
export function unchanging<T>(make: (item: T) => HTMLElement): (item: T) => Kept<T> {
	return (item) => ({ shown: make(item), update: () => undefined });
}
