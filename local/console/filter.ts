import { element, type Places, say } from './element.ts';
import { type Choice, feed } from './feed.ts';
import type { ListPage } from './wire.ts';
import { workspace } from './workspace.ts';

/** Search words and a state that filter a list. */
export type Filter = { readonly element: HTMLElement; choice(): Choice };

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
		element: element('div', { class: 'filter' }, search, ...(states.length === 0 ? [] : [choice])),
		choice: () => ({ state: choice.value, search: search.value.trim() }),
	};
}

/** What a list shows. */
type ListSpec<I, P> = {
	/** Its plural, for the filter. */
	readonly about: string;
	/** The states to choose from; none: only words. */
	readonly states: readonly string[];
	/** The line for no match. */
	readonly nothing: string;
	/** The route of its pages, whose items have keys that sort by time. */
	readonly list: string;
	readonly keyOf: (item: I) => string;
	readonly show: (items: readonly I[]) => void;
	readonly took?: (page: P) => void;
	/** Called with the number of items on the page; `+`: there are more. */
	readonly count?: (text: string) => void;
};

/** A list with its filter above it and "Load more" below. What it shows stays until the next page has come. */
export function listView<I, P extends ListPage<I> = ListPage<I>>(
	{ list, empty, bar }: Places<'list' | 'empty' | 'bar'>,
	of: ListSpec<I, P>,
) {
	const filter = filterBar(of.about, of.states, () => attempt(items.load(filter.choice())));
	const line = element('p', { class: 'muted more', role: 'status' });
	const more = element('button', { type: 'button', class: 'quiet' }, 'Load more');
	const items = feed<I, P>({ ...of, workspace, onChange: update });
	const attempt = (work: Promise<void>): void => void work.catch(() => say(line, 'The stack does not answer.'));
	more.addEventListener('click', () => attempt(items.more()));
	bar.append(filter.element);
	list.after(line, element('p', { class: 'more' }, more));
	update();

	function update(): void {
		const all = items.items();
		const none = all.length === 0;
		const waits = items.loading() === null || (none && items.loading() === true);
		list.ariaBusy = `${items.loading() !== false}`;
		empty.hidden = !none || waits || !items.choosesAll();
		bar.hidden = none && items.choosesAll();
		more.hidden = !items.hasMore();
		const nothing = none && !items.choosesAll() ? of.nothing : '';
		say(line, waits ? 'Loading…' : nothing);
		of.show(all);
		of.count?.(waits ? '' : `${all.length}${items.hasMore() ? '+' : ''}`);
	}
	return { ...items, show: update };
}
