import MiniSearch from 'minisearch';

// What a page can do with scripts: copy its code, close what was chosen from, and search all pages.

const MOST_SHOWN = 12;
/** Characters around the first match. */
const AROUND = 70;
const folder = document.currentScript.src.replace(/[^/]*$/, '');

/** An element with these properties and children. */
function make(tag, properties = {}, ...children) {
	const made = Object.assign(document.createElement(tag), properties);
	made.append(...children);
	return made;
}

for (const block of document.querySelectorAll('.code')) {
	const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' });
	button.onclick = async () => {
		const done = await navigator.clipboard.writeText(block.querySelector('code').textContent).then(
			() => 'Copied',
			() => 'Not allowed',
		);
		button.textContent = done;
		setTimeout(() => {
			button.textContent = 'Copy';
		}, 2000);
	};
	block.append(button);
}

const contents = document.getElementById('contents');
contents?.addEventListener('click', ({ target }) => {
	if (target.closest('a') && contents.matches(':popover-open')) contents.hidePopover();
});

/** Loads the sections of all pages, once. */
let loading;
function loadIndex() {
	loading ??= new Promise((loaded, failed) => {
		const script = make('script', { src: `${folder}search-index.js`, onerror: failed });
		script.onload = () => {
			const index = new MiniSearch({
				fields: ['title', 'page', 'text'],
				storeFields: ['title', 'page', 'text'],
				searchOptions: { boost: { title: 4, page: 2 }, prefix: true, fuzzy: 0.1, combineWith: 'AND' },
			});
			index.addAll(globalThis.searchIndex);
			loaded(index);
		};
		document.head.append(script);
	});
	return loading;
}

/** The text around the first matched word, which is marked. */
function excerpt({ text, terms }) {
	const lower = text.toLowerCase();
	const [term, at] = terms.map((word) => [word, lower.indexOf(word)]).find(([, place]) => place >= 0) ?? ['', 0];
	const start = Math.max(0, at - AROUND);
	const end = at + term.length;
	const mark = make('mark', { textContent: text.slice(at, end) });
	const before = `${start > 0 ? '… ' : ''}${text.slice(start, at)}`;
	return make('small', {}, before, ...(term ? [mark] : []), text.slice(end, end + AROUND));
}

const place = document.querySelector('search');
const input = make('input', { type: 'search', placeholder: 'Search', ariaLabel: 'Search the documentation' });
const count = make('p', { className: 'unseen', role: 'status' });
const results = make('ul', { className: 'results', hidden: true });
place.append(input, count, results);

function result(found) {
	const where = found.page === found.title ? '' : `${found.page}: `;
	const title = make('strong', {}, `${where}${found.title}`);
	return make('li', {}, make('a', { href: folder + found.id }, title, excerpt(found)));
}

async function search() {
	const wanted = input.value.trim();
	const index = await loadIndex();
	if (wanted !== input.value.trim()) return;
	const found = wanted === '' ? [] : index.search(wanted);
	const shown = found.slice(0, MOST_SHOWN).map(result);
	if (wanted !== '' && shown.length === 0) shown.push(make('li', { className: 'none' }, 'Nothing found.'));
	results.replaceChildren(...shown);
	results.hidden = wanted === '';
	count.textContent = wanted === '' ? '' : `${found.length} results`;
}

function close() {
	results.hidden = true;
}

input.addEventListener('focus', loadIndex);
input.addEventListener('input', search);
place.addEventListener('keydown', (event) => {
	const links = [input, ...results.querySelectorAll('a')];
	const at = links.indexOf(document.activeElement);
	const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
	if (step !== 0) {
		event.preventDefault();
		links[Math.min(links.length - 1, Math.max(0, at + step))].focus();
	} else if (event.key === 'Enter' && at === 0) links[1]?.click();
	else if (event.key === 'Escape') {
		close();
		input.focus();
	}
});
document.addEventListener('click', ({ target }) => {
	if (!place.contains(target) || target.closest('a')) close();
});
document.addEventListener('keydown', (event) => {
	if (event.key !== '/' || event.target.closest('input')) return;
	event.preventDefault();
	input.focus();
});
