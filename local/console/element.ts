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

/** A button that copies `text`, and says so. */
export function copyButton(text: string, label = 'Copy'): HTMLButtonElement {
	const button = element('button', { type: 'button', class: 'quiet' }, label);
	button.addEventListener('click', () => {
		void navigator.clipboard.writeText(text).then(() => {
			button.textContent = 'Copied';
			setTimeout(() => {
				button.textContent = label;
			}, 1500);
		});
	});
	return button;
}

/** Keeps a list of elements, one per key, in the given order; only what is new or has changed is built. */
export function keyedList(parent: HTMLElement) {
	let known = new Map<string, { readonly sign: string; readonly shown: HTMLElement }>();
	return <T>(
		items: readonly T[],
		keyOf: (item: T) => string,
		signOf: (item: T) => string,
		build: (item: T) => HTMLElement,
	): void => {
		const next = new Map(
			items.map((item) => {
				const before = known.get(keyOf(item));
				const sign = signOf(item);
				const shown = before?.sign === sign ? before.shown : build(item);
				if (before === undefined) shown.classList.add('new');
				return [keyOf(item), { sign, shown }];
			}),
		);
		known = next;
		arrange(
			parent,
			[...next.values()].map(({ shown }) => shown),
		);
	};
}

/** Makes these the children, and leaves alone those that are in their place: they keep focus and selection. */
function arrange(parent: HTMLElement, children: readonly HTMLElement[]): void {
	const wanted = new Set<Element>(children);
	for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
	for (const [at, child] of children.entries()) {
		if (parent.children[at] !== child) parent.insertBefore(child, parent.children[at] ?? null);
	}
}
