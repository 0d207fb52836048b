import { readableMask } from '../../../shared/presentation/readable-mask.ts';
import { act } from '../ask.ts';
import { actionButton, byId, copyButton, element, keyedList, type Places, say, titleOf } from '../element.ts';
import { listView } from '../filter.ts';
import { inWords, isOver } from '../lanes.ts';
import { type CallStory, createStories, isLive } from '../stories.ts';
import { timeline } from '../timeline.ts';
import { type CallPage, type CallRecord, type Changes, type Facts, whenText } from '../wire.ts';
import { eventsView } from './events-view.ts';

const STATUSES = ['requested', 'ringing', 'connected', 'completed', 'failed', 'canceled'];

type Item = CallStory & { readonly facts: Facts };

/** The state of a call, in words. */
export function describe(call: CallRecord): string {
	if (call.failure_reason && call.failure_reason !== call.status)
		return `${call.status}: ${inWords(call.failure_reason)}`;
	if (call.duration_seconds) return `${call.status}, talked ${call.duration_seconds} s`;
	if (call.status !== 'connected' || call.connected_at === null) return call.status;
	return `connected, ${Math.max(0, Math.floor((Date.now() - Date.parse(call.connected_at)) / 1000))} s`;
}

/** The API's key on the page is the demo workspace's, which cannot read or change another's calls. */
function callFooter({ call, facts }: Item, hangUp: HTMLElement): HTMLElement {
	const command = `curl -s '${facts.base_url}/calls/${call.id}' -H 'Authorization: Bearer ${facts.api_key}'`;
	const own = call.workspace_id === facts.workspace_id ? [hangUp, copyButton(command, 'Copy curl')] : [];
	const page = element('span', { class: 'muted page' }, call.source_url);
	return element('footer', {}, ...own, element('code', {}, call.id), page);
}

function callCard(item: Item) {
	const { call } = item;
	const chip = element('span');
	const drawing = timeline();
	const events = eventsView();
	const hangUp = actionButton('Hang up', async () => (await act(`/hang-up/${call.id}`)) ?? 'Hanging up');
	const number = readableMask(call.visitor_phone_masked);
	const phone = titleOf(call.name === null ? number : `${call.name}, ${number}`);
	const time = element('time', { datetime: call.created_at }, whenText(call.created_at));
	const webhooks = element('div', { class: 'beside' }, element('h4', {}, 'Webhooks'), events.element);
	const body = element('div', { class: 'story' }, drawing.element, webhooks);
	const item_element = element('article', {}, element('header', {}, phone, chip, time), body, callFooter(item, hangUp));
	let sign = '';
	return {
		element: item_element,
		update(next: Item): void {
			const now = JSON.stringify([next.call, next.rings.length, next.webhooks.length]);
			if (now === sign && !isLive(next)) return;
			sign = now;
			const { status } = next.call;
			item_element.className = `card call ${status} ${isOver(next.call) ? '' : 'live'}`;
			chip.className = `chip ${status}`;
			say(chip, describe(next.call));
			hangUp.hidden = isOver(next.call);
			drawing.update(next.call, next.rings, next.webhooks);
			events.update(next.call, next.webhooks);
		},
	};
}

/** The calls, newest first, each with its phones as they ring and its webhooks as they arrive. */
export function callsView(places: Places<'list' | 'empty' | 'bar'>, facts: () => Facts | null) {
	const stories = createStories();
	const showCards = keyedList(places.list, ({ call }: Item) => call.id, callCard);
	const view = listView<CallRecord, CallPage>(places, {
		about: 'calls',
		states: STATUSES,
		nothing: 'No call matches.',
		list: 'calls',
		keyOf: ({ id }) => id,
		took: stories.take,
		show(calls) {
			const stack = facts();
			if (stack !== null) showCards(calls.map((call) => ({ ...stories.of(call), facts: stack })));
			// Announces each change of the newest call to screen readers.
			const newest = calls[0];
			say(byId('news'), newest ? `Newest call: ${newest.status}` : '');
		},
		count: (text) => say(byId('call-count'), text),
	});
	return {
		load: () => view.load(),
		/** Also without a change: the drawings of live calls grow. */
		update(changes: Changes): void {
			stories.take(changes);
			view.merge(changes.calls);
			view.show();
		},
	};
}
