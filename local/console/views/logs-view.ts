import type { LogLine } from '../../console-server/function-logs.ts';
import { read } from '../ask.ts';
import { byId, element } from '../element.ts';
import { filterBar } from '../filter.ts';
import { clockTime } from '../wire.ts';

const MOST_SHOWN = 500;
/** The console's own request to the API, when a delivery is opened. */
const isOwnQuestion = ({ function: name, text }: LogLine): boolean =>
	name === 'get-webhook-delivery' && text.includes('status=200');

function lineElement({ at, level, function: name, text }: LogLine): HTMLElement {
	const time = element('time', { datetime: at }, at === '' ? '' : clockTime(at));
	return element('li', { class: `log ${level}` }, time, element('strong', {}, name), element('span', {}, text));
}

/** The functions' log lines as they appear, newest last. The view follows the end unless the reader scrolls up. */
export function logsView() {
	const list = byId('log-list');
	let lines: readonly LogLine[] = [];
	let last = 0;
	const filter = filterBar('log lines', ['INFO', 'WARN', 'ERROR'], show);
	byId('log-filter').append(filter.element);

	function show(): void {
		const follows = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
		const { state, search } = filter.choice();
		const words = search.toLowerCase();
		const matches = lines.filter(
			({ function: name, text, level }) =>
				(state === '' || state === level) && `${name} ${text}`.toLowerCase().includes(words),
		);
		list.replaceChildren(...matches.map(lineElement));
		byId('no-logs').hidden = matches.length > 0;
		if (follows) list.scrollTop = list.scrollHeight;
	}

	return async (): Promise<void> => {
		const fresh = await read<readonly LogLine[]>(`/logs/${last}`);
		if (fresh.length === 0) return;
		last = fresh.at(-1)?.sequence ?? last;
		lines = [...lines, ...fresh.filter((line) => !isOwnQuestion(line))].slice(-MOST_SHOWN);
		show();
	};
}
