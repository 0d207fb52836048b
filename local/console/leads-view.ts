import { copyButton, element, keyedList } from './element.ts';
import { clockTime, type Facts, type LeadRecord } from './wire.ts';

function leadItem(lead: LeadRecord, { base_url, api_key }: Facts): HTMLElement {
	const { id, name, visitor_phone_masked, source_url, status, created_at } = lead;
	const handled = `curl -s -X PATCH '${base_url}/callback-leads/${id}' -H 'Authorization: Bearer ${api_key}' -H 'Content-Type: application/json' -d '{"status":"handled"}'`;
	return element(
		'article',
		{ class: 'card lead' },
		element(
			'header',
			{},
			element('h3', {}, name === null ? visitor_phone_masked : `${name}, ${visitor_phone_masked}`),
			element('span', { class: `chip ${status}` }, status),
			element('time', { datetime: created_at }, clockTime(created_at)),
		),
		element('p', { class: 'muted' }, `asked for a call back on ${source_url}`),
		element('footer', {}, element('code', {}, id), copyButton(handled, 'Copy curl: mark handled')),
	);
}

/** The callback leads, newest first. */
export function leadsView(list: HTMLElement, empty: HTMLElement) {
	const show = keyedList(list);
	return (leads: readonly LeadRecord[], facts: Facts): void => {
		empty.hidden = leads.length > 0;
		show(
			leads,
			({ id }) => id,
			(lead) => JSON.stringify(lead),
			(lead) => leadItem(lead, facts),
		);
	};
}
