import { element, type Places } from './element.ts';

/** Search words and a state that filter a list. */
export type Filter = {
	readonly shown: HTMLElement;
	/** Whether to show an item with this text and state. */
	admits(words: readonly (string | null)[], state: string): boolean;
};

/** A search field and a choice of states. Calls `onChange` when either changes. */
export function filterBar(about: string, states: readonly string[], onChange: () => void): Filter {
	const search = element('input', { type: 'search', placeholder: 'Search', 'aria-label': `Search ${about}` });
	const options = states.map((state) => element('option', { value: state }, state.replaceAll('_', ' ')));
	const choice = element(
		'select',
		{ 'aria-label': `Show ${about} of one kind` },
		element('option', { value: '' }, `All ${about}`),
		...options,
	);
	search.addEventListener('input', onChange);
	choice.addEventListener('change', onChange);
	return {
		shown: element('div', { class: 'filter' }, search, choice),
		admits(words, state) {
			const wanted = search.value.trim().toLowerCase();
			if (choice.value !== '' && choice.value !== state) return false;
			return wanted === '' || words.some((word) => word?.toLowerCase().includes(wanted));
		},
	};
}

/** What a list shows: its plural for the filter, the states to choose from, and the line for no match. */
type Shown<I> = {
	readonly about: string;
	readonly states: readonly string[];
	readonly nothing: string;
	readonly show: (items: readonly I[]) => void;
	/** The words of an item that the reader may search for, and its state. */
	readonly traits: (item: I) => readonly [words: readonly (string | null)[], state: string];
};

/** A list with its filter in the bar above it. Returns what shows new items. */
export function filteredList<I>({ list, empty, bar }: Places<'list' | 'empty' | 'bar'>, of: Shown<I>) {
	let items: readonly I[] = [];
	const filter = filterBar(of.about, of.states, update);
	const nothing = element('p', { class: 'muted more', hidden: '' }, of.nothing);
	bar.append(filter.shown);
	list.after(nothing);

	function update(): void {
		const wanted = items.filter((item) => filter.admits(...of.traits(item)));
		empty.hidden = items.length > 0;
		bar.hidden = items.length === 0;
		nothing.hidden = wanted.length > 0 || items.length === 0;
		of.show(wanted);
	}
	return (next: readonly I[]): void => {
		items = next;
		update();
	};
}
