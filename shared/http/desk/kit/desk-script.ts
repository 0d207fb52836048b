import { GUARDED } from '../../edge/page.ts';
import type { HttpResponse } from '../../edge/response.ts';

/**
 * The only script of the desk. The pages also work without it. It closes menus, copies texts, shows the widget's colour and
 * greeting before they are saved, says which opening ends on the next day, says that an edited form is not saved and warns
 * before it is left, keeps a form whose date or time is incomplete, and refreshes lists while a call is live. It does not
 * replace a list that a person is using. It stops refreshing when the session has ended.
 */
const SCRIPT = `const all = (what) => document.querySelectorAll(what);
const showCopies = () => {
	for (const button of all('[data-copied]')) button.hidden = false;
};
showCopies();
const closeMenus = (target) => {
	for (const menu of all('details[name=menu][open]')) if (!menu.contains(target)) menu.open = false;
};
onclick = async ({ target }) => {
	closeMenus(target);
	const add = target.closest('.add > summary')?.parentElement;
	// The browser opens the form after this event.
	if (add && !add.open) setTimeout(() => add.querySelector('input:not([type=hidden])').focus());
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
// Screen readers announce the words of this status. They do not announce that the words of a button have changed.
const spoken = document.createElement('p');
spoken.className = 'unseen';
spoken.setAttribute('role', 'status');
document.body.append(spoken);
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
	if (form.dataset.edited === undefined) sayUnsaved(form, true);
	form.dataset.edited = '';
	onbeforeunload = (event) => event.preventDefault();
	if (target.matches('[role=switch]:checked')) fillTimes(target.closest('.day'));
	for (const note of all('.next')) showEnd(note);
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
	if (words && !note) {
		note = document.createElement('small');
		note.className = 'part missed';
		note.textContent = words.replace('{0}', part.closest('.day').ariaLabel);
		row.append(note);
	}
	part.focus();
	spoken.textContent = note?.textContent ?? '';
};
const sayUnsaved = (form, isEdited) => {
	const note = form.querySelector('[data-unsaved]');
	if (note) note.textContent = isEdited ? note.dataset.unsaved : '';
};
// A day that is switched on gets the times of the first day that has times.
const timesOf = (day) => day.querySelectorAll('[type=time]');
const fillTimes = (day) => {
	if ([...timesOf(day)].some(({ value }) => value)) return;
	const usual = [...all('.day')].map(timesOf).find(([from, to]) => from.value && to.value);
	[timesOf(day)[0].value, timesOf(day)[1].value] = usual ? [usual[0].value, usual[1].value] : ['09:00', '17:00'];
};
const showEnd = (note) => {
	const [from, to] = [...timesOf(note.parentElement)].map(({ value }) => value);
	note.textContent = note.closest('.day').dataset.next;
	note.hidden = !from || !to || to === '00:00' || to > from;
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

export const deskScript = (): HttpResponse => ({
	statusCode: 200,
	headers: { ...GUARDED, 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'private, max-age=3600' },
	body: SCRIPT,
});
