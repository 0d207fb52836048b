import { elementById, type KeyedElement, keyedList, say } from './element.ts';

type Item = { readonly id: string };
type Spec<T> = {
	/** The name of the list on the page. The elements of the list are `#<name>-list`, `#no-<name>s` and `#<name>-count`. */
	readonly name: string;
	/** The text by which items are sorted, which is a time. */
	readonly timeOf: (item: T) => string;
	readonly most: number;
	readonly make: (item: T) => KeyedElement<T>;
};

/** A list on the page with the newest items, newest first. */
export function newestList<T extends Item>({ name, timeOf, most, make }: Spec<T>) {
	let items: readonly T[] = [];
	const list = elementById(`${name}-list`);
	const show = keyedList(list, ({ id }: T) => id, make);
	return {
		take(all: readonly T[]): void {
			items = all.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a))).slice(0, most);
			show(items);
			elementById(`no-${name}s`).hidden = items.length > 0;
			say(elementById(`${name}-count`), `${items.length}`);
		},
		newest: (): T | undefined => items[0],
	};
}
