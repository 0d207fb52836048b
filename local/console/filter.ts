import { element } from './element.ts';

/** Words to look for, and one of a list of states; both narrow a list that is shown. */
export type Filter = {
	readonly shown: HTMLElement;
	/** Whether an item with these words and in this state is to be seen. */
	admits(words: readonly (string | null)[], state: string): boolean;
};

/** A search field and a choice of states; `onChange` is told when either has another value. */
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
