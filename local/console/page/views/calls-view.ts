import { readableMask } from '../../../../shared/presentation/readable-mask.ts';
import { treeLines } from '../../../../shared/presentation/trace-tree.ts';
import { act } from '../ask.ts';
import { actionButton, copyButton, element, elementById, say, titleOf } from '../element.ts';
import { inWords, isOver, isStoryLive } from '../lanes.ts';
import { newestList } from '../newest.ts';
import { timeline } from '../timeline.ts';
import { type CallStory, type Shown, type ShownCall, whenText } from '../wire.ts';
import { eventsView } from './events-view.ts';

export function describe(call: ShownCall): string {
	if (call.failure_reason && call.failure_reason !== call.status)
		return `${call.status}: ${inWords(call.failure_reason)}`;
	if (call.duration_seconds) return `${call.status}, talked ${call.duration_seconds} s`;
	if (call.status !== 'connected' || call.connected_at === null) return call.status;
	return `connected, ${Math.max(0, Math.floor((Date.now() - Date.parse(call.connected_at)) / 1000))} s`;
}

/** The whole trace as text. The text includes what the lanes cannot show, such as each attempt of a webhook. */
function traceDetails(id: string) {
	const tree = element('pre', { class: 'tree', tabindex: '0' });
	const copy = copyButton(`npm run ops -- call trace --call ${id}`, 'Copy the command');
	return {
		element: element('details', { class: 'trace' }, element('summary', {}, 'Trace'), tree, copy),
		update: ({ trace }: CallStory) => say(tree, [...treeLines(trace), ...trace.notes].join('\n')),
	};
}

function callCard({ call }: CallStory) {
	const chip = element('span');
	const drawing = timeline();
	const events = eventsView();
	const trace = traceDetails(call.id);
	const hangUp = actionButton('Hang up', async () => (await act(`/hang-up/${call.id}`)) ?? 'Hanging up');
	const number = readableMask(call.visitor_phone_masked);
	const phone = titleOf(call.name === null ? number : `${call.name}, ${number}`);
	const time = element('time', { datetime: call.created_at }, whenText(call.created_at));
	const webhooks = element('div', { class: 'beside' }, element('h4', {}, 'Webhooks'), events.element);
	const body = element('div', { class: 'story' }, drawing.element, webhooks);
	const page = element('span', { class: 'muted page' }, call.source_url);
	const footer = element('footer', {}, hangUp, element('code', {}, call.id), page);
	const card = element('article', {}, element('header', {}, phone, chip, time), body, trace.element, footer);
	let last: CallStory | null = null;
	return {
		element: card,
		update(next: CallStory): void {
			if (next === last && !isStoryLive(next)) return;
			last = next;
			const { status } = next.call;
			card.className = `card call ${status} ${isOver(next.call) ? '' : 'live'}`;
			chip.className = `chip ${status}`;
			say(chip, describe(next.call));
			hangUp.hidden = isOver(next.call);
			drawing.update(next);
			// A call whose webhooks went elsewhere, such as a call of the demo's week, has no list of webhooks.
			webhooks.hidden = !events.update(next);
			trace.update(next);
		},
	};
}

/**
 * Shows the calls. Below each call, shows the phones of the call while they ring, and the webhooks of the call as they
 * arrive.
 */
export function callsView(most: number) {
	const list = newestList<CallStory>({ name: 'call', timeOf: ({ id }) => id, most, make: callCard });
	return ({ calls }: Shown): void => {
		list.take(calls);
		// Announces each change of the newest call to screen readers.
		const newest = list.newest();
		say(elementById('news'), newest ? `Newest call: ${newest.call.status}` : '');
	};
}
