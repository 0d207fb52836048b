import { element } from './element.ts';

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
