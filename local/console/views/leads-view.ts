import { leadStatuses } from '../../../shared/domain/leads/callback-lead.ts';
import { readableMask } from '../../../shared/presentation/readable-mask.ts';
import { act } from '../ask.ts';
import { actionButton, byId, copyButton, element, keyedList, type Places, say, titleOf } from '../element.ts';
import { listView } from '../filter.ts';
import { type Changes, type Facts, type LeadRecord, whenText } from '../wire.ts';

type Item = { readonly lead: LeadRecord; readonly facts: Facts };

function leadCard({ lead, facts: { base_url, api_key, workspace_id } }: Item) {
	const { id, name, note, visitor_phone_masked, source_url, created_at } = lead;
	const command = `curl -s '${base_url}/callback-leads/${id}' -H 'Authorization: Bearer ${api_key}'`;
	const phone = readableMask(visitor_phone_masked);
	const chip = element('span');
	const handleButton = actionButton('Mark handled', async () => (await act(`/mark-handled/${id}`)) ?? 'Handled');
	const time = element('time', { datetime: created_at }, whenText(created_at));
	// The key on the page is the demo workspace's.
	const own = lead.workspace_id === workspace_id ? [handleButton, copyButton(command, 'Copy curl')] : [];
	const title = titleOf(name === null ? phone : `${name}, ${phone}`);
	return {
		element: element(
			'article',
			{ class: 'card lead' },
			element('header', {}, title, chip, time),
			element('p', { class: 'muted page' }, `asked for a callback on ${source_url}`),
			...(note === null ? [] : [element('p', { class: 'note' }, `“${note}”`)]),
			element('footer', {}, ...own, element('code', {}, id)),
		),
		update({ lead: { status } }: Item): void {
			chip.className = `chip ${status}`;
			say(chip, status);
			handleButton.hidden = status === 'handled';
		},
	};
}

/** The callback leads, newest first. */
export function leadsView(places: Places<'list' | 'empty' | 'bar'>, facts: () => Facts | null) {
	const showCards = keyedList(places.list, ({ lead }: Item) => lead.id, leadCard);
	const view = listView<LeadRecord>(places, {
		about: 'leads',
		states: leadStatuses,
		nothing: 'No lead matches.',
		list: 'leads',
		keyOf: ({ id }) => id,
		show(leads) {
			const stack = facts();
			if (stack !== null) showCards(leads.map((lead) => ({ lead, facts: stack })));
		},
		count: (text) => say(byId('lead-count'), text),
	});
	return { load: () => view.load(), update: ({ leads }: Changes) => view.merge(leads) };
}
