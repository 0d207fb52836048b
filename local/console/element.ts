type Child = Node | string;
type Attributes = Readonly<Record<string, string>>;

/** An element with attributes and children; text is only ever text. */
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

/** The element of the page with this id. */
export function byId(id: string): HTMLElement {
	const found = document.getElementById(id);
	if (found === null) throw new Error(`the page has no #${id}`);
	return found;
}

/** Sets a text only when it differs: a selection in it stays, and a screen reader does not say it again. */
export function say(place: Element, text: string): void {
	if (place.textContent !== text) place.textContent = text;
}

/** How long a button says what came of a click. */
const SAID_MS = 2000;

/** A button that does one thing at a time, however often it is clicked, and says for a moment what came of it. */
export function actionButton(label: string, act: () => Promise<string>): HTMLButtonElement {
	const button = element('button', { type: 'button', class: 'quiet' }, label);
	let busy = false;
	button.addEventListener('click', () => {
		if (busy) return;
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

/** A button that copies `text`, and says so. */
export function copyButton(text: string, label = 'Copy'): HTMLButtonElement {
	return actionButton(label, async () => {
		await navigator.clipboard.writeText(text);
		return 'Copied';
	});
}

/** An element on the page, and how it takes what has become of its item. */
export type Kept<T> = { readonly shown: HTMLElement; update(item: T): void };

/**
 * Keeps a list of elements below `parent`, one per key, in the order of the items. What is there already is kept and told
 * of its item anew, so that focus, selection, what was opened and running transitions stay.
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

/** Makes these the children, and leaves alone those that are in their place. */
function arrange(parent: HTMLElement, children: readonly HTMLElement[]): void {
	const wanted = new Set<Element>(children);
	for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
	for (const [at, child] of children.entries()) {
		if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
	}
}

/** Parts of the page that a view fills, by their use. */
export type Places<K extends string> = Readonly<Record<K, HTMLElement>>;

/** For an item that never changes. */
export function unchanging<T>(make: (item: T) => HTMLElement): (item: T) => Kept<T> {
	return (item) => ({ shown: make(item), update: () => undefined });
}
