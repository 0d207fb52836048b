import { readableMask } from '../../../shared/presentation/readable-mask.ts';
import { act } from '../ask.ts';
import { actionButton, copyButton, element, keyedList, say, titleOf } from '../element.ts';
import { clockTime, type Facts, type LeadRecord, type Snapshot } from '../wire.ts';

type Item = { readonly lead: LeadRecord; readonly facts: Facts };

function leadCard({ lead, facts: { base_url, api_key } }: Item) {
	const { id, name, note, visitor_phone_masked, source_url, created_at } = lead;
	const read = `curl -s '${base_url}/callback-leads/${id}' -H 'Authorization: Bearer ${api_key}'`;
	const phone = readableMask(visitor_phone_masked);
	const chip = element('span');
	const handled = actionButton('Mark handled', async () => (await act(`/mark-handled/${id}`)) ?? 'Handled');
	const time = element('time', { datetime: created_at }, clockTime(created_at));
	const title = titleOf(name === null ? phone : `${name}, ${phone}`);
	return {
		shown: element(
			'article',
			{ class: 'card lead' },
			element('header', {}, title, chip, time),
			element('p', { class: 'muted page' }, `asked for a callback on ${source_url}`),
			...(note === null ? [] : [element('p', { class: 'note' }, `“${note}”`)]),
			element('footer', {}, handled, copyButton(read, 'Copy curl'), element('code', {}, id)),
		),
		update({ lead: { status } }: Item): void {
			chip.className = `chip ${status}`;
			say(chip, status);
			handled.hidden = status === 'handled';
		},
	};
}

/** The callback leads, newest first. */
export function leadsView(list: HTMLElement, empty: HTMLElement) {
	const show = keyedList(list, ({ lead }: Item) => lead.id, leadCard);
	return ({ leads, stack: facts }: Snapshot): void => {
		const items = facts === null ? [] : (leads.data ?? []).map((lead) => ({ lead, facts }));
		empty.hidden = items.length > 0;
		show(items);
	};
}
