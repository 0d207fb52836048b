import { GUARDED } from '../../edge/page.ts';
import type { HttpResponse } from '../../edge/response.ts';
import { SCRIPT_VERSION } from './script-address.ts';
import type { View } from './view.ts';

/**
 * The only script of the desk. The pages also work without it. It closes menus, copies texts, takes out of the address that a
 * form was saved, shows the widget's colour and greeting before they are saved, adds, removes and copies opening hours, says
 * which opening ends on the next day, says that an edited form is not saved and warns
 * before it is left, keeps a form whose date or time is incomplete, and refreshes lists while a call is live. It does not
 * replace a list that a person is using. It stops refreshing when the session has ended.
 */
const SCRIPT = `const all = (what) => document.querySelectorAll(what);
// A day on a page that has the buttons for its hours. While releases change, a page of 1.0.0, which has none, may load this.
const DAY = '[data-remove] > .day';
const showCopies = () => {
	for (const button of all('[data-copied]')) button.hidden = false;
};
showCopies();
// The address no longer says that a form was saved, so that the browser's Back does not say it again.
const address = new URL(location.href);
if (address.searchParams.has('saved')) {
	address.searchParams.delete('saved');
	history.replaceState(null, '', address);
}
const closeMenus = (target) => {
	for (const menu of all('details[name=menu][open]')) if (!menu.contains(target)) menu.open = false;
};
onclick = async (event) => {
	const { target } = event;
	closeMenus(target);
	const add = target.closest('.add > summary')?.parentElement;
	// The browser opens the form after this event.
	if (add && !add.open) setTimeout(() => add.querySelector('input:not([type=hidden])').focus());
	changeHours(event, target.closest(DAY));
	const button = target.closest('[data-copied]');
	if (!button) return;
	const { text, copy, copied } = button.dataset;
	const source = document.getElementById(copy);
	// Browsers have no clipboard at http addresses: then the text is selected, for the person to copy.
	const isCopied = await navigator.clipboard?.writeText(text ?? source.textContent).then(() => true, () => false);
	if (!isCopied) return source && getSelection().selectAllChildren(source);
	button.dataset.label ??= button.textContent;
	answer(button, copied);
	clearTimeout(Number(button.dataset.timer));
	button.dataset.timer = setTimeout(answer, 2000, button, button.dataset.label);
};
const addTo = (parent, tag, className, textContent = '') => {
	const made = Object.assign(document.createElement(tag), { className, textContent });
	parent.append(made);
	return made;
};
// Screen readers announce the words of this status. They do not announce that the words of a button have changed.
const spoken = addTo(document.body, 'p', 'unseen');
spoken.setAttribute('role', 'status');
const answer = (button, words) => {
	button.textContent = words;
	spoken.textContent = words === button.dataset.copied ? words : '';
};
onkeydown = ({ key }) => {
	const menu = document.querySelector('details[name=menu][open]');
	if (key !== 'Escape' || !menu) return;
	menu.open = false;
	menu.firstElementChild.focus();
};
// A form behind a button is not watched, because its link *Cancel* leaves the page.
oninput = ({ target }) => {
	const form = target.closest('form.card');
	if (!form || form.closest('details')) return;
	const day = target.matches('[role=switch]') && target.closest(DAY);
	if (day && target.checked) fillTimes(day);
	if (day) moveCopy();
	edit(form);
};
const edit = (form) => {
	if (form.dataset.edited === undefined) sayUnsaved(form, true);
	form.dataset.edited = '';
	onbeforeunload = (event) => event.preventDefault();
	for (const row of all('.pairs .row')) showEnd(row);
};
onsubmit = (event) => {
	const { target } = event;
	const part = [...target.elements].find(({ validity, offsetParent }) => validity?.badInput && offsetParent);
	if (part) return finish(event, part);
	delete target.dataset.edited;
	sayUnsaved(target, false);
	if (!document.querySelector('[data-edited]')) onbeforeunload = null;
};
// Browsers send a date or time that was typed only in part as an empty field. Words stand beside it as long as it is incomplete.
// The words beside a time are made here, because a week may have 50 times.
const finish = (event, part) => {
	event.preventDefault();
	const details = part.closest('details');
	if (details) details.open = true;
	const words = part.closest('.week')?.dataset.part;
	const row = part.parentElement;
	let note = [...row.querySelectorAll('.part')].at(-1);
	if (words && !note) note = addTo(row, 'small', 'part missed', words.replace('{0}', part.closest('.day').ariaLabel));
	part.focus();
	spoken.textContent = note?.textContent ?? '';
};
const sayUnsaved = (form, isEdited) => {
	const note = form.querySelector('[data-unsaved]');
	if (note) note.textContent = isEdited ? note.dataset.unsaved : '';
};
// The opening hours. The first opening of a day is always shown. The others are in an element that opens.
const rowsOf = (day) => [...day.querySelectorAll('.row')];
const timesOf = (day) => [...day.querySelectorAll('[type=time]')];
const filled = (part) => timesOf(part).filter(({ value }) => value);
const addRow = (day) => {
	const last = rowsOf(day).at(-1);
	const row = last.cloneNode(true);
	for (const words of row.querySelectorAll('.part, .next')) words.remove();
	for (const time of timesOf(row)) {
		time.name = time.name.replace(/\\d+$/, (nth) => Number(nth) + 1);
		time.value = '';
		time.removeAttribute('aria-invalid');
		time.removeAttribute('aria-describedby');
	}
	last.after(row);
};
// Leaves out the openings from this number on. One empty opening stays, to be shown next.
const cut = (day, from) => {
	rowsOf(day).slice(from).forEach((row, nth) => {
		if (from + nth > 1) return row.remove();
		for (const time of timesOf(row)) time.value = '';
		row.parentElement.open = false;
	});
};
const setTimes = (day, times) => {
	cut(day, times.length / 2);
	while (timesOf(day).length < times.length) addRow(day);
	times.forEach((value, nth) => {
		timesOf(day)[nth].value = value;
	});
	day.querySelector('details').open = times.length > 2;
};
const valuesOf = (day) => rowsOf(day).filter((row, nth) => !nth || filled(row).length).flatMap(timesOf).map(({ value }) => value);
// A day that is switched on gets the times of the first day that has times.
const fillTimes = (day) => {
	if (filled(day).length) return;
	setTimes(day, [...all('.day')].map(valuesOf).find(([from, to]) => from && to) ?? ['09:00', '17:00']);
};
const moveCopy = () => document.querySelector('.day:has(:checked)')?.append(document.querySelector('[name=copy]'));
const changeHours = (event, day) => {
	const { target } = event;
	if (!day || !target.matches('.pairs summary, .remove, [name=copy]')) return;
	event.preventDefault();
	const more = day.querySelector('details');
	if (target.name === 'copy') {
		for (const other of all('.day:has([role=switch]:checked)')) setTimes(other, valuesOf(day));
	} else if (target.className === 'remove') {
		const row = target.parentElement;
		if (rowsOf(day).length > 2) row.remove();
		else cut(day, 1);
		more.firstElementChild.focus();
	} else {
		if (more.open) addRow(day);
		more.open = true;
		return timesOf(day).at(-2).focus();
	}
	edit(day.closest('form'));
};
for (const day of all(DAY)) {
	for (const row of rowsOf(day).slice(1)) {
		const button = addTo(row, 'button', 'remove');
		button.type = 'button';
		button.ariaLabel = day.parentElement.dataset.remove;
	}
	// Without the script, an empty opening is always there to be filled in.
	const last = rowsOf(day).at(-1);
	if (rowsOf(day).length > 2 && !filled(last).length) last.remove();
}
const showEnd = (row) => {
	const [from, to] = timesOf(row).map(({ value }) => value);
	row.querySelector('.next')?.remove();
	if (from && to && to !== '00:00' && to <= from) addTo(row, 'small', 'next', row.closest('.day').dataset.next);
};
const live = document.querySelector('[data-live]');
const isBusy = () => document.hidden || live.contains(document.activeElement) || live.querySelector('details[open]');
const refresh = async () => {
	const response = isBusy() ? null : await fetch(location.href, { redirect: 'error' });
	if (response?.status >= 500) throw new Error();
	const text = response?.ok ? await response.text() : '';
	const next = new DOMParser().parseFromString(text, 'text/html').querySelector('#lists');
	// The person may have started to use the lists meanwhile.
	if (next && !isBusy()) {
		live.replaceChildren(...next.childNodes);
		showCopies();
	}
	if (response === null || next?.dataset.live) setTimeout(tryRefresh, 5000);
};
const tryRefresh = () => refresh().catch(() => setTimeout(tryRefresh, 30000));
if (live) setTimeout(tryRefresh, 5000);
const frame = document.querySelector('iframe');
const form = document.forms.look;
let waiting;
const showLook = () => {
	const look = new URLSearchParams({ accent: form.accent.value, greeting: form.greeting.value });
	frame.contentWindow.location.replace('preview?' + look);
};
if (frame && form) {
	frame.closest('[hidden]').hidden = false;
	form.oninput = () => {
		clearTimeout(waiting);
		waiting = setTimeout(showLook, 300);
	};
}
`;

/** The script without its comments, which only readers of this file need. */
const SERVED = SCRIPT.replaceAll(/^\t*\/\/.*\n/gm, '');

/** Browsers keep the script only if the address names its version. A page of another release names another one, or none. */
export function deskScript({ query }: Pick<View, 'query'>): HttpResponse {
	const kept = query['v'] === SCRIPT_VERSION ? 'private, max-age=3600' : 'no-store';
	return {
		statusCode: 200,
		headers: { ...GUARDED, 'content-type': 'text/javascript; charset=utf-8', 'cache-control': kept },
		body: SERVED,
	};
}
