import { GUARDED } from '../../edge/page.ts';
import type { HttpResponse } from '../../edge/response.ts';

/**
 * The only script of the desk, which its pages work without: buttons that copy, and a preview that follows the form before it
 * is saved.
 */
const SCRIPT = `for (const button of document.querySelectorAll('[data-copy]')) {
	button.hidden = false;
	button.onclick = async () => {
		await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
		button.textContent = button.dataset.copied;
	};
}
const frame = document.querySelector('iframe');
const form = document.forms.look;
let waiting;
const show = () => {
	const look = new URLSearchParams({ accent: form.accent.value, greeting: form.greeting.value });
	frame.contentWindow.location.replace('preview?' + look);
};
if (frame && form) {
	frame.hidden = false;
	form.oninput = () => {
		clearTimeout(waiting);
		waiting = setTimeout(show, 300);
	};
}
`;

export const deskScript = (): HttpResponse => ({
	statusCode: 200,
	headers: { ...GUARDED, 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' },
	body: SCRIPT,
});
