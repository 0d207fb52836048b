import { readableMask } from '../../../shared/presentation/readable-mask.ts';
import { act } from '../ask.ts';
import { actionButton, copyButton, element, keyedList, type Places, say, titleOf } from '../element.ts';
import { filteredList } from '../filter.ts';
import { inWords, isAnyPhoneUp, isOver } from '../lanes.ts';
import { timeline } from '../timeline.ts';
import type { Snapshot, Webhook } from '../wire.ts';
import { type CallRecord, clockTime, envelopeOf, type Facts, type Ring } from '../wire.ts';
import { eventsView } from './events-view.ts';

const STATUSES = ['requested', 'ringing', 'connected', 'completed', 'failed', 'canceled'];

/** A call with everything that the view shows. */
export type CallStory = {
	readonly call: CallRecord;
	/** Oldest first, like the webhooks. */
	readonly rings: readonly Ring[];
	readonly webhooks: readonly Webhook[];
	readonly facts: Facts;
	/** The visitor's name; null if they gave none. */
	readonly name: string | null;
};

/** The calls of a snapshot, each with its own rings and webhooks. */
export function storiesOf({ calls, rings, webhooks, stack, names }: Snapshot): readonly CallStory[] {
	if (stack === null) return [];
	const ringsBy = Map.groupBy(rings, ({ call_id }) => call_id);
	const webhooksBy = Map.groupBy(webhooks, (webhook) => envelopeOf(webhook)?.data.id ?? '');
	return (calls.data ?? []).map((call) => ({
		call,
		rings: ringsBy.get(call.id) ?? [],
		webhooks: webhooksBy.get(call.id) ?? [],
		facts: stack,
		name: names[call.id] ?? null,
	}));
}

/** Whether the drawing still changes: the call or one of its phones is live. */
export function isLive({ call, rings }: CallStory): boolean {
	return !isOver(call) || isAnyPhoneUp(rings);
}

/** The state of a call, in words. */
export function describe(call: CallRecord): string {
	if (call.failure_reason) return `${call.status}: ${inWords(call.failure_reason)}`;
	if (call.duration_seconds) return `${call.status}, talked ${call.duration_seconds} s`;
	if (call.status !== 'connected' || call.connected_at === null) return call.status;
	return `connected, ${Math.max(0, Math.floor((Date.now() - Date.parse(call.connected_at)) / 1000))} s`;
}

function callFooter({ call, facts }: CallStory, hangUp: HTMLElement): HTMLElement {
	const read = `curl -s '${facts.base_url}/calls/${call.id}' -H 'Authorization: Bearer ${facts.api_key}'`;
	const page = element('span', { class: 'muted page' }, call.source_url);
	return element('footer', {}, hangUp, copyButton(read, 'Copy curl'), element('code', {}, call.id), page);
}

function callCard(story: CallStory) {
	const { call } = story;
	const chip = element('span');
	const drawing = timeline();
	const events = eventsView();
	const hangUp = actionButton('Hang up', async () => (await act(`/hang-up/${call.id}`)) ?? 'Hanging up');
	const number = readableMask(call.visitor_phone_masked);
	const phone = titleOf(story.name === null ? number : `${story.name}, ${number}`);
	const time = element('time', { datetime: call.created_at }, clockTime(call.created_at));
	const webhooks = element('div', { class: 'beside' }, element('h4', {}, 'Webhooks'), events.shown);
	const body = element('div', { class: 'story' }, drawing.shown, webhooks);
	const shown = element('article', {}, element('header', {}, phone, chip, time), body, callFooter(story, hangUp));
	let sign = '';
	return {
		shown,
		update(next: CallStory): void {
			const now = JSON.stringify([next.call, next.rings.length, next.webhooks.length]);
			if (now === sign && !isLive(next)) return;
			sign = now;
			const { status } = next.call;
			shown.className = `card call ${status} ${isOver(next.call) ? '' : 'live'}`;
			chip.className = `chip ${status}`;
			say(chip, describe(next.call));
			hangUp.hidden = isOver(next.call);
			drawing.update(next.call, next.rings, next.webhooks);
			events.update(next.call, next.webhooks);
		},
	};
}

/** The calls, newest first, each with its phones as they ring and its webhooks as they arrive. */
export function callsView({ more, ...places }: Places<'list' | 'empty' | 'more' | 'bar'>) {
	const show = filteredList<CallStory>(places, {
		about: 'calls',
		states: STATUSES,
		nothing: 'No call matches.',
		show: keyedList(places.list, ({ call }: CallStory) => call.id, callCard),
		traits: ({ call, name }) => {
			return [[name, readableMask(call.visitor_phone_masked), call.source_url, call.id, describe(call)], call.status];
		},
	});
	return (snapshot: Snapshot): void => {
		more.hidden = snapshot.calls.has_more !== true;
		show(storiesOf(snapshot));
	};
}
