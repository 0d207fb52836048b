import type { CallRecord } from '../../../shared/domain/calls/call-record.ts';
import { HEALTHY } from '../../../shared/domain/webhooks/circuit-breaker.ts';
import type { Workspace } from '../../../shared/domain/workspaces/workspace.ts';
import { callTable, waitingRow, waitingTable } from '../../../shared/http/desk/calls/call-row.ts';
import { dismissButton, requestButtons } from '../../../shared/http/desk/calls/request-buttons.ts';
import { field } from '../../../shared/http/desk/kit/fields.ts';
import { asks, button, formCard, LOUD } from '../../../shared/http/desk/kit/form.ts';
import { framed } from '../../../shared/http/desk/kit/frame.ts';
import { itemList, rowMenu, tableList } from '../../../shared/http/desk/kit/list.ts';
import { type View, viewOf } from '../../../shared/http/desk/kit/view.ts';
import { failedCard, failingEntry } from '../../../shared/http/desk/webhooks/undelivered-card.ts';
import { html, type Markup } from '../../../shared/presentation/markup.ts';
import { samples } from '../sample-records.ts';

// Every component of the desk's pages in each of its states, on one page in the desk's layout. `npm run lab -- looks kit` takes
// screenshots of it; test/browser/desk-kit.test.ts tests it.

const NOW_MS = Date.parse('2026-11-21T10:00:00Z');
const LONG = 'Maximiliane-Alexandra von Hohenlohe-Langenburg zu Wertheim';

function viewIn(language: Workspace['language'], more: Partial<View> = {}): View {
	const { workspace, desk_session: session } = samples;
	const person = { address: 'ida@shop.example', role: 'owner', sessions_from: '' } as const;
	const shop: Workspace = { ...workspace, language, desk: [person], team: [] };
	const at = { workspace: shop, person, session, secret: new Uint8Array(32) };
	return { ...viewOf(at, NOW_MS), ...more };
}

const part = (name: string, ...states: readonly Markup[]): Markup =>
	html`<section data-part="${name}"><h2>${name}</h2>${states}</section>`;

/** The page. `state` is the state of its form and of the note at the form. */
export function kitPage(language: Workspace['language'], state: 'plain' | 'saved' | 'refused' | 'changed'): string {
	const plain = viewIn(language);
	const entered = { action: 'site', name: '', origins: 'shop', language, seen: state === 'changed' ? 'before' : '' };
	const wrong = [{ name: 'name', text: plain.texts.wrong.other }];
	const refusal = { text: plain.texts.not_valid, problem: 'validation_failed', more: null };
	const forms = {
		plain,
		saved: viewIn(language, { query: { saved: '' } }),
		refused: viewIn(language, { entered, wrong, refusal }),
		changed: viewIn(language, { entered, refusal }),
	};
	const view = forms[state];
	const { texts } = view;
	const pause = { action: 'pause-calls', for: 'hour' } as const;
	const remove = { action: 'remove-person', address: 'mia@shop.example' } as const;
	const asked = { ...samples.callback_lead, number_hash: 'number' };
	const waiting = { of: 'callback_lead', asked, link: null, attempts: [], refused: null } as const;
	const waits = (name: string, more: readonly Markup[]) =>
		waitingRow(asked, view, {
			name,
			result: html`<span class="chip">${texts.call_page.lead}</span>`,
			more,
			buttons: (label) => requestButtons(waiting, view, label),
			rare: dismissButton(waiting, view),
		});
	const missed = { ...samples.call, visitor_name: LONG, status: 'failed', failure_reason: 'no_agent_answer' } as const;
	const calls: CallRecord[] = [samples.call, { ...samples.call, is_test: true }, missed];
	const states = [null, null, { state: 'waits', id: missed.id }] as const;
	const main = html`${part(
		'list',
		waitingTable([waits(LONG, [html`<p><q><bdi>${LONG}, ${LONG}</bdi></q></p>`]), waits('Ida', [])], view, ''),
		callTable(calls, view, texts.no_calls, { states }),
		itemList([], texts.none_waiting),
	)}
${part('row menu', tableList([texts.heads.person, texts.heads.last_visit], [html`<tr class="contact"><td class="who"><strong>${LONG}</strong></td><td class="when">${rowMenu(view, LONG, asks(view, remove, texts.short.remove, texts.asks.person), state === 'refused')}</td></tr>`], ''))}
${part(
	'chip',
	html`<p class="row"><span class="chip good">${texts.status.completed}</span>
<span class="chip">${texts.status.canceled}</span> <span class="chip missed">${texts.status.failed}</span></p>`,
)}
${part('state', html`<div class="card"><p class="state"><span class="dot on"></span>${texts.open_now}</p><p class="state"><span class="dot"></span>${texts.closed}</p></div>`)}
${part('question', html`<div class="card">${asks(view, remove, texts.short.remove, texts.asks.person)}</div>`)}
${part('buttons', html`<div class="card row">${button(view, pause, texts.save, LOUD)}${button(view, pause, texts.pause_hour)}<a class="button quiet" href="today">${texts.older}</a></div>`)}
${part(
	'form',
	formCard(
		view,
		'save-site',
		(form) => html`${field(form, 'name')}${field(form, 'origins')}${field(form, 'language')}`,
		texts.save,
	),
)}
${part(
	'fields',
	formCard(
		plain,
		'save-notices',
		(form) =>
			html`${field(form, 'team_email')}${field(form, 'tells_missed_calls')}${field(form, 'accent')}${field(form, 'holiday')}`,
		texts.save,
	),
)}
${part('figures', html`<dl><div><dt>${texts.figures.calls}</dt><dd>1,234</dd></div><div><dt>${texts.figures.missed}</dt><dd>–</dd></div></dl>`)}`;
	const { webhook_endpoint: endpoint } = samples;
	const failing = [
		{ ...endpoint, description: LONG, health: { ...HEALTHY, failing_since: '2026-11-20T10:00:00.000Z' } },
		{ ...endpoint, status: 'disabled', disabled_reason: 'gone' } as const,
	];
	const newest = {
		...samples.delivery,
		last_attempt: { ...samples.delivery_attempt.attempt, response_body: 'No stock' },
	};
	const entries = failing.map((each) => failingEntry({ endpoint: each, newest, waiting: 3 }, view));
	return framed(view, 'today', main, { failing: 2, card: failedCard(entries, 2, view) }).body ?? '';
}
