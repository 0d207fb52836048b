import { GUARDED } from '../../edge/page.ts';
import type { HttpResponse } from '../../edge/response.ts';

/**
 * The only script of the desk; pages work without it. It closes menus, copies, shows a look before it is saved, and refreshes
 * lists while a call is live. It does not replace a list that a person is using, and stops when the session has ended.
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
	const button = target.closest('[data-copied]');
	if (!button) return;
	const { text, copy, copied } = button.dataset;
	await navigator.clipboard.writeText(text ?? document.getElementById(copy).textContent);
	button.textContent = copied;
};
onkeydown = ({ key }) => {
	const menu = document.querySelector('details[name=menu][open]');
	if (key !== 'Escape' || !menu) return;
	menu.open = false;
	menu.firstElementChild.focus();
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
