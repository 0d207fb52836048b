import { element, keyedList, say } from '../element.ts';
import { isOver } from '../lanes.ts';
import type { CallStory, CallWebhook, ShownCall } from '../wire.ts';

type Line = {
	readonly key: string;
	readonly event: string;
	readonly webhook: CallWebhook | null;
	readonly after: string;
};

const EXPECTED = ['call.requested', 'call.ringing', 'call.connected', 'call.completed'] as const;

function afterStart(call: ShownCall, at: string): string {
	return `${((Date.parse(at) - Date.parse(call.created_at)) / 1000).toFixed(1)} s`;
}

/**
 * The webhooks of the call that have arrived, and after them the webhooks that are still expected. After the webhook about the
 * end of the call, no further webhook is expected. If the call is over and none of its webhooks has arrived, none is expected
 * either, so the list is empty.
 */
function linesOf(story: CallStory | null): readonly Line[] {
	const came = (story?.webhooks ?? []).map((webhook) => ({
		key: webhook.anchor,
		event: webhook.event,
		webhook,
		after: story === null ? '' : afterStart(story.call, webhook.received_at),
	}));
	const ended = came.some(({ event }) => event === 'call.completed' || event === 'call.failed');
	if (ended || (story !== null && isOver(story.call) && came.length === 0)) return came;
	const toCome = EXPECTED.filter((kind) => !came.some(({ event }) => event === kind));
	return [...came, ...toCome.map((event) => ({ key: event, event, webhook: null, after: '' }))];
}

function verdictOf({ verified }: CallWebhook): string {
	if (verified === null) return 'arrived';
	return verified ? 'verified' : 'refused';
}

function lineElement({ event, webhook }: Line) {
	const after = element('span', { class: 'after' });
	const name = webhook === null ? element('span', {}, event) : element('a', { href: `/#${webhook.anchor}` }, event);
	const verdict = webhook === null ? 'awaited' : verdictOf(webhook);
	return {
		element: element('li', { class: `event ${verdict}` }, name, element('span', { class: 'unseen' }, verdict), after),
		update: (line: Line) => say(after, line.after),
	};
}

/**
 * Shows the webhooks of one call in the order in which they arrived. If there is no call, shows the webhooks that a call
 * would send.
 */
export function eventsView() {
	const list = element('ol', { class: 'events' });
	const show = keyedList(list, ({ key }: Line) => key, lineElement);
	return {
		element: list,
		/** Returns whether the list has any webhook. */
		update(story: CallStory | null): boolean {
			const lines = linesOf(story);
			show(lines);
			return lines.length > 0;
		},
	};
}
