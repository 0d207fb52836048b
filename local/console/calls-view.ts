import { copyButton, element, keyedList } from './element.ts';
import { isOver, timeline } from './timeline.ts';
import { type CallRecord, clockTime, type Facts, type Snapshot } from './wire.ts';

function describe(call: CallRecord): string {
	if (call.failure_reason) return `${call.status}: ${call.failure_reason.replaceAll('_', ' ')}`;
	return call.duration_seconds === null ? call.status : `${call.status}, talked ${call.duration_seconds} s`;
}

function callCard(call: CallRecord, { rings, webhooks }: Snapshot, facts: Facts): HTMLElement {
	const read = `curl -s '${facts.base_url}/calls/${call.id}' -H 'Authorization: Bearer ${facts.api_key}'`;
	const cancel = `curl -s -X POST '${facts.base_url}/calls/${call.id}/cancel' -H 'Authorization: Bearer ${facts.api_key}'`;
	const footer = element(
		'footer',
		{},
		element('code', {}, call.id),
		copyButton(read, 'Copy curl: read'),
		...(isOver(call) ? [] : [copyButton(cancel, 'Copy curl: cancel')]),
	);
	return element(
		'article',
		{ class: `card call ${call.status}` },
		element(
			'header',
			{},
			element('h3', {}, call.visitor_phone_masked),
			element('span', { class: `chip ${call.status}` }, describe(call)),
			element('time', { datetime: call.created_at }, clockTime(call.created_at)),
		),
		timeline(call, rings, webhooks, Date.now()),
		footer,
	);
}

/** Everything that a card shows; while a call is live, time too. */
function signOf(call: CallRecord, { rings, webhooks }: Snapshot): string {
	const mine = rings.filter(({ call_id }) => call_id === call.id);
	const live = !isOver(call) || mine.filter(({ what }) => what === 'ended').length < legsOf(mine);
	const events = webhooks.filter(({ body }) => body.includes(call.id)).length;
	return JSON.stringify([call, mine.length, events, live ? Date.now() : 0]);
}

function legsOf(rings: Snapshot['rings']): number {
	return new Set(rings.map(({ leg_id }) => leg_id)).size;
}

/** The calls, newest first, each with its phones as they ring. */
export function callsView(list: HTMLElement, empty: HTMLElement) {
	const show = keyedList(list);
	return (snapshot: Snapshot, facts: Facts): void => {
		empty.hidden = snapshot.calls.length > 0;
		show(
			snapshot.calls,
			({ id }) => id,
			(call) => signOf(call, snapshot),
			(call) => callCard(call, snapshot, facts),
		);
	};
}
