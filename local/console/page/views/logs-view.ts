import { read } from '../ask.ts';
import { element, elementById } from '../element.ts';
import { clockTime, type LogLine } from '../wire.ts';

const MOST_SHOWN = 500;
function lineElement({ at, level, function: name, text }: LogLine): HTMLElement {
	const time = element('time', { datetime: at }, at === '' ? '' : clockTime(at));
	return element('li', { class: `log ${level}` }, time, element('strong', {}, name), element('span', {}, text));
}

/**
 * Shows the log lines of the functions as they appear, newest last. The view scrolls to the newest line, unless the reader
 * has scrolled up.
 */
export function logsView() {
	const list = elementById('log-list');
	let last = 0;
	return async (): Promise<void> => {
		const fresh = await read<readonly LogLine[]>(`/logs/${last}`);
		if (fresh.length === 0) return;
		last = fresh.at(-1)?.sequence ?? last;
		const follows = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
		list.append(...fresh.slice(-MOST_SHOWN).map(lineElement));
		while (list.childElementCount > MOST_SHOWN) list.firstElementChild?.remove();
		elementById('no-logs').hidden = true;
		if (follows) list.scrollTop = list.scrollHeight;
	};
}
