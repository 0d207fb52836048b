import { GUARDED } from '../../edge/page.ts';
import type { HttpResponse } from '../../edge/response.ts';

/**
 * The only script of the desk; pages work without it. It has buttons that copy, a preview that follows the form before it is
 * saved, and lists that are refreshed while a call is live. It does not replace a list that a person is using, and stops when
 * the session has ended.
 */
const SCRIPT = `for (const button of document.querySelectorAll('[data-copy]')) {
	button.hidden = false;
	button.onclick = async () => {
		await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
		button.textContent = button.dataset.copied;
	};
}
const live = document.querySelector('[data-live]');
const isBusy = () => document.hidden || live.contains(document.activeElement) || live.querySelector('details[open]');
const refresh = async () => {
	const response = isBusy() ? null : await fetch(location.href, { redirect: 'error' });
	if (response?.status >= 500) throw new Error();
	const text = response?.ok ? await response.text() : '';
	const next = new DOMParser().parseFromString(text, 'text/html').querySelector('#lists');
	// The person may have started to use the lists meanwhile.
	if (next && !isBusy()) live.replaceChildren(...next.childNodes);
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
	headers: { ...GUARDED, 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' },
	body: SCRIPT,
});
